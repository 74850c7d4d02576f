import { ArgumentError } from "../arguments/errors";
import type { LabelRequirement, LabelSelector, Metadata } from "./facts";

/** Whether an object with this metadata is selected. */
export type Selects = (metadata: Metadata) => boolean;

type Labels = Readonly<Record<string, string>>;

const NONE: Labels = {};

/** Reads a selector once, for many objects. One that is not there, or is empty, selects everything. */
export function selectorOf(selector: LabelSelector | undefined): Selects {
  const equal = Object.entries(selector?.matchLabels ?? {});
  const tests = (selector?.matchExpressions ?? []).map((requirement, index) => test(requirement, `matchExpressions[${index}]`));
  return ({ labels = NONE }) => equal.every(([key, value]) => labels[key] === value) && tests.every((holds) => holds(labels));
}

export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
}

function test({ key, operator, values = [] }: LabelRequirement, path: string): (labels: Labels) => boolean {
  const wanted = new Set(values);
  const refuse = (message: string) => ArgumentError.of(path, "selector", message);
  switch (operator) {
    case "In":
    case "NotIn":
      if (wanted.size === 0) throw refuse(`${operator} needs values`);
      // An object without the label is not in the list (meta/v1 LabelSelectorRequirement).
      return (labels) => (has(labels, key) && wanted.has(labels[key]!)) === (operator === "In");
    case "Exists":
    case "DoesNotExist":
      if (wanted.size > 0) throw refuse(`${operator} has no values`);
      return (labels) => has(labels, key) === (operator === "Exists");
    default:
      throw refuse(`there is no operator ${JSON.stringify(operator)}: In, NotIn, Exists, DoesNotExist`);
  }
}

/** Labels are data of others: a key such as "constructor" is in no label. */
function has(labels: Labels, key: string): boolean {
  return Object.hasOwn(labels, key);
}
