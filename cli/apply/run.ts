import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { APPLY_VARIABLE, confirmApply, type Connections, layDown, readRecord } from "@pulumi-ovn/provider/targets";
import type { Deployment } from "@pulumi/pulumi/automation";
import { CommandError } from "../command";
import type { Plan } from "../plan/plan";
import type { Preview } from "../plan/preview";
import type { Engine } from "../upgrade/engine";
import { type Chosen, checksOf, CurrentState } from "./checks";
import { type Database, databasesOf, openDatabase } from "./databases";
import { KeptState } from "./kept-state";
import { Probes } from "./probes";
import { startTimer, timerFor, TIMER_TEXTS } from "./timer";
import { undoEverywhere } from "./undo";

export interface ApplyOptions {
  readonly seconds: number;
  readonly checks: Chosen;
  /** Leaves a successful apply pending. */
  readonly isManual: boolean;
}

export interface Surroundings {
  readonly engine: Engine;
  readonly targets: Connections;
  /** The project's folder. */
  readonly folder: string;
  readonly plan: Plan;
  readonly preview: Pick<Preview, "steps">;
  readonly state: CurrentState;
  readonly say: (text: string) => void;
}

/** Milliseconds after the deadline in which hosts undo by themselves. */
const GRACE = 15_000;

/** Milliseconds before the deadline in which nothing is confirmed any more: all databases must be reached before. */
const MARGIN = 3000;

const FAILED = 1;

export const newId = (): string => randomBytes(4).toString("hex");

/** Changes the stack, and undoes the change unless probes succeed in time. Returns the exit code. */
export async function applyRevertibly(options: ApplyOptions, { engine, targets, folder, plan, preview, state, say }: Surroundings): Promise<number> {
  const id = newId();
  const stack = `${plan.project}/${plan.stack}`;
  const databases = await Promise.all(databasesOf(plan).map((ref) => openDatabase(targets, ref)));
  await refusePending(databases);
  const zones = databases.flatMap(({ name, zone }) => (name === "OVN_Northbound" ? [zone] : []));
  const probes = new Probes(checksOf(options.checks, { id, stack, targets, zones, preview, state }));
  for (const each of await probes.before(options.seconds * 1000)) say(`fails already, so it can't undo the change: ${each}`);
  const change: RevertibleChange = {
    id,
    stack,
    seconds: options.seconds,
    before: await state.deployment(),
    changing: plan.resources.filter(({ operation }) => operation !== "same").map(({ urn }) => urn),
    update: async () => {
      const { changes, seconds } = await engine.up(`pulumi-ovn apply ${id}`);
      const counts = Object.entries(changes).map(([kind, count]) => `${count} ${kind}`);
      say(`update: ${counts.join(", ")} in ${seconds.toFixed(1)} s`);
      state.changed();
    },
    verify: (deadline) => probes.verify(deadline),
    isManual: options.isManual,
  };
  return (await changeRevertibly(databases, change, { engine, folder, say })) ? 0 : FAILED;
}

/** A change that is undone unless it is verified in time. */
export interface RevertibleChange {
  readonly id: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  readonly seconds: number;
  /** State before the change. */
  readonly before: Deployment;
  /** URNs that the change may concern. */
  readonly changing: readonly string[];
  /** Changes the stack. */
  readonly update: () => Promise<void>;
  /** Reasons against the change. @param deadline milliseconds since 1970 */
  readonly verify: (deadline: number) => Promise<readonly string[]>;
  /** Leaves a verified change pending. */
  readonly isManual: boolean;
}

/** Lays down a change, makes it, and confirms or undoes it. Returns whether it stays. */
export async function changeRevertibly(
  databases: readonly Database[],
  change: RevertibleChange,
  { engine, folder, say }: Pick<Surroundings, "engine" | "folder" | "say">,
): Promise<boolean> {
  const { id } = change;
  await refusePending(databases);
  const kept = new KeptState(folder, id);
  kept.save(engine.name, change.before, change.changing, databases.length);
  const deadline = Date.now() + change.seconds * 1000;
  say(`apply ${id}: undone at ${new Date(deadline).toISOString()} unless it is confirmed`);
  const problems = await changed(databases, change, deadline, say);
  if (problems.length === 0 && change.isManual) {
    say(`probes succeed; run "pulumi-ovn confirm ${id}" before ${new Date(deadline).toISOString()}`);
    return true;
  }
  const reasons = problems.length > 0 ? problems : await confirmed(databases, kept, say).then(() => [], reasonsToUndo);
  if (reasons.length === 0) return true;
  for (const reason of reasons) say(`! ${reason}`);
  say(`undoing apply ${id}`);
  const lost = await undoEverywhere(databases, kept, engine, deadline + GRACE, say);
  for (const each of lost) say(`! not reached: ${each}; its timer undoes it; then run "pulumi-ovn cancel ${id}", which puts the state back`);
  return false;
}

const messageOf = (error: Error): string[] => [error.message];

/** A part that is confirmed can't be undone any more, so nothing is. */
function reasonsToUndo(error: Error): string[] {
  if (error instanceof PartlyConfirmedError) throw error;
  return messageOf(error);
}

/** Makes the change and verifies it. Returns problems. */
async function changed(
  databases: readonly Database[],
  { id, stack, seconds, update, verify }: RevertibleChange,
  deadline: number,
  say: (text: string) => void,
): Promise<readonly string[]> {
  try {
    // All have ended before an undo begins.
    const prepared = await Promise.allSettled(databases.map((database) => prepare(database, { id, stack, seconds, deadline })));
    for (const each of prepared) {
      if (each.status === "rejected") throw each.reason;
      say(`  ${each.value}`);
    }
    process.env[APPLY_VARIABLE] = id;
    await update().finally(() => delete process.env[APPLY_VARIABLE]);
    return await verify(deadline - MARGIN);
  } catch (error) {
    return messageOf(error as Error);
  }
}

interface Prepared extends Pick<RevertibleChange, "id" | "stack" | "seconds"> {
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Some databases have confirmed an apply and others have not. */
class PartlyConfirmedError extends CommandError {}

/** Keeps the changes in all databases. Throws a PartlyConfirmedError if only some can be reached at this moment. */
export async function confirmed(databases: readonly Database[], kept: KeptState, say: (text: string) => void): Promise<void> {
  // All of them are reached before one is changed.
  await Promise.all(databases.map(({ client, name }) => readRecord(client, name)));
  const settled = await Promise.allSettled(databases.map(({ client, name }) => confirmApply(client, name, kept.id)));
  const failed = settled.flatMap((each, index) => (each.status === "rejected" ? [{ title: databases[index]!.title, error: each.reason as Error }] : []));
  if (failed.length > 0 && failed.length === databases.length) throw failed[0]!.error;
  if (failed.length > 0)
    throw new PartlyConfirmedError(
      "OVN_APPLY_PARTLY",
      `apply ${kept.id} is not confirmed in ${failed.map(({ title, error }) => `${title}: ${error.message}`).join("; ")}; run "pulumi-ovn confirm ${kept.id}" before the deadline; after it run "pulumi up --refresh"`,
    );
  kept.delete();
  say(`confirmed apply ${kept.id}`);
}

/** One apply for each database. */
async function refusePending(databases: readonly Database[]): Promise<void> {
  const records = await Promise.all(databases.map(async ({ client, name, title }) => ({ title, record: await readRecord(client, name) })));
  const [first] = records.filter(({ record }) => record !== undefined);
  if (!first) return;
  const { id, stack, by, phase } = first.record!;
  throw new CommandError(
    "OVN_APPLY_PENDING",
    phase === "pending"
      ? `${first.title}: apply ${id} of stack ${stack} by ${by} is pending; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`
      : `${first.title}: apply ${id} of stack ${stack} by ${by} was undone, and the state was not put back; run "pulumi-ovn cancel ${id}"`,
  );
}

/** Returns where the undo waits. */
async function prepare(database: Database, { id, stack, deadline, seconds }: Prepared): Promise<string> {
  const timer = await timerFor(database);
  // Before the record: a command that dies in between would leave an apply that nothing undoes.
  if (timer === "host")
    await startTimer(database, { database: database.name, root: database.root, id, seconds: Math.ceil((deadline - Date.now()) / 1000) || seconds });
  await layDown(database.client, database.name, id, {
    stack,
    by: `${userInfo().username}@${hostname()}`,
    deadline: new Date(deadline).toISOString(),
    timer: TIMER_TEXTS[timer],
  });
  return `${database.title}: the undo waits in ${TIMER_TEXTS[timer]}`;
}
