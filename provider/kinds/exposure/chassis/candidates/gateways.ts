import { hostPrefix } from "../../../../kit/address";
import type { AgentExposure } from "../../agent/exposure";
import { addressesOf, macOf } from "../addresses";
import { type Candidate, allowed, selected } from "./candidate";
import type { Gateway, ChassisModel } from "../chassis-model";

/** Gateways of an exposure. */
export const gatewaysOf = (model: ChassisModel, exposure: AgentExposure): Gateway[] =>
  model.gateways.filter(({ network, ends }) => allowed(exposure, network.name, ...ends));

/** The routers' own addresses on provider networks: replies to translated sources return to them, and they are ports there. */
export function gatewayAddresses(model: ChassisModel, exposure: AgentExposure): Candidate[] {
  const { floatingIPs, providerPorts, tenantNetworks, select } = exposure;
  // With a selection those that are next hops of what it names come with these.
  const all = floatingIPs || (tenantNetworks !== undefined && !select);
  const wanted = gatewaysOf(model, exposure).filter(({ network, ends }) => all || (providerPorts && selected(exposure, network.name, ...ends)));
  return wanted.flatMap((gateway) => ownAddresses(model, gateway));
}

export function ownAddresses(model: ChassisModel, { port, network }: Gateway): Candidate[] {
  const link = model.link(network);
  return link ? addressesOf(port).map((address) => ({ network, link, next: null, prefix: hostPrefix(address), subnet: address, mac: macOf(port) })) : [];
}
