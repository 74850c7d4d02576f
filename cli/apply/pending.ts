import { setTimeout } from "node:timers/promises";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import type { Engine } from "../stack/engine";
import { KeptState } from "./kept-state";
import type { ApplyTarget, PendingApply } from "./target";
import { configuredTargets, openTarget, titleOf } from "./targets";
import { nameKept, putBack } from "./undo";

/** A target with a record of an apply. */
export interface Found {
  readonly target: ApplyTarget;
  readonly record: PendingApply;
}

/** Milliseconds in which a target has to answer: one that does not must not delay the others. */
const ANSWER = 10_000;

/** Applies in the file of targets. Targets that can't be reached, or do not answer in time, are named. */
export async function findApplies(targets: Connections): Promise<{ readonly found: readonly Found[]; readonly lost: readonly string[] }> {
  const refs = configuredTargets(targets);
  await targets.prepare();
  const settled = await Promise.allSettled(refs.map((ref) => lookAt(() => openTarget(targets, ref))));
  return {
    found: settled.flatMap((each) => (each.status === "fulfilled" && each.value.record ? [{ target: each.value.target, record: each.value.record }] : [])),
    lost: settled.flatMap((each, index) => (each.status === "rejected" ? [`${titleOf(refs[index]!)}: ${(each.reason as Error).message}`] : [])),
  };
}

interface Looked {
  readonly target: ApplyTarget;
  readonly record: PendingApply | undefined;
}

/** Opens and reads a target. Throws if it does not answer in time. */
export function lookAt(open: () => Promise<ApplyTarget>): Promise<Looked> {
  const late = setTimeout(ANSWER, undefined, { ref: false }).then((): never => {
    throw new Error(`no answer within ${ANSWER / 1000} s`);
  });
  const look = async () => {
    const target = await open();
    return { target, record: await target.read() };
  };
  return Promise.race([look(), late]);
}

export const isOverdue = ({ phase, deadline }: PendingApply): boolean => phase === "pending" && Date.parse(deadline) <= Date.now();

/**
 * Completes applies of this stack whose command has died: undoes those whose deadline has passed, and puts the state back if all
 * targets of an apply are undone. Returns whether the state has changed.
 */
export async function recover(targets: Connections, { engine, folder, stack, say }: Recovery): Promise<boolean> {
  const { found, lost } = await findApplies(targets);
  if (lost.length > 0) say(`! not asked for earlier applies: ${lost.join("; ")}`);
  else forgetUnknown(new Set(found.map(({ record }) => record.id)), { engine, folder });
  const own = found.filter(({ record }) => record.stack === stack);
  let changed = false;
  for (const [id, applies] of Map.groupBy(own, ({ record }) => record.id)) {
    for (const { target, record } of applies.toReversed()) {
      if (!isOverdue(record)) continue;
      say(`apply ${id} was not confirmed in time: undoing it in ${target.title}`);
      await target.undo(id);
    }
    if (applies.some(({ record }) => record.phase === "pending" && !isOverdue(record))) continue;
    for (const { target } of applies) {
      say(`apply ${id} was undone in ${target.title}`);
      await nameKept(target, say);
    }
    const kept = new KeptState(folder, id);
    const isPartial = applies.length < kept.targets;
    if (isPartial && lost.length > 0) throw new CommandError("OVN_APPLY_UNKNOWN", `apply ${id} may be pending elsewhere; not reached: ${lost.join("; ")}`);
    await putBack(
      applies.map(({ target }) => target),
      kept,
      engine,
      say,
    );
    if (isPartial) say(`! its other databases confirmed it before the command ended: run "pulumi up --refresh"`);
    changed = true;
  }
  return changed;
}

/** Deletes states of applies that died before their first change, or after their confirmation. */
function forgetUnknown(ids: ReadonlySet<string>, { engine, folder }: Pick<Recovery, "engine" | "folder">): void {
  for (const kept of KeptState.abandoned(folder, engine.name)) if (!ids.has(kept.id)) kept.delete();
}

interface Recovery {
  readonly engine: Engine;
  readonly folder: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  readonly say: (text: string) => void;
}
