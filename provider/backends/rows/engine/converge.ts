import { setTimeout } from "node:timers/promises";
import { AbortError, ConnectionError, OperationError, OutcomeUnknownError, TimeoutError, type DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { changed, type Assumption, type Versions } from "../set/versions";
import { planContributions } from "../shared/plan";
import { observeShared, resolveContributions } from "../shared/contributions";
import type { Target } from "../live/target";
import { RowError } from "../errors";
import { explain, isRace } from "./explain";
import { isEmptied } from "./inside";
import { type Extent, extentTables } from "../marks/extent";
import { lookupNames, requireName } from "../set/names";
import { ungrouped, changedGroups, extentApart, jointGroups } from "../joint/groups";
import { observeJoint } from "../joint/observe";
import { planJoint } from "../joint/plan";
import { plan } from "../plan";
import { movedRows } from "../live/moved";
import { existing } from "../live/observe";
import { ask } from "../database/query";
import { type Adopted, namesIn, resolveRows, rowUuids, type ResolvedRow } from "../set/resolve";
import type { DesiredRow, RowSet } from "../set";
import { slices } from "../set/slices";
import { RowRefusal, type Step, type Survey } from "../plan/steps";
import { absent, careful, unchanged, type OwnerScope, type Search, type Versions as ResolvedVersions } from "../live/survey";
import { unlistedRows } from "../set/unlisted";
import type { Memory } from "../marks/owned-columns";
import { ownByTable, type Written } from "../marks/written";

/** How often other writers may come between reading and writing before it counts as a failure. */
const ATTEMPTS = 12;

/** Milliseconds to stay away at most after the first time; twice as long after each further one, so that writers of one row get out of step. */
const BACKOFF = 2;

/** Transactions of a very large set that are in progress at the same time. */
const PIPELINE = 4;

type Content = Pick<RowSet, "rows" | "contributions">;

const NOTHING: Content = { rows: [] };

/** Desired rows, and knowledge about previous ones. */
export interface Change {
  readonly desired: Content;
  readonly previous?: Content | undefined;
  readonly extent?: Extent | undefined;
  readonly written?: Written | undefined;
  readonly leavesOthers?: true | undefined;
}

/** Attempts until the desired rows stand. Throws a RowError when they can't. Returns the rows that have moved; see `movedRows`. */
export async function converge(known: Target, schema: DatabaseSchema, change: Change, assumption: Assumption | undefined): Promise<Adopted> {
  let target = known;
  const call = target.call ?? {};
  const { desired, previous = NOTHING } = change;
  let assumed = assumption;
  const versions = { desired: ungrouped(desired.rows), previous: ungrouped(previous.rows) };
  const unlisted = unlistedRows(schema, desired);
  let last: unknown;
  let unknown: OutcomeUnknownError | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rows = assumed === "unchanged" ? changed(versions) : versions;
    const failure = await write(target, schema, change, { ...rows, unlisted }, assumed).catch((error: unknown) => {
      throw unread(error, unknown);
    });
    if (failure === undefined) return target.moved ?? {};
    if ("moved" in failure) {
      target = { ...target, adopted: { ...target.adopted, ...failure.moved }, moved: { ...target.moved, ...failure.moved } };
      continue;
    }
    const error = unread(failure.error, unknown);
    unknown = error instanceof OutcomeUnknownError ? error : undefined;
    if (unknown && (unknown !== failure.error || call.signal?.aborted)) throw unknown;
    const scope = { client: target.client, schema, owner: target.owner, former: target.former, call };
    // Pulumi orders updates, and not every deletion.
    const isDeletion = desired.rows.length === 0 && error instanceof RowRefusal && error.reason === "not-empty";
    if (!mayBeOtherwise(failure, assumed, attempt) && !(isDeletion && (await isEmptied(error, scope)))) {
      throw await explain(failure.error, failure.steps, scope);
    }
    assumed = undefined;
    last = failure.error;
    await setTimeout(Math.random() * BACKOFF * 2 ** attempt);
  }
  throw new RowError("OVN_CONTENTION", `the rows changed ${ATTEMPTS} times while they were updated; another writer works on them`, undefined, { cause: last });
}

interface WriteFailure {
  readonly error: unknown;
  /** The operations of the transaction that failed. */
  readonly steps: readonly Step[];
}

/** The error of a read. If the outcome of the write before it is unknown, no other error may say that nothing was written. */
function unread(error: unknown, unknown: OutcomeUnknownError | undefined): unknown {
  if (!unknown || !(error instanceof AbortError || error instanceof ConnectionError || error instanceof TimeoutError)) return error;
  return new OutcomeUnknownError(`${unknown.message}; reading the rows failed: ${error.reason}`, { endpoint: unknown.endpoint, cause: error });
}

/** Whether the rows may differ from those read or assumed: then they are read again for another attempt. */
function mayBeOtherwise({ error, steps }: WriteFailure, assumed: Assumption | undefined, attempt: number): boolean {
  if (error instanceof OutcomeUnknownError || isRace(error, steps, attempt)) return true;
  return assumed !== undefined && (error instanceof OperationError || error instanceof RowRefusal);
}

/** Steps for contributions to rows of other owners, as they are now. */
async function sharedSteps({ client, owner, call = {} }: Target, schema: DatabaseSchema, { desired, previous = NOTHING }: Change): Promise<Step[]> {
  if (!desired.contributions && !previous.contributions) return [];
  const shared = await resolveContributions(client, schema, owner, { desired: desired.contributions, previous: previous.contributions }, call);
  const live = await observeShared(client, schema, owner, [...shared.desired, ...shared.previous], call);
  return planContributions({ schema, owner, ...shared, live });
}

/** Steps for rows that several resources share. */
async function jointSteps(
  target: Target,
  scope: OwnerScope,
  { desired, previous = NOTHING, extent }: Change,
  assumed: Assumption | undefined,
): Promise<Step[]> {
  const all = { desired: desired.rows, previous: previous.rows };
  const versions = assumed === "unchanged" ? changedGroups(all) : all;
  const groups = { desired: jointGroups(versions.desired), previous: jointGroups(versions.previous) };
  const concerned = [...groups.desired, ...groups.previous];
  const tables = assumed === undefined ? [...new Set([...concerned.map(({ row }) => row.table), ...(extent?.joint?.tables ?? [])])] : [];
  if (concerned.length + tables.length === 0) return [];
  const survey = await observeJoint(scope, concerned, tables);
  return planJoint({ schema: scope.schema, owner: scope.owner, ...groups, survey, adopted: target.adopted, managers: target.managers ?? [] });
}

/** Rows of the resource were found under UUIDs that the state does not have. Nothing was written. */
interface Moved {
  readonly moved: Adopted;
}

/** One pass over all rows; the first transaction includes shared rows. Returns the failure, or undefined on success. */
async function write(
  target: Target,
  schema: DatabaseSchema,
  change: Change,
  rows: Versions & { readonly unlisted: ReadonlySet<DesiredRow> },
  assumed: Assumption | undefined,
): Promise<WriteFailure | Moved | undefined> {
  const { client, owner, managers = [], call = {} } = target;
  const scope: OwnerScope = { client, schema, owner, call };
  const resolve = await resolver(target, schema, rows.desired, rows.previous);
  const search = assumed === undefined && !change.leavesOthers ? searchOf(target, schema, change) : undefined;
  const tables = change.written && ownByTable(change.written);
  const comment: Step = { operation: { op: "comment", comment: `pulumi-ovn: ${owner}` }, subject: { kind: "comment" } };
  const underWay: Promise<WriteFailure | undefined>[] = [];
  for (const [index, { desired, previous }] of slices(rows.desired, rows.previous).entries()) {
    const slice = { desired: resolve(desired), previous: resolve(previous) };
    const memory = { owner, before: new Map(slice.previous.map((row) => [row.uuid, row])), tables };
    let steps: Step[] = [];
    try {
      const survey = await surveyOf(scope, slice, memory, assumed, index === 0 ? search : undefined);
      if (index === 0 && search) {
        const moved = await movedIn(scope, survey, resolve([...rows.desired, ...rows.previous]));
        if (Object.keys(moved).length > 0) return { moved };
      }
      steps = [
        ...plan({ schema, managers, desired: slice.desired, unlisted: rows.unlisted, ...memory, ...survey }),
        ...(index === 0 ? [...(await sharedSteps(target, schema, change)), ...(await jointSteps(target, scope, change, assumed))] : []),
      ];
    } catch (error) {
      underWay.push(Promise.resolve({ error, steps }));
      break;
    }
    if (steps.length === 0) continue;
    steps = [comment, ...steps];
    underWay.push(sent(target, steps));
    // The first slice holds what the others hang on; after it the next one is built while the server works.
    const next = underWay.length === 1 ? underWay[0] : underWay[underWay.length - PIPELINE];
    if (next && (await next)) break;
  }
  return (await Promise.all(underWay)).find((failure) => failure !== undefined);
}

/** Content of the database for a slice, asked or assumed. */
function surveyOf(
  scope: OwnerScope,
  slice: ResolvedVersions,
  memory: Memory,
  assumed: Assumption | undefined,
  search: Search | undefined,
): Survey | Promise<Survey> {
  if (assumed === "absent") return absent();
  return assumed === "unchanged" ? unchanged(scope, slice) : careful(scope, slice, memory, search);
}

/** Sends one transaction. Returns the failure, or undefined on success. */
function sent({ client, call = {} }: Target, steps: readonly Step[]): Promise<WriteFailure | undefined> {
  const operations = steps.map(({ operation }) => operation);
  return client.transact(operations, call).then(
    () => undefined,
    (error: unknown) => ({ error, steps }),
  );
}

/** Only if the database has rows of the owner that neither version has. */
async function movedIn(scope: OwnerScope, { removals }: Survey, both: readonly ResolvedRow[]): Promise<Adopted> {
  const rows = [...new Map(both.map((row) => [row.uuid, row])).values()];
  const known = new Set(rows.map(({ uuid }) => uuid));
  if (removals.every(({ uuid }) => known.has(uuid))) return {};
  const [live] = await ask<[ReadonlySet<string>]>(scope.client, scope.call, existing(rows));
  return movedRows(scope, rows, live);
}

function searchOf({ owner, adopted }: Target, schema: DatabaseSchema, { desired, previous, extent }: Change): Search {
  const known = [...ungrouped(desired.rows), ...ungrouped(previous?.rows ?? [])];
  return {
    tables: extentTables(schema, extentApart(extent), known),
    known: new Set(rowUuids(known, owner, adopted)),
    blind: previous === undefined && extent !== undefined,
    adopted,
    carries: extent?.carries ?? [],
  };
}

type Resolver = (rows: readonly DesiredRow[]) => ResolvedRow[];

async function resolver(target: Target, schema: DatabaseSchema, desired: RowSet["rows"], previous: RowSet["rows"]): Promise<Resolver> {
  const wanted = namesIn(desired, schema);
  const names = await lookupNames(target.client, previous.length === 0 ? wanted : namesIn([...desired, ...previous], schema), target.call ?? {});
  // Rows to delete may refer to a deleted row: only desired rows must find their references.
  for (const lookup of wanted) requireName(names, lookup);
  return (rows) => resolveRows(rows, target.owner, schema, names.found, target.adopted);
}
