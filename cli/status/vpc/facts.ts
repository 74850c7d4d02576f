/** States of bridges, tunnels and logical routers, as `--json` prints them. */

/**
 * "up"; "missing": no row, or no port of its bridge; "error": the switch can't make it, or its row has been changed; "ports": a workload's
 * port is not on it; "flows": flows that should be there are not, or the switch does not answer; "unknown": the host was not reached.
 */
type BridgeState = "up" | "missing" | "error" | "ports" | "flows" | "unknown";

/** "error": the switch can't make it, or its row has been changed; "down": the switch has made it, and its link or BFD is down. */
export type TunnelState = "up" | "missing" | "error" | "down" | "unknown";

/**
 * State of a logical router.
 * - "enabled": all redirect flows exist
 * - "disabled": by `enabled: false`
 * - "fallback": a tunnel does not work, so the provider has removed the redirect flows
 * - "missing": no bridge
 * - "no-redirects": redirect flows are missing for an unknown reason
 * - "flows": other flows of the logical router are missing or wrong
 * - "unexpected": it should be disabled, but has redirect flows
 * - "unknown": the host was not reached
 */
export type RouterState = "enabled" | "disabled" | "fallback" | "missing" | "no-redirects" | "flows" | "unexpected" | "unknown";

/** "problems": it runs, and can't restore everything; "silent": none answers; "unknown": the host was not reached. */
type AgentState = "running" | "problems" | "silent" | "unknown";

/** A state with a reason. */
export interface StateWithDetail<State extends string> {
  readonly state: State;
  readonly detail?: string;
}

export interface BridgeFacts extends StateWithDetail<BridgeState> {
  readonly host: string;
  readonly tier: string;
  readonly bridge: string;
}

export interface TunnelEnd extends StateWithDetail<TunnelState> {
  readonly host: string;
  readonly interface: string;
}

/** The tunnel of a tier between two hosts; the worse of its ends is its state. */
export interface TunnelFacts {
  readonly tier: string;
  readonly state: TunnelState;
  readonly ends: readonly [TunnelEnd, TunnelEnd];
}

/** Facts of every host except the virtual router's host. */
export interface RouterFacts extends StateWithDetail<RouterState> {
  readonly host: string;
  readonly bridge: string;
}

/** The agent of a host, of a VPC that has agents. */
export interface AgentFacts extends StateWithDetail<AgentState> {
  readonly host: string;
  /** Rows and bridges that it has restored since it started. */
  readonly restored: number | null;
  readonly lastChange: string | null;
}

/** Packets of a tier that a host has dropped since the dropping flows were written. Leaves out hosts that have no such flows or do not answer. */
export interface Drops {
  readonly host: string;
  readonly tier: string;
  /** From workloads of the tier, with sources that are not theirs. */
  readonly portSecurity?: number;
  /** From the tier and to it, by the rules and the end of its ACL list. */
  readonly egressAcl?: number;
  readonly ingressAcl?: number;
}

/** Unreachable parts of a host: its database or its programs. */
export interface HostFacts {
  readonly host: string;
  readonly reached: boolean;
  readonly detail?: string;
}

export interface VpcFacts {
  readonly name: string;
  readonly virtualRouter: string | null;
  readonly tiers: readonly string[];
  readonly hosts: readonly HostFacts[];
  readonly bridges: readonly BridgeFacts[];
  readonly tunnels: readonly TunnelFacts[];
  readonly routers: readonly RouterFacts[];
  readonly drops: readonly Drops[];
  readonly agents: readonly AgentFacts[];
}

const FINE: ReadonlySet<string> = new Set(["up", "enabled", "disabled", "running"]);

/** Whether the state is a problem. Unknown states are reported at their host. */
export function isProblem({ state }: { readonly state: string }): boolean {
  return !FINE.has(state) && state !== "unknown";
}
