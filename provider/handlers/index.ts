import type { RowKind } from "../kind";
import { kinds } from "../topology";
import { addressPool } from "./address-pool";
import type { Handler } from "./handler";
import { PropagationHandler } from "./propagation";
import { RowHandler } from "./row-handler";
import { tunnelKeyPool } from "./tunnel-key-pool";

/** The handler of each resource kind, by the last part of its type token. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.name, new RowHandler(kind as unknown as RowKind<never>)])),
  AddressPool: addressPool,
  Propagation: new PropagationHandler(),
  TunnelKeyPool: tunnelKeyPool,
};
