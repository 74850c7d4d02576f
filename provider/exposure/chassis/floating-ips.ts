import { type Ip, type Prefix, compareIps, contains, hostPrefix } from "../../address";
import { readable } from "../../address/readable";
import type { AgentExposure } from "../agent/exposure";
import { withoutPort } from "../vip";
import type { PortBinding } from "./snapshot";
import { addressesOf } from "./addresses";
import { type Candidate, allowed } from "./candidate";
import { type World, datapathOf } from "./world";

/** An address of NAT, and the port where OVN translates it. */
interface Translated {
  readonly address: Ip;
  readonly owner: PortBinding | undefined;
  readonly subnet?: Prefix | undefined;
}

/**
 * Addresses of NAT, from where OVN translates them: the chassis of the workload, or of the gateway. Those of IPv4 are told by northd
 * for gratuitous ARP, those of IPv6 by the Northbound database; both where the switch's port to the router asks for it
 * (`options:nat-addresses=router`).
 */
export function floatingIPs(world: World, exposure: AgentExposure): Candidate[] {
  if (!exposure.floatingIPs) return [];
  return [...world.ports].flatMap((port) => (port.router || !world.isProvider(port.datapath) ? [] : ofPort(world, exposure, port)));
}

function ofPort(world: World, exposure: AgentExposure, port: PortBinding): Candidate[] {
  const network = datapathOf(port);
  const router = world.peer(port);
  if (!router) return [];
  const here = [...told(world, port, router), ...asked(world, port, router)].filter(({ owner }) => owner !== undefined && world.isHere(owner) && allowed(exposure, network.name, port, router, owner));
  const link = here.length > 0 ? world.link(network) : undefined;
  return link ? here.sort((a, b) => compareIps(a.address, b.address)).map(({ address, subnet }) => ({ network, link, next: null, prefix: hostPrefix(address), subnet })) : [];
}

/** As northd has it in Port_Binding's `nat_addresses` (ovn-sb(5)). Load balancers are also listed there, and no floating IPs. */
function told(world: World, { natAddresses }: PortBinding, router: PortBinding): Translated[] {
  if (natAddresses.length === 0) return [];
  const balanced = new Set(world.vipsOf(router.datapath).map(({ vip }) => withoutPort(vip)).flatMap(readable).map(key));
  return natAddresses.map(entryOf).flatMap(({ addresses, resident }) => {
    const owner = resident === undefined ? holder(world, router) : world.port(resident);
    return addresses.filter((address) => !balanced.has(key(address))).map((address) => ({ address, owner }));
  });
}

/** As the Northbound database has it. Of several gateway ports a floating IP is at the one whose network it is in. */
function asked(world: World, { name }: PortBinding, router: PortBinding): Translated[] {
  if (!world.asksForNat(name)) return [];
  return world.floatingIPsOf(router).flatMap(({ address, port }): Translated[] => {
    const [ip] = readable(address);
    const subnet = ip && addressesOf(router).find((one) => contains(one, ip));
    if (!ip || (!subnet && world.gatewayPortsOf(router.datapath).length > 1)) return [];
    const distributed = port !== null && router.type !== "l3gateway";
    return [{ address: ip, subnet, owner: distributed ? world.port(port) : holder(world, router) }];
  });
}

const key = ({ family, value }: Ip) => `${family} ${value}`;

/** The port that is where a router's NAT is, when an entry names none. */
const holder = (world: World, router: PortBinding) => (router.type === "l3gateway" ? router : world.port(router.options["chassis-redirect-port"]));

const ENTRY = /^\s*\S+((?:\s+[0-9a-fA-F.:]+)*)(?:\s+is_chassis_resident\("(.*)"\))?\s*$/;

/** `MAC ADDRESS... is_chassis_resident("PORT")`; one of another form is none. */
function entryOf(text: string): { addresses: Ip[]; resident: string | undefined } {
  const [, addresses = "", resident] = ENTRY.exec(text) ?? [];
  return { addresses: addresses.split(" ").filter(Boolean).flatMap(readable), resident: resident?.replace(/\\(.)/g, "$1") };
}
