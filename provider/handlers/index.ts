import { FlowBackend } from "../flows/backend";
import type { FlowKind } from "../flows/flow-set";
import { HostBackend } from "../host/backend";
import type { HostKind } from "../host/kind";
import type { ObjectKind, RowKind } from "../kind";
import { exposureKinds } from "../exposure";
import { routeAdvertisement } from "../advertisement/kind";
import { objectKinds } from "../objects";
import { ObjectBackend } from "../objects/backend";
import { RowBackend } from "../rows/backend";
import { flowKinds, kinds } from "../topology";
import { hostKinds } from "../vpc";
import { addressPool } from "./address-pool";
import type { Handler } from "./handler";
import { NetworkMembersHandler } from "./network-members";
import { PropagationHandler } from "./propagation";
import { ResourceHandler } from "./resource-handler";
import { RouteAdvertisementHandler } from "./route-advertisement";
import { tunnelKeyPool } from "./tunnel-key-pool";

/** Serves a kind that consists of rows. */
export function rowHandler<Facts = void>(kind: RowKind<never, Facts>) {
  return new ResourceHandler(kind, new RowBackend(kind.database, kind.extent));
}

/** Serves a kind that consists of flows. */
export function flowHandler(kind: FlowKind<never>) {
  return new ResourceHandler(kind, new FlowBackend());
}

/** Serves a kind that consists of bridges, ports and flows of a host. */
export function hostHandler<Facts>(kind: HostKind<never, Facts>) {
  return new ResourceHandler(kind, new HostBackend());
}

/** Serves a kind that consists of Kubernetes objects. */
export function objectHandler<Facts>(kind: ObjectKind<never, Facts>) {
  return new ResourceHandler(kind, new ObjectBackend());
}

/** The handler of each resource kind, by the last part of its type token. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.name, rowHandler(kind as unknown as RowKind<never>)])),
  ...Object.fromEntries(Object.values(flowKinds).map((kind) => [kind.name, flowHandler(kind as unknown as FlowKind<never>)])),
  ...Object.fromEntries(Object.values(hostKinds).map((kind) => [kind.name, hostHandler(kind as unknown as HostKind<never>)])),
  ...Object.fromEntries(Object.values(objectKinds).map((kind) => [kind.name, objectHandler(kind as unknown as ObjectKind<never>)])),
  ...Object.fromEntries(Object.values(exposureKinds).map((kind) => [kind.name, rowHandler(kind as unknown as RowKind<never, unknown>)])),
  RouteAdvertisement: new RouteAdvertisementHandler(new ResourceHandler(routeAdvertisement, new ObjectBackend())),
  AddressPool: addressPool,
  NetworkMembers: new NetworkMembersHandler(),
  Propagation: new PropagationHandler(),
  TunnelKeyPool: tunnelKeyPool,
};
