import { ArgumentError } from "../../kit/arguments/errors";
import type { LabelRequirement, LabelSelector, Metadata } from "./facts";

/** Whether an object with this metadata is selected. */
export type Selects = (metadata: Metadata) => boolean;

type Labels = Readonly<Record<string, string>>;

const NONE: Labels = {};

/** Reads a selector once, for many objects. A missing or empty selector selects everything. */
export function selectorOf(selector: LabelSelector | undefined): Selects {
  const equal = Object.entries(selector?.matchLabels ?? {});
  const tests = (selector?.matchExpressions ?? []).map((requirement, index) => test(requirement, `matchExpressions[${index}]`));
  return ({ labels = NONE }) => equal.every(([key, value]) => labels[key] === value) && tests.every((holds) => holds(labels));
}

export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
}

function test(requirement: LabelRequirement, path: string): (labels: Labels) => boolean {
  const problem = requirementProblem(requirement);
  if (problem !== undefined) throw ArgumentError.of(path, "selector", problem);
  const { key, operator, values = [] } = requirement;
  if (operator === "Exists" || operator === "DoesNotExist") return (labels) => has(labels, key) === (operator === "Exists");
  const wanted = new Set(values);
  // An object without the label is not in the list (meta/v1 LabelSelectorRequirement).
  return (labels) => (has(labels, key) && wanted.has(labels[key]!)) === (operator === "In");
}

/** Why the API would not take a requirement; undefined where it would. */
export function requirementProblem({ operator, values = [] }: LabelRequirement): string | undefined {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0 ? `${operator} needs values` : undefined;
    case "Exists":
    case "DoesNotExist":
      return values.length > 0 ? `${operator} has no values` : undefined;
    default:
      return `there is no operator ${JSON.stringify(operator)}: In, NotIn, Exists, DoesNotExist`;
  }
}

/** Labels are data of others: a key such as "constructor" is in no label. */
function has(labels: Labels, key: string): boolean {
  return Object.hasOwn(labels, key);
}
