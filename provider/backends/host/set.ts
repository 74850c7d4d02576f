import type { FlowSet } from "../flows/set";
import type { RowSet } from "../rows/set";

/**
 * Rows of one host's Open vSwitch database, and flows on bridges, which are written after the rows and removed
 * before them.
 */
export interface HostSet {
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
  readonly desired?: HostSet;
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
