import { setTimeout } from "node:timers/promises";
import { OutcomeUnknownError, type CallOptions, type DatabaseSchema, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { asWritten, changed, type Assumption } from "./assume";
import { planContributions } from "./contribution-plan";
import { observeShared, resolveContributions } from "./contributions";
import { liveState, type LiveState } from "./drift";
import { RowError } from "./errors";
import { explain, isRace } from "./explain";
import { lookupNames, requireName } from "./names";
import { observe, observeCarried } from "./observe";
import type { Snapshot } from "./live";
import { plan, type Step } from "./plan";
import { slices, type Slice } from "./slices";
import { strayRemovals, strays } from "./strays";
import { namesIn, resolveRows, type Adopted, type ResolvedRow } from "./resolve";
import type { DesiredRow, RowSet } from "./rowset";
import { checkRequirements } from "./requirements";

/** Where and for whom rows are written. */
export interface Target {
  readonly client: OvsdbClient;
  /** The resource's URN; its rows carry it in `external_ids:pulumi-ovn:owner`. */
  readonly owner: string;
  /** Rows that were taken over, and so have UUIDs of their own. */
  readonly adopted?: Adopted;
  /** Other owners whose rows may be taken over. */
  readonly managers?: readonly string[];
  readonly call?: CallOptions;
}

/** How often other writers may come between reading and writing before it counts as a failure. */
const ATTEMPTS = 12;

/** Milliseconds to stay away at most after the first time; twice as long after each further one, so that writers of one row get out of step. */
const BACKOFF = 2;

/** Transactions of a very large set that are under way at once. */
const PIPELINE = 4;

type Content = Pick<RowSet, "rows" | "contributions">;

const NOTHING: Content = { rows: [] };

/**
 * Makes the database hold the desired rows, and none of `previous` that are not desired any more. Idempotent.
 *
 * A create first assumes that nothing is there: one transaction, and its reply tells. When it can't hold (a row of ours
 * exists: an earlier run's reply was lost), or when it is not known whether it did, the live rows are read and the
 * difference is written, until nothing differs. An update that may assume that the previous rows are `unchanged` writes
 * what differs from them in the same way, and looks at no other row.
 */
export async function ensureRows(target: Target, desired: RowSet, previous?: RowSet, assumption?: "unchanged"): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  checkRequirements(desired, schema);
  const fresh = previous === undefined && target.adopted === undefined;
  await converge(target, schema, desired, previous ?? NOTHING, fresh ? "absent" : assumption);
}

/** Removes the rows. What is gone already counts as removed. */
export async function removeRows(target: Target, previous: RowSet): Promise<void> {
  const schema = await target.client.getSchema(target.call);
  await converge(target, schema, NOTHING, previous, undefined);
}

/** What the database holds of these rows; undefined when there is no trace of them. */
export async function readRows(target: Target, set: RowSet): Promise<LiveState | undefined> {
  const schema = await target.client.getSchema(target.call);
  const call = target.call ?? {};
  const names = await lookupNames(target.client, namesIn(set.rows, schema), call);
  const rows = resolveRows(set.rows, target.owner, schema, names.found, target.adopted);
  const { previous: shared } = await resolveContributions(target.client, schema, target.owner, { previous: set.contributions }, call);
  const sharedLive = { contributions: shared, live: await observeShared(target.client, schema, shared, call) };
  const state = liveState(set, rows, await observe(target.client, schema, rows, call), schema, sharedLive);
  return state.present === 0 && rows.length + shared.length > 0 ? undefined : state;
}

async function converge(target: Target, schema: DatabaseSchema, desired: Content, previous: Content, assumption: Assumption | undefined): Promise<void> {
  const call = target.call ?? {};
  let assumed = assumption;
  const versions = { desired: desired.rows, previous: previous.rows };
  let last: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rows = assumed === "unchanged" ? changed(versions) : versions;
    const resolve = await resolver(target, schema, rows.desired, rows.previous);
    const all = slices(rows.desired, rows.previous);
    const failure = await write(target, schema, all, resolve, assumed, () => sharedSteps(target, schema, desired, previous));
    if (failure === undefined) return;
    if (!(failure.error instanceof OutcomeUnknownError) && !isRace(failure.error, failure.steps)) {
      throw await explain(failure.error, failure.steps, target.client, schema, call);
    }
    assumed = undefined;
    last = failure.error;
    await setTimeout(Math.random() * BACKOFF * 2 ** attempt);
  }
  throw new RowError("OVN_CONTENTION", `the rows changed under way ${ATTEMPTS} times; another writer works on them`, undefined, { cause: last });
}

interface WriteFailure {
  readonly error: unknown;
  /** The operations of the transaction that failed. */
  readonly steps: readonly Step[];
}

/** What has to change in rows of others, as they are now. */
async function sharedSteps(target: Target, schema: DatabaseSchema, desired: Content, previous: Content): Promise<Step[]> {
  const { client, owner, call = {} } = target;
  if (!desired.contributions && !previous.contributions) return [];
  const shared = await resolveContributions(client, schema, owner, { desired: desired.contributions, previous: previous.contributions }, call);
  const live = await observeShared(client, schema, [...shared.desired, ...shared.previous], call);
  return planContributions({ schema, owner, ...shared, live });
}

/** One pass over all rows, and in the first transaction whatever is shared. Returns how it failed, or undefined when the rows stand. */
async function write(
  target: Target,
  schema: DatabaseSchema,
  all: readonly Slice[],
  resolve: Resolver,
  assumed: Assumption | undefined,
  shared: () => Promise<Step[]>,
): Promise<WriteFailure | undefined> {
  const { client, owner } = target;
  const call = target.call ?? {};
  const comment: Step = { operation: { op: "comment", comment: `pulumi-ovn: ${owner}` }, subject: { kind: "comment" } };
  const underWay: Promise<WriteFailure | undefined>[] = [];
  for (const [index, { desired, previous }] of all.entries()) {
    const slice = { desired: resolve(desired), previous: resolve(previous) };
    let steps: Step[] = [];
    try {
      const live = await snapshot(target, schema, slice.desired, slice.previous, assumed);
      const stray = assumed === undefined && index === 0 ? await strays(client, schema, owner, resolve(all.flatMap((every) => [...every.desired, ...every.previous])), call) : new Map<string, string[]>();
      const carried = new Set([...(await observeCarried(client, slice.previous, call)), ...[...stray.values()].flat()]);
      const own = plan({ schema, owner, managers: target.managers ?? [], ...slice, live, carried });
      steps = [...own, ...strayRemovals(schema, owner, stray), ...(index === 0 ? await shared() : [])];
    } catch (error) {
      underWay.push(Promise.resolve({ error, steps }));
      break;
    }
    if (steps.length === 0) continue;
    steps = [comment, ...steps];
    underWay.push(
      client.transact(steps.map((step) => step.operation), call).then(
        () => undefined,
        (error: unknown) => ({ error, steps }),
      ),
    );
    // The first slice holds what the others hang on; after it the next one is built while the server works.
    const due = underWay.length === 1 ? underWay[0] : underWay[underWay.length - PIPELINE];
    if (due && (await due)) break;
  }
  return (await Promise.all(underWay)).find((failure) => failure !== undefined);
}

/** The live rows, as far as they have to be read. */
async function snapshot(
  { client, call = {} }: Target,
  schema: DatabaseSchema,
  desired: readonly ResolvedRow[],
  previous: readonly ResolvedRow[],
  assumed: Assumption | undefined,
): Promise<Snapshot> {
  if (assumed === "absent") return new Map();
  if (assumed === undefined) return observe(client, schema, [...desired, ...previous], call);
  const kept = asWritten(schema, desired, previous);
  const gone = await observe(client, schema, previous.filter(({ uuid }) => !kept.has(uuid)), call);
  return new Map([...kept, ...gone]);
}

type Resolver = (rows: readonly DesiredRow[]) => ResolvedRow[];

async function resolver(target: Target, schema: DatabaseSchema, desired: RowSet["rows"], previous: RowSet["rows"]): Promise<Resolver> {
  const names = await lookupNames(target.client, namesIn([...desired, ...previous], schema), target.call ?? {});
  // Rows that go may have hung on a row that is gone: only what must exist has to be found.
  for (const lookup of namesIn(desired, schema)) requireName(names, lookup);
  return (rows) => resolveRows(rows, target.owner, schema, names.found, target.adopted);
}
