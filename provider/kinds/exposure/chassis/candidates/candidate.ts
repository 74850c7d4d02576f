import type { Ip, Prefix } from "../../../../kit/address";
import type { AgentExposure } from "../../agent/exposure";
import { names } from "../../port";
import type { PortBinding } from "../snapshot/snapshot";
import type { Link } from "../link";
import type { Datapath } from "../datapath";

/** A route that an exposure asks for. */
export interface Candidate {
  /** Network that has the addresses. */
  readonly network: Datapath;
  readonly prefix: Prefix;
  /** The network around the address, where it is known. */
  readonly subnet?: Prefix | undefined;
  readonly link: Link;
  /** The router in front of the network; null: the address is on the link. */
  readonly next: NextHop | null;
  /** MAC of an address of a router on this chassis. */
  readonly mac?: string | undefined;
  /** IPv6: addresses that it may use as its gateway and that no router has. The host answers for them. */
  readonly gateways?: readonly Ip[] | undefined;
}

interface NextHop {
  readonly address: Ip;
  readonly mac: string | undefined;
}

/** Whether neither these ports nor their network are excluded. */
export function allowed({ exclude }: AgentExposure, network: string, ...ports: readonly PortBinding[]): boolean {
  return !exclude || !named(exclude, network, ports);
}

/** Whether an exposure's selection has one of the ports, or their network. */
export function selected(exposure: AgentExposure, network: string, ...ports: readonly PortBinding[]): boolean {
  return allowed(exposure, network, ...ports) && (!exposure.select || named(exposure.select, network, ports));
}

function named(selection: NonNullable<AgentExposure["select"]>, network: string, ports: readonly PortBinding[]): boolean {
  return ports.some(({ name, externalIds }) => names(selection, name, { network, labels: externalIds }));
}
