import { OperationError } from "@pulumi-ovn/ovsdb-client";
import { RowError } from "../errors";
import { claimConditions } from "../plan/guards";
import { rowsOf, select } from "../../../targets/select";
import { isOfStack, rowsInside } from "./inside";
import { leftOutAdvice } from "./left-out";
import { namedRow } from "./named-row";
import { renameAdvice } from "./renamed";
import { RowRefusal, type Step, type Subject } from "../plan/steps";
import type { OwnerScope } from "../live/survey";
import type { Target } from "../live/target";

/** Attempts in which an unexpected row may be a coincidence. */
const SAME_TIME = 3;

/** Failures after which the live rows must be read again: another writer was faster, or our own lost write succeeded. */
export function isRace(error: unknown, steps: readonly Step[], attempt: number): boolean {
  if (!(error instanceof OperationError)) return false;
  if (error.error === "duplicate uuid") return true;
  // Two make a row at the same time that they will have together.
  if (error.error === "constraint violation" && attempt < SAME_TIME) return steps.some(({ subject }) => subject.kind === "joint");
  const kind = error.error === "timed out" && typeof error.operationIndex === "number" ? steps[error.operationIndex]?.subject.kind : undefined;
  return kind === "exists" || kind === "shared" || kind === "joint";
}

type Scope = OwnerScope & Pick<Target, "former">;

/** Turns a failure of the planner or server into an error that names the row, its owner, and the remedy. */
export async function explain(error: unknown, steps: readonly Step[], scope: Scope): Promise<unknown> {
  if (error instanceof RowRefusal) return refusal(error, scope);
  if (!(error instanceof OperationError)) return error;
  const step = typeof error.operationIndex === "number" ? steps[error.operationIndex] : undefined;
  if (step && error.error === "timed out") return failedGuard(step.subject, error, steps, scope);
  if (error.error === "constraint violation") return constraint(error, step, scope);
  const about = step && "row" in step.subject ? step.subject.row.label : undefined;
  if (error.error === "referential integrity violation") {
    return new RowError(
      "OVN_REFERENCED",
      `${about ?? "a row"} is still referenced, or refers to a deleted row: ${error.details}; delete the referring row, or run "pulumi up --refresh"`,
      about,
      {
        cause: error,
      },
    );
  }
  const hint = error.hint === undefined ? "" : ` (${error.hint})`;
  return new RowError("OVN_DATABASE", `${about ? `${about}: ` : ""}${error.error}: ${error.details}${hint}`, about, { cause: error });
}

async function refusal(error: RowRefusal, scope: Scope): Promise<RowError> {
  const { label } = error.row;
  switch (error.reason) {
    case "foreign":
      return new RowError("OVN_FOREIGN_ROW", `${label} belongs to ${error.details[0]}; remove it there first`, label);
    case "immutable":
      return new RowError("OVN_IMMUTABLE", `${label}: column "${error.details[0]}" can't change in a row that exists; give the row another name`, label);
    case "unlisted":
      return new RowError(
        "OVN_PARENT_MISSING",
        `${label}: no row lists it, so the database would delete it immediately; give it a parent, or have another row of the resource refer to it`,
        label,
      );
    case "not-empty": {
      const [first] = await rowsInside(error, scope);
      const more = error.details.length > 1 ? ` and ${error.details.length - 1} more` : "";
      const advice = isOfStack(first?.manager, scope.owner)
        ? `run "pulumi up" again, and with --target add --target '${first!.manager}'`
        : "remove what others put there first";
      return new RowError("OVN_NOT_EMPTY", `${label} still holds ${first?.text ?? error.details[0]}${more}, which would vanish with it; ${advice}`, label);
    }
  }
}

async function failedGuard(subject: Subject, error: OperationError, steps: readonly Step[], scope: Scope): Promise<RowError> {
  const { client, schema, owner, call } = scope;
  switch (subject.kind) {
    case "parent": {
      const missing = `${subject.row.label}: its parent ${subject.parent.label} does not exist`;
      return new RowError("OVN_PARENT_MISSING", `${missing}; ${await parentAdvice(steps, scope)}`, subject.row.label, { cause: error });
    }
    case "empty":
      return new RowError("OVN_NOT_EMPTY", `${subject.row.label} holds rows of others, which would vanish with it; remove them first`, subject.row.label, {
        cause: error,
      });
    case "claim": {
      const { claim, row } = subject;
      const column = schema.table(claim.table).column(claim.column);
      const [result] = await client.transact([select(claim.table, claimConditions(row, claim, column, owner), ["_uuid"])], call);
      const uuid = (rowsOf(result)[0]?._uuid as [string, string] | undefined)?.[1];
      const { text, advice } = uuid ? await holderOf(claim.table, uuid, scope) : { text: `another row of ${claim.table}`, advice: "" };
      const what = claim.what ?? (claim.key === undefined ? `${claim.column}=${claim.value}` : `${claim.column}:${claim.key}=${claim.value}`);
      const about = claim.what === undefined ? `${row.label}: ` : "";
      return new RowError("OVN_CLAIMED", `${about}${what} is held by ${text}; ${advice}choose another value, or remove that row`, row.label, {
        cause: error,
      });
    }
    default:
      return new RowError("OVN_CONTENTION", `"${subject.kind}" no longer holds`, undefined, { cause: error });
  }
}

async function parentAdvice(steps: readonly Step[], { former, ...zone }: Scope): Promise<string> {
  const parents = new Map(steps.flatMap(({ subject }) => (subject.kind === "parent" ? [[subject.parent.uuid, subject.parent] as const] : [])));
  const leftOut = former && (await leftOutAdvice([...parents.values()], former, zone));
  return leftOut ?? "if the database was restored from a backup, run `pulumi up --refresh`, without --target";
}

/** Index violations name the UUIDs of both rows; the one that was there before is the one to talk about. */
async function constraint(error: OperationError, step: Step | undefined, scope: OwnerScope): Promise<RowError> {
  const about = step && "row" in step.subject ? step.subject.row.label : undefined;
  const details = error.details ?? "";
  const table = /multiple rows in "([^"]+)" table/.exec(details)?.[1];
  const value = /identical values \((.*)\) for index/.exec(details)?.[1];
  const existing = /row, with UUID ([0-9a-f-]{36}), existed in the database/.exec(details)?.[1];
  if (table && existing) {
    const { text, advice } = await holderOf(table, existing, scope);
    return new RowError("OVN_NAME_TAKEN", `${table} ${value} exists already: ${text}; ${advice}choose another name, or remove that row`, `${table} ${value}`, {
      cause: error,
    });
  }
  return new RowError("OVN_CONSTRAINT", `${about ? `${about}: ` : ""}${details}`, about, { cause: error });
}

/** A row that is in the way, and what to do if it is the resource's own, under the name that the resource had before. */
async function holderOf(table: string, uuid: string, scope: OwnerScope): Promise<{ text: string; advice: string }> {
  const { text, manager } = await namedRow(table, uuid, scope);
  return { text, advice: manager === undefined ? "" : renameAdvice(scope.owner, manager) };
}
