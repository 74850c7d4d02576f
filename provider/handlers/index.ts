import type { RowKind } from "../kind";
import { RowBackend } from "../rows/backend";
import { kinds } from "../topology";
import { addressPool } from "./address-pool";
import type { Handler } from "./handler";
import { PropagationHandler } from "./propagation";
import { ResourceHandler } from "./resource-handler";
import { tunnelKeyPool } from "./tunnel-key-pool";

/** Serves a kind that consists of rows. */
export function rowHandler(kind: RowKind<never>) {
  return new ResourceHandler(kind, new RowBackend(kind.database));
}

/** The handler of each resource kind, by the last part of its type token. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.name, rowHandler(kind as unknown as RowKind<never>)])),
  AddressPool: addressPool,
  Propagation: new PropagationHandler(),
  TunnelKeyPool: tunnelKeyPool,
};
