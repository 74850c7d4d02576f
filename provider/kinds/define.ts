import type { ClusterArgs, ObjectKind } from "../backends/objects/kind";
import type { RowKind, ZoneArgs } from "../backends/rows/kind";
import type { FlowKind, HostArgs } from "../backends/flows/kind";
import type { HostKind } from "../backends/host/kind";

/** Any kind, whatever its arguments and facts. `backend` names the back end that writes its resources. */
export type AnyKind = RowKind<never, never> | FlowKind<never, never> | HostKind<never, never> | ObjectKind<never, never>;

/** Defines a kind of resource. The schema gives `render` the type of its arguments, `observe` the type of its facts. */
export function defineKind<Args extends ZoneArgs, Facts = void>(kind: RowKind<Args, Facts>): RowKind<Args, Facts>;
export function defineKind<Args extends HostArgs, Facts = void>(kind: FlowKind<Args, Facts>): FlowKind<Args, Facts>;
export function defineKind<Args extends HostArgs, Facts = void>(kind: HostKind<Args, Facts>): HostKind<Args, Facts>;
export function defineKind<Args extends ClusterArgs, Facts = void>(kind: ObjectKind<Args, Facts>): ObjectKind<Args, Facts>;
export function defineKind<Kind>(kind: Kind): Kind {
  return kind;
}
