import { routerBridge, routerPatch, tierBridge } from "@pulumi-ovn/provider/tools";
import type { Packet } from "../../trace/packet";
import { type Route, routeOf, type RunTrace, VIRTUAL_ROUTER } from "../../trace/route";
import { sentenceOf } from "../../trace/sentence";
import type { Answer, Path, Question } from "../types";
import { vpcStep, withDrop } from "./step";
import { breakOf } from "./broken";
import type { KnownVpc } from "./planned-topology";
import { topologyInShadow, type VpcShadow } from "./vpc-shadow";

/** Conntrack entry of a host for a connection after its first packet. `allowed`: with the mark of connections that ACLs have allowed. */
type Tracked = "seen" | "allowed";

type Asked = Pick<VpcShadow, "trace" | "problem">;

/** Answers a question about a VPC: follows the first packet of the connection from host to host, and the reply. */
export async function askVpc(vpc: KnownVpc, shadow: Asked, { from, source, to, family, protocol }: Question): Promise<Answer> {
  const sender = from.kind === "workload" ? from.name : VIRTUAL_ROUTER;
  const packet: Packet = {
    family,
    source,
    destination: to.address,
    protocol: protocol.name === "icmp" && family === 6 ? "icmpv6" : protocol.name,
    port: protocol.name === "icmp" ? undefined : protocol.port,
  };
  const known = new Map<string, Tracked>();
  const first = await route(vpc, { from: sender, packet }, async (host, bridge, flow) => {
    const text = await shadow.trace(host, bridge, flow, []);
    const tracked = trackedIn(text);
    if (tracked !== undefined && known.get(host) !== "allowed") known.set(host, tracked);
    return text;
  });
  const there = pathOf(vpc, shadow, first, { from: sender, packet });
  if (there.outcome.kind === "unknown") return { reach: undefined, there, back: undefined, unknowns: [there.outcome.why] };
  if (there.outcome.kind === "lost") return { reach: false, there, back: undefined, unknowns: [] };
  const unknowns = passedRouter(first);
  if (to.kind !== "workload") return { reach: true, there, back: undefined, unknowns };
  const reply: Packet = { ...packet, source: packet.destination, destination: packet.source, reply: true };
  const second = await route(vpc, { from: to.name, packet: reply }, (host, bridge, flow) => traceReply(vpc, shadow, { host, bridge, flow }, known.get(host)));
  const back = pathOf(vpc, shadow, second, { from: to.name, packet: reply });
  const all = [...new Set([...unknowns, ...passedRouter(second)])];
  if (back.outcome.kind === "unknown") return { reach: undefined, there, back, unknowns: [...all, back.outcome.why] };
  return { reach: back.outcome.kind === (from.kind === "workload" ? "delivered" : "outside"), there, back, unknowns: all };
}

/** For each lookup of a packet; no packet meets more. */
const ESTABLISHED = Array.from({ length: 8 }, () => "trk,est,rpl");

/**
 * A reply on a host. ofproto/trace takes the connection's mark from the packet that it begins with, and loses it between bridges. So the
 * part from the logical router on is a trace of its own.
 */
async function traceReply(
  vpc: KnownVpc,
  shadow: Pick<VpcShadow, "trace">,
  { host, bridge, flow }: { readonly host: string; readonly bridge: string; readonly flow: string },
  tracked: Tracked | undefined,
): Promise<string> {
  const text = await shadow.trace(host, bridge, flow, tracked === undefined ? [] : ESTABLISHED);
  const [router, mac] = [routerBridge(vpc.name), vpc.routers.get(host)?.spec.mac];
  const tier = Object.values(vpc.topology.tiers).find(({ key }) => tierBridge(key) === bridge);
  const entry = text.indexOf(`\nbridge("${router}")\n`);
  if (tracked !== "allowed" || entry < 0 || mac === undefined || tier === undefined) return text;
  const inside = flow.replace(/^in_port="[^"]*"/, `in_port="${routerPatch(tier.key)}"`).replace(/dl_dst=[^,]*/, `dl_dst=${mac}`);
  const rest = await shadow.trace(host, router, `${inside},ct_mark=0x1`, ESTABLISHED);
  return text.slice(0, entry) + rest.slice(rest.indexOf("\n"));
}

function trackedIn(text: string): Tracked | undefined {
  const commits = [...text.matchAll(/^Datapath actions: .*$/gm)].flatMap(([line]) => [...line.matchAll(/ct\(commit[^)]*\)/g)].map(([commit]) => commit));
  if (commits.length === 0) return undefined;
  return commits.some((commit) => commit.includes("mark=0x1")) ? "allowed" : "seen";
}

interface Sent {
  readonly from: string;
  readonly packet: Packet;
}

function route(vpc: KnownVpc, { from, packet }: Sent, run: RunTrace): Promise<Route> {
  const topology = topologyInShadow(vpc.topology);
  const { workloads, virtualRouter } = topology;
  const receiver = Object.values(workloads).find(({ addresses }) => addresses.includes(packet.destination));
  const port = from === VIRTUAL_ROUTER ? virtualRouter.ports[receiver!.tier]! : workloads[from]!.port!;
  return routeOf({ vpc: { ...vpc, topology }, from, port, packet }, run);
}

function pathOf(vpc: KnownVpc, shadow: Asked, found: Route, sent: Sent): Path {
  const { source, destination } = sent.packet;
  const workloads = Object.values(vpc.topology.workloads);
  const tierOf = (address: string) => workloads.find(({ addresses }) => addresses.includes(address))?.tier;
  const between = { from: tierOf(source), to: tierOf(destination) };
  const broken = breakOf(found, vpc, sent.packet, shadow.problem.bind(shadow));
  const steps = found.segments.slice(0, broken?.segments).flatMap(({ host, steps: own, verdict }) => {
    const all = own.map((step) => vpcStep(vpc, host, between, step));
    return verdict.router === "dropped" ? withDrop(all) : all;
  });
  const router = routerOf(found);
  const outcome = broken === undefined ? outcomeOf(found, sent) : ({ kind: "lost", zone: broken.host, why: broken.why } as const);
  return { steps, outcome, source, destination, backends: [], ...(router !== undefined && { router }) };
}

function routerOf({ segments, virtualRouter }: Route): string | undefined {
  if (virtualRouter !== undefined) return `the virtual router of ${virtualRouter}`;
  const routed = segments.find(({ verdict }) => verdict.router === "routed");
  return routed && `the logical router of ${routed.host}`;
}

function outcomeOf(found: Route, { from, packet }: Sent): Path["outcome"] {
  const { outcome } = found;
  if (outcome.kind === "delivered") return { kind: "delivered", zone: outcome.host, port: outcome.to };
  if (outcome.kind === "outside") return { kind: "outside", zone: outcome.host, network: VIRTUAL_ROUTER };
  if (outcome.kind === "unknown") return { kind: "unknown", why: `host ${outcome.host}: ${outcome.why}` };
  return { kind: "lost", zone: outcome.host, why: sentenceOf(found, from, packet) };
}

/** The virtual router is another program. */
function passedRouter({ virtualRouter }: Route): string[] {
  return virtualRouter === undefined ? [] : [`the virtual router on "${virtualRouter}" is assumed to pass packets`];
}
