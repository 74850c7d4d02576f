import { type Ip, type Prefix, contains, formatPrefix, hostPrefix, linkLocalOfMac, networkOf, ofFamily } from "../../../../kit/address";
import type { AgentExposure } from "../../agent/exposure";
import { isAnnouncedFamily } from "../../port";
import { scopesIn } from "../../router-port";
import type { PortBinding } from "../snapshot/snapshot";
import { addressesOf, macOf } from "../addresses";
import { type Candidate, allowed, selected } from "./candidate";
import { gatewaysOf, ownAddresses } from "./gateways";
import { servedVips } from "./load-balancers";
import { datapathOf } from "../datapath";
import { type Gateway, type ChassisModel, isWorkload } from "../chassis-model";

/** A router's port on a tenant network, and the switch's port to it. */
interface Attachment {
  readonly ends: readonly [PortBinding, PortBinding];
  /** Subnets of the network that may be announced. */
  readonly subnets: readonly Prefix[];
}

/** Networks behind the gateways on this chassis, through these: as a whole, or by the addresses that are in use. */
export function tenantNetworks(model: ChassisModel, exposure: AgentExposure): Candidate[] {
  const { tenantNetworks: how } = exposure;
  if (how === undefined) return [];
  return gatewaysOf(model, exposure).flatMap((gateway) => {
    const behind = attachments(model, exposure, gateway.router).flatMap((attachment) => {
      const prefixes = how === "subnet" ? wholeSubnets(exposure, attachment) : hosts(model, exposure, gateway, attachment);
      return prefixes.flatMap((prefix) => through(model, gateway, attachment, prefix));
    });
    // They are the next hops.
    return behind.length > 0 ? [...ownAddresses(model, gateway), ...behind] : [];
  });
}

/** The switches whose workloads exposures ask for, in one order. */
export function tenantDatapaths(model: ChassisModel, exposures: readonly AgentExposure[]): string[] {
  const found = exposures.flatMap((exposure) =>
    gatewaysOf(model, exposure).flatMap(({ router }) => attachments(model, exposure, router).map(({ ends: [, peer] }) => peer.datapath)),
  );
  return [...new Set(found)].sort();
}

function attachments(model: ChassisModel, exposure: AgentExposure, router: string): Attachment[] {
  return model.rows.portsOf(router).flatMap((port): Attachment[] => {
    const peer = model.rows.peer(port);
    if (!peer || peer.router || model.rows.isProvider(peer.datapath) || !allowed(exposure, peer.network, port, peer)) return [];
    const scopes = scopesIn({ ...port.externalIds, ...peer.externalIds });
    // A network of all addresses would take the host's own way to everywhere.
    const subnets = addressesOf(port).filter((address) => address.length > 0 && isAnnouncedFamily(exposure, { scopes }, address));
    return subnets.length === 0 ? [] : [{ ends: [port, peer], subnets }];
  });
}

function wholeSubnets(exposure: AgentExposure, { ends, subnets }: Attachment): Prefix[] {
  return selected(exposure, ends[1].network, ...ends) ? subnets.map(networkOf) : [];
}

/** Workloads of the network, wherever they are, and the VIPs in it. */
function hosts(model: ChassisModel, exposure: AgentExposure, { router }: Gateway, { ends, subnets }: Attachment): Prefix[] {
  const [, { datapath, network }] = ends;
  const workloads = model.rows
    .portsOf(datapath)
    .filter((port) => isWorkload(port.type) && port.chassis !== null && port.up && selected(exposure, network, ...ends, port));
  const vips = exposure.loadBalancers && selected(exposure, network, ...ends) ? servedVips(model, router) : [];
  return [...workloads.flatMap(addressesOf), ...vips].filter((address) => subnets.some((subnet) => contains(subnet, address))).map(hostPrefix);
}

function through(model: ChassisModel, gateway: Gateway, { ends }: Attachment, prefix: Prefix): Candidate[] {
  const address = nextHop(gateway, prefix);
  if (address === undefined) {
    const [, { network }] = ends;
    model.note({
      code: "OVN_AGENT_NO_NEXT_HOP",
      subject: network,
      message: `the gateway of network "${network}" (${gateway.port.name}) has no IPv${prefix.family} address: ${formatPrefix(prefix)} is not announced; give the port one`,
    });
    return [];
  }
  const link = model.link(gateway.network);
  return link ? [{ network: datapathOf(ends[1]), link, prefix, next: { address, mac: macOf(gateway.port) } }] : [];
}

/** The gateway's address of the family. IPv6 has one on each link. */
function nextHop({ port }: Gateway, { family }: Prefix): Ip | undefined {
  const mac = macOf(port);
  return ofFamily(addressesOf(port), family) ?? (family === 6 && mac !== undefined ? linkLocalOfMac(mac) : undefined);
}
