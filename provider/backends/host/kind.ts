import type { FlowSet, HostArgs } from "../flows/set";
import type { Kind, Outputs } from "../contract/kind";
import type { RowSet } from "../rows/set";

/**
 * Desired state of a kind on one host: rows of its Open vSwitch database, and flows on bridges, which are written after the rows and removed
 * before them.
 */
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
  /** Reason of a fallback that does not depend on the host. */
  readonly held?: string;
}

/** Alternative desired state while a foreign part does not work. */
export interface Fallback {
  /** Interfaces that all flows rely on. */
  readonly interfaces: readonly string[];
  readonly flows: FlowSet;
  /** Argument path of the interfaces, for the warning. */
  readonly path: string;
  /** Meaning of the fallback: "the logical router is disabled". */
  readonly what: string;
}

/** A kind of resource that consists of bridges, ports and flows of one host. */
export interface HostKind<Args extends HostArgs, Facts = void> extends Kind<Args, HostRendered, Facts> {
  readonly backend: "host";
}
