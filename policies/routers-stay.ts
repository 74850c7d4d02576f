import type { StackValidationPolicy } from "@pulumi/policy";
import { kindOf, targetOf } from "./resource";
import { stateBefore } from "./state";

/** Kinds with a router that running connections pass. */
const ROUTERS: ReadonlySet<string | undefined> = new Set(["TransitRouter", "GatewayRouter", "Layer2Gateway", "LogicalRouterBridge"]);

/** No router is replaced or removed. */
export const routersStay: StackValidationPolicy = {
  name: "routers-stay",
  description: "No router is replaced or removed: its connections would break.",
  configSchema: { properties: { except: { type: "array", items: { type: "string" }, default: [], description: "Names of resources that may go" } } },
  validateStack: ({ resources, getConfig }, report) => {
    const { except } = getConfig<{ except: string[] }>();
    const after = new Map(resources.map((resource) => [resource.urn, resource]));
    for (const { urn, type, name, props } of stateBefore().values()) {
      if (!ROUTERS.has(kindOf(type)) || except.includes(name)) continue;
      const now = after.get(urn);
      const [was, is] = [targetOf(props), now && targetOf(now.props)];
      if (now === undefined) report(`${kindOf(type)} "${name}" in ${was} would be removed`, urn);
      else if (was !== is) report(`${kindOf(type)} "${name}" would be replaced: it moves from ${was} to ${is}`, urn);
    }
  },
};
