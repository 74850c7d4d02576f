import { exposureKinds, flowKinds, hostKinds, kinds, objectKinds } from "../../kinds/table";
import type { FlowKind } from "../../backends/flows/flow-set";
import type { HostKind } from "../../backends/host/kind";
import type { ClusterArgs, ObjectKind, RowKind, ZoneArgs } from "../../backends/contract/kind";
import { lazily } from "../../kit/memo/lazily";
import { RowBackend } from "../../backends/rows/backend";
import type { Handler } from "./handler";
import { ResourceHandler } from "./resource-handler";

/** Serves a kind that consists of rows. */
export function rowHandler<Facts = void>(kind: RowKind<never, Facts>) {
  return new ResourceHandler(fitted(kind), new RowBackend(kind.database, kind.extent));
}

/** Adapts a kind to the schemas of databases, if some of its arguments depend on them. */
function fitted<Facts>(kind: RowKind<never, Facts>): RowKind<never, Facts> {
  const { misfits, database } = kind;
  if (!misfits) return kind;
  const { fitting } = require("../../backends/rows/fitting") as typeof import("../../backends/rows/fitting");
  return {
    ...kind,
    fitting: (args: ZoneArgs, world) => fitting(database, args.zone, (schema) => misfits(args as never, schema, world.adopts === true), world),
  };
}

/** Serves a kind that consists of flows. */
function flowHandler(kind: FlowKind<never>) {
  const { FlowBackend } = require("../../backends/flows/backend") as typeof import("../../backends/flows/backend");
  return new ResourceHandler(kind, new FlowBackend());
}

/** Serves a kind that consists of bridges, ports and flows of a host. */
function hostHandler<Facts>(kind: HostKind<never, Facts>) {
  const { HostBackend } = require("../../backends/host/backend") as typeof import("../../backends/host/backend");
  return new ResourceHandler(kind, new HostBackend());
}

/** Serves a kind that consists of Kubernetes objects. */
function objectHandler<Args extends ClusterArgs, Facts>(kind: ObjectKind<Args, Facts>) {
  const { ObjectBackend } = require("../../backends/objects/backend") as typeof import("../../backends/objects/backend");
  return new ResourceHandler(kind, new ObjectBackend());
}

/** Returns handlers by the names of kinds, which are loaded with the handler. */
function served(table: Readonly<Record<string, unknown>>, serve: (kind: never) => Handler): Record<string, () => Handler> {
  return Object.fromEntries(Object.keys(table).map((name) => [name, () => serve(table[name] as never)]));
}

/** The handler of each resource kind, by the last part of its type token. */
export const handlers: Readonly<Record<string, Handler>> = lazily({
  ...served(kinds, rowHandler),
  ...served(flowKinds, flowHandler),
  ...served(hostKinds, hostHandler),
  ...served(objectKinds, objectHandler),
  ...served(exposureKinds, rowHandler),
  RouteAdvertisement: () =>
    new (require("./route-advertisement") as typeof import("./route-advertisement")).RouteAdvertisementHandler(objectHandler(objectKinds.RouteAdvertisement)),
  AddressPool: () => (require("./address-pool") as typeof import("./address-pool")).addressPool,
  NetworkMembers: () => new (require("./network-members") as typeof import("./network-members")).NetworkMembersHandler(),
  Propagation: () => new (require("./propagation") as typeof import("./propagation")).PropagationHandler(),
  TunnelKeyPool: () => (require("./tunnel-key-pool") as typeof import("./tunnel-key-pool")).tunnelKeyPool,
});
