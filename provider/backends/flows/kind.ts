import type { Kind, Outputs } from "../contract/kind";
import type { FlowSet } from "./set";

/** Arguments that every kind of flows has. */
export interface HostArgs {
  /** Name of the host, a key of `hosts` in the file of targets. */
  host: string;
}

/** Rendered arguments of a kind of flows. */
export interface FlowRendered extends Outputs {
  readonly set: FlowSet;
}

/** A kind of resource that consists of flows on a host's bridges. */
export interface FlowKind<Args extends HostArgs, Facts = void> extends Kind<Args, FlowRendered, Facts> {
  readonly backend: "flows";
}
