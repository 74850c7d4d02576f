import { type AgentExposure, type Ip, compareIps, hostPrefix, withoutPort } from "@pulumi-ovn/provider/agent";
import type { PortBinding } from "../southbound/snapshot";
import { readable } from "./addresses";
import { type Candidate, allowed } from "./candidate";
import { type World, datapathOf } from "./world";

/**
 * Addresses of NAT, as northd tells them to ovn-controller for gratuitous ARP (ovn-sb(5), Port_Binding nat_addresses), from where
 * OVN translates them: the chassis of the workload, or of the gateway. Those of load balancers are not among them.
 */
export function floatingIPs(world: World, exposure: AgentExposure): Candidate[] {
  if (!exposure.floatingIPs) return [];
  return [...world.ports].flatMap((port) => (port.router || port.natAddresses.length === 0 ? [] : ofPort(world, exposure, port)));
}

function ofPort(world: World, exposure: AgentExposure, port: PortBinding): Candidate[] {
  const network = datapathOf(port);
  const router = world.peer(port);
  if (!router || !world.isProvider(network.uuid)) return [];
  const translated = port.natAddresses.map(entryOf).filter(({ resident }) => {
    const owner = resident === undefined ? holder(world, router) : world.port(resident);
    return owner !== undefined && world.isHere(owner) && allowed(exposure, network.name, port, router, owner);
  });
  const balanced = new Set(world.vipsOf(router.datapath).map(({ vip }) => withoutPort(vip)).flatMap(readable).map(key));
  const addresses = translated.flatMap((entry) => entry.addresses).filter((address) => !balanced.has(key(address)));
  const link = addresses.length > 0 ? world.link(network) : undefined;
  return link ? addresses.sort(compareIps).map((address) => ({ network, link, next: null, prefix: hostPrefix(address) })) : [];
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
