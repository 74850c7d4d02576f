import type { FlowSet, HostArgs } from "../flows/flow-set";
import type { Kind, Outputs } from "../contract/kind";
import type { RowSet } from "../rows/rowset";

/** What a kind has on one host: rows of its Open vSwitch database, and flows on bridges, which come after the rows and go before them. */
export interface HostRendered extends Outputs {
  readonly rows: RowSet;
  readonly flows: FlowSet;
  /** Interfaces of `rows` that must work; without one of them the write fails, before any flow is written. */
  readonly working?: readonly string[];
  /** OpenFlow port numbers that flows know interfaces of `rows` by; where the switch has given another one, the write fails. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly fallback?: Fallback;
  /** Rows and flows that the host's agent restores between updates. Default: none. */
  readonly agent?: AgentPart;
}

/** Data for the host's agent in addition to what an update writes. */
export interface AgentPart {
  /** Rows and flows while every tunnel works. Default: those of the update. */
  readonly desired?: HostRendered;
  /** Why the fallback is in force whatever the host itself sees. */
  readonly held?: string;
}

/** What is written instead while something that is not the resource's own does not work. */
export interface Fallback {
  /** Interfaces that all flows rely on. */
  readonly interfaces: readonly string[];
  readonly flows: FlowSet;
  /** Path of the argument that says which interfaces, for the warning. */
  readonly path: string;
  /** What that means: "the logical router is disabled". */
  readonly what: string;
}

/** A kind of resource that consists of bridges, ports and flows of one host. */
export interface HostKind<Args extends HostArgs, Facts = void> extends Kind<Args, HostRendered, Facts> {
  readonly backend: "host";
}
