import { routerBridge, TIER_TABLE, tierBridge, tunnelPort } from "@pulumi-ovn/provider/tools";
import type { VpcTopology, VpcInState } from "../vpc/model";
import type { Emission, Headers } from "./datapath";
import { flowOf, type Packet, type Tunnel } from "./packet";
import { readTrace, type TraceStep } from "./trace-text";
import { type Verdict, verdictOf } from "./verdict";

/** Runs `ofproto/trace` on a host, and returns what it printed. */
export type RunTrace = (host: string, bridge: string, flow: string) => Promise<string>;

/** A packet's path on one host. */
export interface Segment {
  readonly host: string;
  readonly tier: string;
  readonly bridge: string;
  /** The port on which the packet arrived. */
  readonly port: string;
  /** Flows of the VPC's bridges that the packet matched, without the underlay's flows. */
  readonly steps: readonly TraceStep[];
  readonly verdict: Verdict;
  /** Set if port security has dropped the packet: it does not have the MAC or an address of its workload. */
  readonly portSecurity?: "dropped";
}

/** Final result for a packet. */
export type Outcome =
  /** To a workload, or to the virtual router itself. */
  | { readonly kind: "delivered"; readonly host: string; readonly to: string }
  /** To the virtual router, which routes it out of the VPC. */
  | { readonly kind: "outside"; readonly host: string }
  | { readonly kind: "dropped"; readonly host: string }
  /** The switch sends it, and not to where its destination is. */
  | { readonly kind: "lost"; readonly host: string; readonly why: string }
  /** A host could not be asked. */
  | { readonly kind: "unknown"; readonly host: string; readonly why: string };

export interface Route {
  readonly segments: readonly Segment[];
  /** The virtual router's host, where it is on the packet's way; what it does there is not known here. */
  readonly virtualRouter: string | undefined;
  readonly outcome: Outcome;
}

export interface Question {
  readonly vpc: VpcInState & { readonly topology: VpcTopology };
  /** Name of the workload that sends, or {@link VIRTUAL_ROUTER} for a packet from outside to a workload. */
  readonly from: string;
  /** The interface that it sends by. */
  readonly port: string;
  readonly packet: Packet;
}

interface Position {
  readonly host: string;
  readonly tier: string;
  readonly port: string;
  readonly headers: Headers;
  readonly tunnel?: Tunnel;
}

/** As `to` of an outcome: one of its own addresses. As a sender: a packet from outside. */
export const VIRTUAL_ROUTER = "the virtual router";

type Workload = VpcTopology["workloads"][string];

/** Initial TTL of common systems. */
const TTL = 64;

/** Longer than any way: into the virtual router and out of it, each over a tunnel. */
const MOST_SEGMENTS = 6;

/** Why a packet is lost that no port sends. */
export const LOOPS = "the packet loops";

const TIER_TABLES: ReadonlySet<number> = new Set(Object.values(TIER_TABLE));
const PORT_SECURITY: ReadonlySet<number> = new Set([TIER_TABLE.securedDiscovery, TIER_TABLE.securedSource]);

/** Follows a packet from host to host. */
export async function routeOf(question: Question, run: RunTrace): Promise<Route> {
  const { vpc, from, port, packet } = question;
  const { tiers, workloads, virtualRouter } = vpc.topology;
  const [target, receiver] = Object.entries(workloads).find(([, { addresses }]) => addresses.includes(packet.destination)) ?? [];
  const segments: Segment[] = [];
  let passed = from === VIRTUAL_ROUTER;
  let at = passed ? fromRouter(vpc, receiver!, port, TTL) : fromWorkload(vpc, workloads[from]!, port, receiver);
  const senderTier = at.tier;
  const end = (outcome: Outcome): Route => ({
    segments,
    virtualRouter: passed || outcome.kind === "outside" ? virtualRouter.host : undefined,
    outcome,
  });
  while (segments.length < MOST_SEGMENTS) {
    const { host } = at;
    let text: string;
    try {
      text = await run(host, tierBridge(tiers[at.tier]!.key), flowOf(packet, at.port, at.headers, at.tunnel));
    } catch (error) {
      return end({ kind: "unknown", host, why: (error as Error).message });
    }
    const { steps, sent } = readTrace(text, at.headers);
    const verdict = verdictOf(steps, vpc.routers.get(host), { from: senderTier, to: receiver?.tier });
    segments.push(segmentOf(vpc, at, steps, verdict, sent.length === 0));
    if (sent.length === 0) return end({ kind: "dropped", host });
    const next = sent.map((emission) => nextOf(vpc, throughTunnel(vpc, emission, host), host, receiver)).find((each) => each !== undefined);
    if (next === undefined) return end({ kind: "lost", host, why: sent.map(emissionText).join(", ") });
    if (next.kind === "workload") return end({ kind: "delivered", host, to: target! });
    if (next.kind === "tunnel") {
      at = next.position;
      continue;
    }
    if (receiver === undefined) return end(isGateway(vpc, packet.destination) ? { kind: "delivered", host, to: VIRTUAL_ROUTER } : { kind: "outside", host });
    const out = virtualRouter.ports[receiver.tier];
    passed = true;
    if (out === undefined)
      return end({ kind: "unknown", host, why: `the stack does not say by which interface the virtual router reaches tier "${receiver.tier}"` });
    at = fromRouter(vpc, receiver, out, next.headers.ttl);
  }
  return end({ kind: "lost", host: at.host, why: LOOPS });
}

type Vpc = Question["vpc"];

const isGateway = ({ topology }: Vpc, address: string): boolean => Object.values(topology.tiers).some(({ gateways }) => gateways.includes(address));

function fromWorkload({ topology: { tiers } }: Vpc, { host, tier, mac }: Workload, port: string, receiver: Workload | undefined): Position {
  return { host, tier, port, headers: { source: mac, destination: receiver?.tier === tier ? receiver.mac : tiers[tier]!.gatewayMac, ttl: TTL } };
}

/** @param ttl before the virtual router */
function fromRouter({ topology: { tiers, virtualRouter } }: Vpc, { tier, mac }: Workload, out: string, ttl: number): Position {
  return { host: virtualRouter.host, tier, port: out, headers: { source: tiers[tier]!.gatewayMac, destination: mac, ttl: ttl - 1 } };
}

function segmentOf(vpc: Vpc, { host, tier, port }: Position, steps: readonly TraceStep[], verdict: Verdict, isDropped: boolean): Segment {
  const isOfVpc = (bridge: string) => bridge === routerBridge(vpc.name) || Object.values(vpc.topology.tiers).some(({ key }) => bridge === tierBridge(key));
  // After conntrack the switch calls every bridge by the first one's name; tiers' bridges have few tables.
  const inPlace = (step: TraceStep): TraceStep => (!TIER_TABLES.has(step.table) && isOfVpc(step.bridge) ? { ...step, bridge: routerBridge(vpc.name) } : step);
  const last = steps.at(-1);
  const isInPortSecurity = last !== undefined && PORT_SECURITY.has(last.table) && last.cookie === vpc.switches.get(host)?.cookie;
  return {
    host,
    tier,
    bridge: tierBridge(vpc.topology.tiers[tier]!.key),
    port,
    steps: steps.map(inPlace).filter(({ bridge }) => isOfVpc(bridge)),
    verdict,
    ...(isDropped && isInPortSecurity && { portSecurity: "dropped" as const }),
  };
}

/** A switch in userspace without routes names a tunnel by its port. */
function throughTunnel(vpc: Vpc, { to, headers }: Emission, host: string): Emission {
  if (!("port" in to)) return { to, headers };
  for (const [remote, address] of Object.entries(vpc.switches.get(host)?.spec.remotes ?? {}))
    for (const { key } of Object.values(vpc.topology.tiers)) if (tunnelPort(key, remote) === to.port) return { to: { remote: address, key }, headers };
  return { to, headers };
}

type Next = { readonly kind: "tunnel"; readonly position: Position } | { readonly kind: "workload" } | { readonly kind: "router"; readonly headers: Headers };

/** Next position of an emitted packet, or its receiver. Undefined for flooded copies to other receivers, which ignore them. */
function nextOf({ topology, switches }: Vpc, { to, headers }: Emission, host: string, receiver: Workload | undefined): Next | undefined {
  const { tiers, virtualRouter } = topology;
  const toWorkload = receiver !== undefined && headers.destination === receiver.mac;
  const home = toWorkload ? receiver.host : Object.values(tiers).some(({ gatewayMac }) => gatewayMac === headers.destination) ? virtualRouter.host : undefined;
  if (home === undefined) return undefined;
  if ("port" in to) {
    const ports = toWorkload ? (receiver.port === undefined ? undefined : [receiver.port]) : Object.values(virtualRouter.ports);
    // Without a declared port, any port that the hypervisor has added counts, but not the bridge's own port.
    const here =
      home === host &&
      (ports === undefined || ports.length === 0 ? !Object.values(tiers).some(({ key }) => tierBridge(key) === to.port) : ports.includes(to.port));
    return here ? (toWorkload ? { kind: "workload" } : { kind: "router", headers }) : undefined;
  }
  const remote = [...switches.values()].find(({ spec }) => spec.tunnelAddress === to.remote)?.spec;
  const tier = Object.keys(tiers).find((name) => tiers[name]!.key === to.key);
  if (remote?.host !== home || tier === undefined) return undefined;
  const own = switches.get(host)!.spec.tunnelAddress;
  return { kind: "tunnel", position: { host: home, tier, port: tunnelPort(to.key, host), headers, tunnel: { from: own, to: to.remote, key: to.key } } };
}

function emissionText({ to, headers }: Emission): string {
  return `${"port" in to ? `port ${to.port}` : `the tunnel to ${to.remote}`} (for ${headers.destination})`;
}
