import type { DatabaseSchema, Operation } from "@pulumi-ovn/ovsdb-client";
import type { Memory } from "../marks/owned-columns";
import type { LiveRow, Snapshot } from "../database/row";
import { ownerIn } from "../marks/ownership";
import type { ParentReference, ResolvedParent, ResolvedRow } from "../set/resolve";
import type { Claim, DesiredRow } from "../set";

/** Subject of an operation, by which a failure is explained. */
export type Subject =
  | { readonly kind: "comment" }
  | { readonly kind: "exists" | "write"; readonly row: ResolvedRow }
  | { readonly kind: "parent"; readonly row: ResolvedRow; readonly parent: ResolvedParent }
  | { readonly kind: "claim"; readonly row: ResolvedRow; readonly claim: Claim }
  | { readonly kind: "empty"; readonly row: ResolvedRow }
  | { readonly kind: "shared" | "joint"; readonly label: string };

export interface Step {
  readonly operation: Operation;
  readonly subject: Subject;
}

/** Live or assumed state of the database. */
export interface Survey {
  /** Rows that exist, of those that are desired or go. */
  readonly live: Snapshot;
  /** Rows of this resource that exist and are not desired any more. */
  readonly removals: readonly ResolvedRow[];
  /** Rows that exist and are not in the set of their parent. */
  readonly astray: readonly ResolvedRow[];
  /** Sets that rows are in which go, or which belong into another set. */
  readonly leaving: readonly ParentReference[];
  /** UUIDs of others' rows that may go with the rows that hold them. */
  readonly carried: ReadonlySet<string>;
}

export interface PlanInput extends Survey, Memory {
  readonly schema: DatabaseSchema;
  /** Other owners whose rows may be taken over. */
  readonly managers: readonly string[];
  /** Rows that must exist afterwards. */
  readonly desired: readonly ResolvedRow[];
  /** Rows that would vanish as they come; see `unlistedRows`. */
  readonly unlisted?: ReadonlySet<DesiredRow>;
}

/** A row that can't be written, found before anything is sent. */
export class RowRefusal extends Error {
  constructor(
    readonly reason: "foreign" | "immutable" | "not-empty" | "unlisted",
    readonly row: ResolvedRow,
    /** foreign: the owner; immutable: the column; not-empty: UUIDs of the rows inside. */
    readonly details: readonly string[],
  ) {
    super(`${reason}: ${row.label}`);
  }
}

/** Throws a RowRefusal for a row that another owner marked since. */
export function refuseForeign({ owner, managers }: PlanInput, row: ResolvedRow, live: LiveRow): void {
  const marked = ownerIn(live);
  if (marked === undefined || marked === owner || managers.includes(marked)) return;
  throw new RowRefusal("foreign", row, [marked]);
}
