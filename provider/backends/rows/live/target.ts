import type { CallOptions, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { FormerZone } from "../engine/left-out";
import type { Adopted } from "../set/resolve";

/** Database and owner of a write. */
export interface Target {
  readonly client: OvsdbClient;
  /** The resource's URN; its rows carry it in `external_ids:pulumi-ovn:owner`. */
  readonly owner: string;
  /** Rows that were taken over, and so have UUIDs of their own. */
  readonly adopted?: Adopted;
  /** Those of `adopted` that were found under other UUIDs than the state has; see `movedRows`. */
  readonly moved?: Adopted | undefined;
  /** Other owners whose rows may be taken over. */
  readonly managers?: readonly string[];
  /** Zone of the resource before its replacement. */
  readonly former?: FormerZone | undefined;
  readonly call?: CallOptions;
}
