import type { StackValidationPolicy } from "@pulumi/policy";
import { kindOf, type OvnResource, targetOf } from "./resource";
import { stateBefore } from "./state";

/** Whether an update writes to the resource's target; `digest` represents all of its rows, flows or objects. */
const isChanged = (before: OvnResource | undefined, after: OvnResource): boolean =>
  before === undefined || before.props["digest"] !== after.props["digest"] || targetOf(before.props) !== targetOf(after.props);

/** One update changes a limited number of zones, hosts and clusters. */
export const mostTargets: StackValidationPolicy = {
  name: "most-targets",
  description: "One update changes a limited number of zones, hosts and clusters.",
  configSchema: { properties: { most: { type: "integer", minimum: 1, default: 10 } } },
  validateStack: ({ resources, getConfig }, report) => {
    const { most } = getConfig<{ most: number }>();
    const before = stateBefore();
    const after = resources.filter(({ type }) => kindOf(type) !== undefined);
    const changed = after
      .filter((resource) => isChanged(before.get(resource.urn), resource))
      .flatMap(({ urn, props }) => [props, before.get(urn)?.props ?? {}]);
    const kept = new Set(after.map(({ urn }) => urn));
    for (const { urn, props } of before.values()) if (!kept.has(urn)) changed.push(props);
    const targets = [...new Set(changed.map(targetOf))].filter((target) => target !== undefined).sort();
    if (targets.length > most) report(`the update changes ${targets.length} targets, ${most} are allowed: ${targets.join(", ")}`);
  },
};
