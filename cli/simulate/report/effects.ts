import { sameJson } from "@pulumi-ovn/provider/tools";
import { originOf, type RowNames } from "./names";
import type { Simulation } from "../applied";
import type { ComparedGroup } from "../questions/compared";
import type { Answer, Path, Question, Step } from "../types";

/** Why an answer changes. */
export type Cause =
  /** The row that decides after the plan, as the program names it. */
  | { readonly kind: "decides"; readonly row: string }
  /** The row that decided before the plan. */
  | { readonly kind: "decided"; readonly row: string }
  | { readonly kind: "removed" | "added"; readonly workload: string }
  /** No row of the stack decides. */
  | { readonly kind: "other"; readonly why: string };

export type EffectKind = "lost" | "gained" | "otherwise" | "unknown";

/** A question that has another answer after the plan. */
export interface Effect extends Pick<ComparedGroup, "senders" | "receivers"> {
  readonly kind: EffectKind;
  readonly question: Question;
  readonly before: Answer;
  readonly after: Answer;
  readonly cause: Cause;
  /** Differences of a packet that arrives before and after, such as its source address outside. */
  readonly differences: readonly string[];
}

/** Pure. Effects of a plan on packets. */
export function effectsOf({ changed, workloads }: Pick<Simulation, "changed" | "workloads">, names: RowNames): Effect[] {
  return changed.flatMap(({ question, senders, receivers, before, after }) => {
    const kind = kindOf(before, after);
    const differences = kind === "otherwise" ? differencesOf(before.there, after.there) : [];
    if (kind === undefined || (kind === "otherwise" && differences.length === 0)) return [];
    return [{ kind, question, senders, receivers, before, after, cause: workloadCause(question, workloads) ?? causeOf(before, after, names), differences }];
  });
}

function workloadCause({ from, to }: Question, { before, after }: Simulation["workloads"]): Cause | undefined {
  const ends = [from, to].flatMap((end) => (end.kind === "workload" ? [end.name] : []));
  const [removed, added] = [ends.find((name) => !after.has(name)), ends.find((name) => !before.has(name))];
  if (removed !== undefined) return { kind: "removed", workload: removed };
  return added === undefined ? undefined : { kind: "added", workload: added };
}

function kindOf({ reach: before }: Answer, { reach: after }: Answer): EffectKind | undefined {
  if (before === undefined) return undefined;
  if (after === undefined) return "unknown";
  if (before === after) return after ? "otherwise" : undefined;
  return after ? "gained" : "lost";
}

function differencesOf(before: Path, after: Path): string[] {
  const pairs: readonly (readonly [what: string, before: string, after: string])[] = [
    ["node", nodeOf(before), nodeOf(after)],
    ["by", before.router ?? "", after.router ?? ""],
    ["source address", before.source, after.source],
    ["receiver", receiverOf(before), receiverOf(after)],
    ["backends", before.backends.join(", "), after.backends.join(", ")],
  ];
  return pairs.filter(([, old, wanted]) => old !== wanted).map(([what, old, wanted]) => `${what} ${wanted || "none"} instead of ${old || "none"}`);
}

/** The zone by which a packet leaves. A workload's zone is part of the receiver. */
const nodeOf = ({ outcome }: Path): string => (outcome.kind === "outside" ? outcome.zone : "");
const receiverOf = ({ outcome }: Path): string =>
  outcome.kind === "delivered" ? outcome.port : outcome.kind === "outside" ? `physical network ${outcome.network}` : "";

/** The first row that only the new path meets, otherwise the first that only the old path met: of the first packet, then of its reply. */
function causeOf(before: Answer, after: Answer, names: RowNames): Cause {
  const [old, wanted] = [stepsOf(before), stepsOf(after)];
  const added = (way: "there" | "back"): Cause[] => firstOf(after[way]?.steps ?? [], old, names).map((row) => ({ kind: "decides", row }));
  /** An answer that is not known has perhaps not all its steps. */
  const removed = (way: "there" | "back"): Cause[] =>
    after.reach === undefined ? [] : firstOf(before[way]?.steps ?? [], wanted, names).map((row) => ({ kind: "decided", row }));
  const reply = [...added("back"), ...removed("back")];
  // If the first packet arrives as before, a row that it no longer meets decides nothing.
  const isReply = before.reach !== after.reach && sameJson(before.there.outcome, after.there.outcome);
  const [cause] = [...added("there"), ...(isReply ? reply : []), ...removed("there"), ...reply];
  if (cause !== undefined) return cause;
  return { kind: "other", why: failureOf(after) ?? priorFailure(before) ?? "the path changes" };
}

/** Why the reply or the first packet does not arrive. */
function failureOf({ back, there }: Answer): string | undefined {
  return [back, there].flatMap((path) => (path?.outcome.kind === "lost" || path?.outcome.kind === "unknown" ? [path.outcome.why] : []))[0];
}

function priorFailure(before: Answer): string | undefined {
  const why = failureOf(before);
  return why === undefined ? undefined : `before: ${why}`;
}

const stepsOf = ({ there, back }: Answer): readonly Step[] => [...there.steps, ...(back?.steps ?? [])];

/** The row of the first decisive step that others do not contain, or an empty list. */
function firstOf(steps: readonly Step[], others: readonly Step[], names: RowNames): string[] {
  const known = new Set(others.map(textOf));
  const own = steps.filter((step) => originOf(step, names) !== undefined && !known.has(textOf(step)));
  const decisive = own.find(({ stage }) => stage.endsWith("_acl_drop")) ?? own.find(({ stage }) => DECISIVE.test(stage)) ?? own[0];
  return decisive ? [originOf(decisive, names)!] : [];
}

/** Tables that choose a way or drop packets. Others admit packets or prepare these tables. */
const DECISIVE = /^redirect$|_(?:acl_\w*eval|policy|ip_routing|snat|dnat|lb|l2_lkup)$/;

const textOf = ({ zone, datapath, stage, match, priority, hint, origin }: Step): string =>
  JSON.stringify([zone, datapath, stage, match, priority, hint, origin]);
