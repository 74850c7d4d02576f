import { type Entry, outsideEntry, publisherIn } from "./entry";
import type { Port, ZoneFacts } from "../zones/facts";
import type { Packet } from "./packet";
import type { Ending } from "./trace-text";
import type { RunTrace, Trace } from "./traces";
import type { Outcome, Path, Step } from "../types";
import type { World } from "../zones/world";
import { homesOf } from "../zones/zone-ports";

/** A path with the packet's headers where it ends. */
export interface Followed extends Path {
  readonly packet: Packet;
}

/** Longer than any path: out of a network by another node, and back into another network. */
const MOST_ZONES = 8;

/** Follows a packet from zone to zone. A zone's databases decide up to the port by which the packet leaves. */
export async function follow(world: World, run: RunTrace, entry: Entry): Promise<Followed> {
  const steps: Step[] = [];
  const backends: string[] = [];
  let at = entry;
  for (let count = 0; count < MOST_ZONES; count++) {
    const facts = world.zones.get(at.zone)!;
    if (at.unknown !== undefined) return unfollowed(at, steps, { kind: "unknown", why: at.unknown });
    const trace = await run(at.zone, at.datapath, at.inPort, at.packet);
    backends.push(...backendsOf(facts, trace.backends));
    const ending = chosen(trace, facts);
    steps.push(...trace.steps.slice(0, ending?.steps));
    const end = (outcome: Outcome): Followed => {
      const packet = ending?.packet ?? at.packet;
      return { steps, outcome, source: packet.source, destination: packet.destination, backends: [...new Set(backends)].sort(), packet };
    };
    if (trace.unknown !== undefined) return end({ kind: "unknown", why: trace.unknown });
    if (ending === undefined) return end({ kind: "lost", zone: at.zone, why: dropText(steps.at(-1)) });
    const port = facts.ports.get(ending.port);
    if (port?.type === "localnet") {
      const network = networkOf(facts, ending.port);
      const next = publisherOf(world, at.zone, network, ending.packet);
      if (next === undefined || (next.zone === at.zone && next.inPort === at.inPort)) return end({ kind: "outside", zone: at.zone, network });
      at = next;
      continue;
    }
    if (port?.type !== "remote") return end(delivery(facts, ending));
    const [home] = homesOf(world, port.key);
    if (home === undefined) {
      const why = `sent to port ${ending.port} of another zone, and no zone of the stack has that port`;
      // Rows of other writers, and of other stacks, lead to zones of their own.
      return end(world.isLive || world.elsewhere.has(port.key) ? { kind: "unknown", why } : { kind: "lost", zone: at.zone, why });
    }
    const { facts: next, port: twin } = home;
    at = { zone: next.zone, datapath: twin.datapath, inPort: twinOf(facts, next, ending.inPort, twin), packet: { ...ending.packet, outPort: twin.name } };
  }
  return unfollowed(at, steps, { kind: "lost", zone: at.zone, why: "the packet loops" });
}

/** The path up to an entry. */
function unfollowed({ packet }: Entry, steps: readonly Step[], outcome: Outcome): Followed {
  return { steps, outcome, source: packet.source, destination: packet.destination, backends: [], packet };
}

/** All backends of the load balancer of which the trace contains one. */
function backendsOf({ virtual }: ZoneFacts, traced: readonly string[]): string[] {
  return traced.flatMap((backend) => virtual.find(({ backends }) => backends.includes(backend))?.backends ?? [backend]);
}

/** Entry of a packet from a zone that a physical network delivers to an address which a gateway there publishes. */
function publisherOf({ zones, hostNetworks }: World, from: string, network: string, packet: Packet): Entry | undefined {
  for (const facts of zones.values()) {
    if (hostNetworks.has(network) && facts.zone !== from) continue;
    const router = publisherIn(facts, packet.destination);
    const entry = router === undefined ? undefined : outsideEntry(facts, network, packet, router);
    if (entry !== undefined && typeof entry !== "string") return entry;
  }
  return undefined;
}

/** The ending that the packet is meant for. A flooded packet has several. */
function chosen({ endings }: Trace, facts: ZoneFacts): Ending | undefined {
  const owned = endings.find(({ port, packet }) => ownerOf(facts, port)?.addresses.includes(packet.destination));
  const typed = (type: string) => endings.find(({ port }) => facts.ports.get(port)?.type === type);
  return owned ?? typed("remote") ?? typed("localnet") ?? endings[0];
}

function delivery(facts: ZoneFacts, { port, packet }: Ending): Outcome {
  const owner = ownerOf(facts, port);
  if (owner === undefined || owner.addresses.includes(packet.destination)) return { kind: "delivered", zone: facts.zone, port };
  return { kind: "lost", zone: facts.zone, why: `delivered to ${port}, which does not have ${packet.destination}` };
}

const ownerOf = ({ workloads }: ZoneFacts, port: string) => workloads.find(({ name }) => name === port);

const networkOf = ({ externals }: ZoneFacts, port: string): string => externals.find((each) => each.port === port)?.network ?? "";

/** Name of the sender's port in the other zone. If that zone does not have the port, any other one: no egress pipeline asks for it. */
function twinOf(from: ZoneFacts, to: ZoneFacts, name: string, target: Port): string {
  const key = from.ports.get(name)?.key;
  const known = key === undefined ? undefined : to.keys.get(key);
  return known ?? [...to.ports.values()].find((port) => port.datapath === target.datapath && port !== target)?.name ?? target.name;
}

function dropText(last: Step | undefined): string {
  return last === undefined ? "no flow matches" : `dropped in table ${last.stage} of ${last.datapath}`;
}
