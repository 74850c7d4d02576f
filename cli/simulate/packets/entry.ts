import { contains, networkOf, parseIp, parsePrefix } from "@pulumi-ovn/provider";
import { addressOf, isIn } from "../addresses";
import type { Gateway, Workload, ZoneFacts } from "../zones/facts";
import type { Packet } from "./packet";
import { ASSUMED_MAC } from "../zones/prepare";
import type { Question } from "../types";
import type { World } from "../zones/world";

/** Entry of a packet into a zone's datapath. */
export interface Entry {
  readonly zone: string;
  readonly datapath: string;
  readonly inPort: string;
  readonly packet: Packet;
  /** Why the sender can send the packet in another way. */
  readonly assumption?: string;
  /** Why the way of the packet is not known. */
  readonly unknown?: string;
}

/** A workload in its own zone. */
export function workloadIn({ zones, workloads }: World, name: string): { readonly facts: ZoneFacts; readonly workload: Workload } | undefined {
  const zone = workloads.get(name);
  const facts = zone === undefined ? undefined : zones.get(zone)!;
  return facts && { facts, workload: facts.workloads.find((each) => each.name === name)! };
}

/** Entry of the first packet, or the reason why the packet has no entry. */
export function entryOf(world: World, { from, source, to, family, protocol }: Question): Entry | string {
  const packet = { family, protocol, way: "there", source, destination: to.address, port: protocol.name === "icmp" ? undefined : protocol.port } as const;
  return from.kind === "workload" ? workloadEntry(world, from.name, packet) : outsideEntry(world.zones.get(from.zone), from.network, packet);
}

/** No port answers for such an address. */
const BY_GATEWAY = "workloads are assumed to have a route by their gateway to load balancers in their subnet";

export const SEVERAL_ROUTERS = "a workload that receives advertisements of several IPv6 routers chooses one; the router in its zone is followed";

const MISLED = "a router of another zone with the gateway's address requests the MAC of an address without a port, so workloads send to that router";

type Headers = Omit<Packet, "ethSource" | "ethDestination">;

/** The packet as a workload sends it: to the owner of an address in its subnet, otherwise to its gateway. */
export function workloadEntry(world: World, name: string, headers: Headers): Entry | string {
  const found = workloadIn(world, name);
  if (found === undefined) return `there is no workload "${name}"`;
  const { facts, workload } = found;
  const routers = facts.gateways.filter((gateway) => gateway.switch === workload.switch);
  const owner = facts.neighbours.get(workload.switch)?.get(headers.destination);
  const isLearning = facts.learning.includes(workload.switch);
  const onLink = routers.some((gateway) => covers(gateway, headers.source, headers.destination));
  const published = isPublished(world, headers.destination);
  const isMissing = onLink && owner === undefined && !published;
  if (isMissing && !isLearning) return `no port of ${workload.switch} in zone ${facts.zone} has ${headers.destination}`;
  const isNeighbour = isMissing || (owner !== undefined && (onLink || routers.length === 0));
  const gateway = routers.find((each) => covers(each, headers.source)) ?? routers[0];
  const mac = isNeighbour ? (owner ?? ASSUMED_MAC) : gateway?.mac;
  if (mac === undefined) return `workload "${name}" has no gateway for IPv${headers.family}`;
  const entry = { zone: facts.zone, datapath: workload.switch, inPort: name, packet: { ...headers, ethSource: workload.mac, ethDestination: mac } };
  if (isNeighbour) return entry;
  if (headers.family === 4 && gateway?.key !== undefined && world.misled.has(gateway.key)) return { ...entry, unknown: MISLED };
  if (onLink) return { ...entry, assumption: BY_GATEWAY };
  return headers.family === 6 && hasOtherRouters(world, facts, gateway!) ? { ...entry, assumption: SEVERAL_ROUTERS } : entry;
}

/** Whether a router of another zone on the same switch advertises itself with at least the same preference. */
function hasOtherRouters({ zones }: World, { ports, keys }: ZoneFacts, { preference = 0 }: Gateway): boolean {
  const isRemote = (key: string | undefined) => key !== undefined && ports.get(keys.get(key) ?? "")?.type === "remote";
  return [...zones.values()].some(({ gateways }) =>
    gateways.some((each) => each.preference !== undefined && each.preference >= preference && isRemote(each.key)),
  );
}

/** The packet as a neighbour on the physical network sends it to the router that has the address. */
export function outsideEntry(facts: ZoneFacts | undefined, network: string, headers: Headers, router?: string): Entry | string {
  const externals = facts?.externals.filter((each) => each.network === network) ?? [];
  if (facts === undefined || externals.length === 0) return `no gateway to physical network "${network}"`;
  const all = externals.flatMap((external) => facts.gateways.filter((each) => each.switch === external.switch).map((gateway) => ({ external, gateway })));
  const owner = router ?? publisherIn(facts, headers.destination);
  const chosen = all.find(({ gateway }) => gateway.router === owner) ?? all.find(({ gateway }) => leadsTo(facts, gateway, headers.destination)) ?? all[0];
  if (chosen === undefined) return `no router on physical network "${network}"`;
  const { external, gateway } = chosen;
  return { zone: facts.zone, datapath: external.switch, inPort: external.port, packet: { ...headers, ethSource: ASSUMED_MAC, ethDestination: gateway.mac } };
}

/** The router that answers for an address: of a translation, of a load balancer, or its own. */
export function publisherIn({ translations, virtual, gateways }: ZoneFacts, address: string): string | undefined {
  const router = translations.find((each) => each.address === address)?.router;
  const balancing = virtual.find(({ vip }) => vip === address || vip.startsWith(`${address}:`) || vip.startsWith(`[${address}]`))?.router;
  return router ?? balancing ?? gateways.find(({ networks }) => networks.some((network) => network.split("/")[0] === address))?.router;
}

function isPublished({ zones }: World, address: string): boolean {
  return [...zones.values()].some(
    ({ floating, virtual }) => floating.some((each) => each.address === address) || virtual.some(({ vip }) => addressOf(vip) === address),
  );
}

/** Whether a gateway's router has a route to an address, other than the default route. */
export function leadsTo({ routes }: ZoneFacts, { router }: Gateway, address: string): boolean {
  return routes.some(({ router: name, prefix }) => name === router && !prefix.endsWith("/0") && isIn(prefix, address));
}

/** Whether a network of the gateway contains all the addresses. */
function covers({ networks }: Gateway, ...addresses: readonly string[]): boolean {
  return networks.some((network) => addresses.every((address) => contains(networkOf(parsePrefix(network)), parseIp(address))));
}
