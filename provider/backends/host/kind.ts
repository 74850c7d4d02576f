import type { Kind, Outputs } from "../contract/kind";
import type { HostArgs } from "../flows/kind";
import type { HostSet } from "./set";

/** Rendered arguments of a kind of bridges, ports and flows. */
export interface HostRendered extends Outputs, HostSet {}

/** A kind of resource that consists of bridges, ports and flows of one host. */
export interface HostKind<Args extends HostArgs, Facts = void> extends Kind<Args, HostRendered, Facts> {
  readonly backend: "host";
}
