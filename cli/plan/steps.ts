import { sameJson } from "@pulumi-ovn/provider/tools";
import type { State, Step } from "./preview";

/** Parts of a URN: `urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME`. A name may contain colons. */
export function partsOf(urn: string): { readonly stack: string; readonly project: string; readonly type: string; readonly name: string } {
  const [stack = "", project = "", types = "", ...name] = urn.split("::");
  return { stack: stack.replace(/^urn:pulumi:/, ""), project, type: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}

type ChangeOperation = "create" | "update" | "replace" | "delete" | "forget" | "import";

/** One changing resource, for any number of steps of the engine. */
export interface ResourceChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: ChangeOperation;
  readonly before: State | undefined;
  readonly after: State | undefined;
  readonly replaceReasons: readonly string[];
  readonly properties: readonly string[];
  /** Only for the leftover of an interrupted replacement: old and new state of the resource itself. */
  readonly replacement?: readonly State[];
}

/** Steps of the engine that change something, most informative first. Other steps only read. (pulumi/pkg/resource/deploy/step.go) */
const OPERATIONS: Readonly<Record<string, ChangeOperation>> = {
  replace: "replace",
  "create-replacement": "replace",
  "import-replacement": "replace",
  "delete-replaced": "replace",
  create: "create",
  import: "import",
  update: "update",
  delete: "delete",
  "remove-pending-replace": "forget",
  "discard-replaced": "forget",
};
const REPLACING: ReadonlySet<string> = new Set(["replace", "create-replacement"]);
const RANK = new Map(Object.keys(OPERATIONS).map((op, index) => [op, index]));
const ROOT = "pulumi:pulumi:Stack";

/** The resources that change. Several steps of the engine for one resource are one change; the order of steps has no meaning. */
export function changesOf(steps: readonly Step[]): ResourceChange[] {
  const leftovers = new Set(steps.filter((step) => isLeftover(step, steps)));
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    if (!Object.hasOwn(OPERATIONS, step.op) || partsOf(step.urn).type === ROOT) continue;
    // The leftover of an interrupted replacement is deleted independently of the resource.
    const key = JSON.stringify([step.urn, leftovers.has(step)]);
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  return [...groups.values()].map((group) => {
    const change = changeOf(group);
    return leftovers.has(group[0]!) ? { ...change, ...leftover(change.urn, steps, leftovers) } : change;
  });
}

/** Only a preview with --show-replacement-steps has the step. Resources replaced by it are marked for deletion, too. */
function isLeftover({ op, urn, oldState }: Step, steps: readonly Step[]): boolean {
  if (!oldState?.delete || (op !== "delete" && op !== "delete-replaced")) return false;
  return !steps.some((step) => step.urn === urn && REPLACING.has(step.op) && sameJson(step.oldState?.outputs, oldState.outputs));
}

/** Operation on a leftover, and states of its replacement, even if that resource does not change. */
function leftover(urn: string, steps: readonly Step[], leftovers: ReadonlySet<Step>): Pick<ResourceChange, "operation" | "replacement"> {
  const own = steps.filter((step) => step.urn === urn && !leftovers.has(step) && !(step.op === "delete" && step.oldState?.retainOnDelete));
  return { operation: "delete", replacement: own.flatMap(({ oldState, newState }) => [oldState, newState]).filter((state) => !!state) };
}

function changeOf(steps: readonly Step[]): ResourceChange {
  const [first, ...more] =
    steps.length === 1 ? steps : [...steps].sort((a, b) => RANK.get(a.op)! - RANK.get(b.op)! || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const { urn, op, replaceReasons, diffReasons } = first!;
  const operation = OPERATIONS[op]!;
  // With --show-replacement-steps the two states are in steps of their own.
  const before = [first!, ...more].map(({ oldState }) => oldState).find((state) => !!state) ?? undefined;
  const after =
    operation === "delete" || operation === "forget" ? undefined : ([first!, ...more].map(({ newState }) => newState).find((state) => !!state) ?? undefined);
  const { type, name } = partsOf(urn);
  const properties = [...new Set([...(replaceReasons ?? []), ...(diffReasons ?? []), ...differing(before, after)])].filter(
    (property) => property !== "__provider",
  );
  return { urn, type, name, operation, before, after, replaceReasons: [...(replaceReasons ?? [])].sort(), properties: properties.sort() };
}

function differing(before: State | undefined, after: State | undefined): string[] {
  if (!before || !after) return [];
  return Object.keys({ ...before.inputs, ...after.inputs }).filter((name) => !sameJson(before.inputs[name], after.inputs[name]));
}
