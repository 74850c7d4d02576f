import { setTimeout } from "node:timers/promises";
import { stackOf } from "../../../kit/identity";
import type { OwnerScope } from "../live/survey";
import type { RowRefusal } from "../plan/steps";
import { namedRows, type NamedRow } from "./named-row";

/** Milliseconds in which another resource of the stack deletes its rows, if Pulumi deletes it at the same time. */
const DELETION = 10_000;

/** Milliseconds between two looks. */
const PAUSE = 200;

/** Rows that are looked up of those inside. */
const MOST = 8;

/** Rows that a row to be deleted holds. Rows that were deleted since are left out. */
export function rowsInside({ row, details }: RowRefusal, scope: OwnerScope): Promise<NamedRow[]> {
  const tables = new Set([...scope.schema.table(row.table).columns.values()].map(({ type }) => type.key.refTable).filter((name) => name !== undefined));
  return namedRows(
    details.slice(0, MOST).flatMap((uuid) => [...tables].map((table) => ({ table, uuid }))),
    scope,
  );
}

/** Whether the owner of a row is a resource of the same stack. */
export function isOfStack(manager: string | undefined, owner: string): boolean {
  return manager?.startsWith("urn:pulumi:") === true && stackOf(manager) === stackOf(owner);
}

/**
 * Waits until other resources of the stack have deleted their rows inside a row that is to be deleted. Pulumi does not order the deletion of
 * what an interrupted replacement left: it deletes a switch and the resources in it at the same time. Returns false if a row has another owner,
 * or stays.
 */
export async function isEmptied(refusal: RowRefusal, scope: OwnerScope): Promise<boolean> {
  const until = performance.now() + DELETION;
  for (;;) {
    const inside = await rowsInside(refusal, scope);
    if (inside.length === 0) return true;
    if (!inside.every(({ manager }) => isOfStack(manager, scope.owner)) || performance.now() > until || scope.call.signal?.aborted) return false;
    await setTimeout(PAUSE);
  }
}
