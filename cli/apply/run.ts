import { randomBytes } from "node:crypto";
import { APPLY_VARIABLE, type Connections } from "@pulumi-ovn/provider/targets";
import type { Deployment } from "@pulumi/pulumi/automation";
import { CommandError } from "../command";
import type { Plan } from "../plan/plan";
import type { Preview } from "../plan/preview";
import { type Engine, updateText } from "../stack/engine";
import { type Chosen, checksOf, CurrentState } from "./checks";
import { Interrupted, INTERRUPTED, Stop } from "../stop";
import { KeptState } from "./kept-state";
import { prepare } from "./prepare";
import { Probes } from "./probes";
import type { ApplyTarget } from "./target";
import { changingIn, openTarget, targetsOf } from "./targets";
import { forget, putBack, undoEverywhere } from "./undo";

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
export const MARGIN = 3000;

const FAILED = 1;

export const newId = (): string => randomBytes(4).toString("hex");

/** Changes the stack, and undoes the change unless probes succeed in time. Returns the exit code. */
export async function applyRevertibly(options: ApplyOptions, { engine, targets, folder, plan, preview, state, say }: Surroundings): Promise<number> {
  const id = newId();
  const stack = `${plan.project}/${plan.stack}`;
  const changes = changingIn(plan);
  const refs = targetsOf(changes, targets);
  const opened = await Promise.all(refs.map((ref) => openTarget(targets, ref)));
  await refusePending(opened);
  const zones = refs.flatMap(({ database, name }) => (database === "OVN_Northbound" ? [name] : []));
  const probes = new Probes(checksOf(options.checks, { id, stack, targets, zones, preview, state }));
  for (const each of await probes.before(options.seconds * 1000)) say(`fails already, so it can't undo the change: ${each}`);
  using stop = new Stop([
    () => {
      say("interrupted: ending the update, then undoing it; press Ctrl-C again to leave the undo to the deadline");
      engine.interrupt();
    },
    () => {
      engine.kill();
      process.exit(INTERRUPTED);
    },
  ]);
  const change: RevertibleChange = {
    id,
    stack,
    seconds: options.seconds,
    before: await state.deployment(),
    changing: changes.map(({ urn }) => urn),
    update: async () => {
      stop.check();
      const done = await engine.up(`pulumi-ovn apply ${id}`).catch((error: Error) => {
        // Pulumi ends by any error.
        throw stop.asked ? new Interrupted() : error;
      });
      say(updateText(done));
      state.changed();
    },
    verify: (deadline) => stop.during(probes.verify(deadline, stop.signal)),
    isManual: options.isManual,
  };
  return (await changeRevertibly(opened, change, { engine, folder, say })) === "kept" ? 0 : FAILED;
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

/** Result of a revertible change. `refused`: a target could not be prepared, so nothing was changed. */
export type ChangeResult = "kept" | "refused" | "undone";

/** Lays down a change, makes it, and confirms or undoes it. */
export async function changeRevertibly(
  targets: readonly ApplyTarget[],
  change: RevertibleChange,
  { engine, folder, say }: Pick<Surroundings, "engine" | "folder" | "say">,
): Promise<ChangeResult> {
  const { id } = change;
  await refusePending(targets);
  const kept = new KeptState(folder, id);
  kept.save(engine.name, change.before, change.changing, targets.length);
  const deadline = Date.now() + change.seconds * 1000;
  say(`apply ${id}: undone at ${new Date(deadline).toISOString()} unless it is confirmed`);
  const prepared = await Promise.all(targets.map((target) => prepare(target, { ...change, deadline })));
  for (const { problem, timer } of prepared) if (problem === undefined) say(`  ${timer}`);
  const refusals = prepared.flatMap(({ problem }) => problem ?? []);
  const isRefused = refusals.length > 0;
  const problems = isRefused ? refusals : await changed(change, deadline);
  if (problems.length === 0 && change.isManual) {
    say(`probes succeed; run "pulumi-ovn confirm ${id}" before ${new Date(deadline).toISOString()}`);
    return "kept";
  }
  const reasons = problems.length > 0 ? problems : await confirmed(targets, kept, say).then(() => [], reasonsToUndo);
  if (reasons.length === 0) return "kept";
  for (const reason of reasons) say(`! ${reason}`);
  say(isRefused ? "nothing is changed" : `undoing apply ${id}`);
  // A target with another apply has nothing of this one.
  const own = prepared.flatMap(({ target, isTaken }) => (isTaken ? [] : [target]));
  // Nothing is changed after a refusal: a target that ends now is tried once.
  const lost = await undoEverywhere(own, id, isRefused ? 0 : deadline + GRACE, isRefused ? () => undefined : say);
  for (const each of lost) say(`! not undone: ${each}; its timer undoes it; then run "pulumi-ovn cancel ${id}", which puts the state back`);
  // Without an update the state is as before, or another apply of the stack has changed it since.
  if (lost.length === 0) await (isRefused ? forget(own, kept) : putBack(own, kept, engine, say));
  return isRefused ? "refused" : "undone";
}

const messageOf = (error: Error): string[] => [error.message];

/** A part that is confirmed can't be undone any more, so nothing is. */
function reasonsToUndo(error: Error): string[] {
  if (error instanceof PartlyConfirmedError) throw error;
  return messageOf(error);
}

/** Makes the change and verifies it. Returns problems. */
async function changed({ id, update, verify }: RevertibleChange, deadline: number): Promise<readonly string[]> {
  try {
    process.env[APPLY_VARIABLE] = id;
    await update().finally(() => delete process.env[APPLY_VARIABLE]);
    return await verify(deadline - MARGIN);
  } catch (error) {
    return messageOf(error as Error);
  }
}

/** Some targets have confirmed an apply and others have not. */
class PartlyConfirmedError extends CommandError {}

/** Keeps the changes in all targets. Throws a PartlyConfirmedError if only some can be reached at this moment. */
export async function confirmed(targets: readonly ApplyTarget[], kept: KeptState, say: (text: string) => void): Promise<void> {
  // All of them are reached before one is changed.
  await Promise.all(targets.map((target) => target.read()));
  const settled = await Promise.allSettled(targets.map((target) => target.confirm(kept.id)));
  const failed = settled.flatMap((each, index) => (each.status === "rejected" ? [{ title: targets[index]!.title, error: each.reason as Error }] : []));
  if (failed.length > 0 && failed.length === targets.length) throw failed[0]!.error;
  if (failed.length > 0)
    throw new PartlyConfirmedError(
      "OVN_APPLY_PARTLY",
      `apply ${kept.id} is not confirmed in ${failed.map(({ title, error }) => `${title}: ${error.message}`).join("; ")}; run "pulumi-ovn confirm ${kept.id}" before the deadline; after it run "pulumi up --refresh"`,
    );
  kept.delete();
  say(`confirmed apply ${kept.id}`);
}

/** One apply for each target. */
async function refusePending(targets: readonly ApplyTarget[]): Promise<void> {
  const records = await Promise.all(targets.map(async (target) => ({ title: target.title, record: await target.read() })));
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
