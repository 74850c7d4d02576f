import type { RowKind, ZoneArgs } from "../../backends/rows/kind";
import { RowBackend } from "../../backends/rows/backend";
import { lazily } from "../../kit/memo/lazily";
import type { AnyKind } from "../../kinds/define";
import { kinds } from "../../kinds/table";
import type { Handler } from "./handler";
import { ResourceHandler } from "./resource-handler";

/** Serves a kind by its back end, which is loaded with the first kind that needs it. */
function handlerOf(kind: AnyKind): Handler {
  switch (kind.backend) {
    case "rows":
      return rowHandler(kind);
    case "flows":
      return new ResourceHandler(kind, new (require("../../backends/flows/backend") as typeof import("../../backends/flows/backend")).FlowBackend());
    case "host":
      return new ResourceHandler(kind, new (require("../../backends/host/backend") as typeof import("../../backends/host/backend")).HostBackend());
    case "objects":
      return new ResourceHandler(kind, new (require("../../backends/objects/backend") as typeof import("../../backends/objects/backend")).ObjectBackend());
  }
}

/** Serves a kind that consists of rows. */
export function rowHandler<Facts = void>(kind: RowKind<never, Facts>) {
  return new ResourceHandler(fitted(kind), new RowBackend(kind.database, kind.extent));
}

/** Adapts a kind to the schemas of databases, if some of its arguments depend on them. */
function fitted<Facts>(kind: RowKind<never, Facts>): RowKind<never, Facts> {
  const { misfits, database } = kind;
  if (!misfits) return kind;
  const { fitting } = require("../../backends/rows/database/fitting") as typeof import("../../backends/rows/database/fitting");
  return {
    ...kind,
    fitting: (args: ZoneArgs, access) => fitting(database, args.zone, (schema) => misfits(args as never, schema, access.adopts === true), access),
  };
}

const served = Object.keys(kinds).map((name) => [name, () => handlerOf(kinds[name as keyof typeof kinds] as unknown as AnyKind)] as const);

/** The handler of each resource kind, by the last part of its type token. The last four write to no target. */
export const handlers: Readonly<Record<string, Handler>> = lazily({
  ...Object.fromEntries(served),
  AddressPool: () => (require("./address-pool") as typeof import("./address-pool")).addressPool,
  NetworkMembers: () => new (require("./network-members") as typeof import("./network-members")).NetworkMembersHandler(),
  Propagation: () => new (require("./propagation") as typeof import("./propagation")).PropagationHandler(),
  TunnelKeyPool: () => (require("./tunnel-key-pool") as typeof import("./tunnel-key-pool")).tunnelKeyPool,
});
