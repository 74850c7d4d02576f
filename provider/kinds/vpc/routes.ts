import { type FlowForm, flowForm, WORD } from "../../backends/flows/lines/form";
import { memo } from "../../kit/memo/memo";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";
import { checkAcls } from "./acl-check";
import { checkKnown } from "./known";
import { routerBridge, tierBridge } from "./names";
import type { LogicalRouterBridgeSpec } from "./router-args";
import { type Routing, routingFlows } from "./flows/routing-flows";
import { attachmentFlows, redirectFlows } from "./flows/tier-flows";

/** Routing arguments that all logical routers of a VPC share. */
type Shared = Pick<LogicalRouterBridgeSpec, "vpc" | "tiers" | "workloads" | "acls" | "conntrackZone">;

/** Flows of all logical routers of a VPC; the word that each has for itself is its MAC. */
export interface Routes {
  readonly router: FlowForm;
  /** Flows by tier. */
  readonly tiers: Readonly<Record<string, { readonly enabled: FlowForm; readonly disabled: FlowForm }>>;
}

/** Contents that are kept, of some megabytes each for 1,000 workloads: an old and a new one of two VPCs. */
const KEPT = 4;

/**
 * Renders and checks what all hosts of a VPC share, once for each content. Throws an ArgumentError with all failures.
 *
 * Why: docs/explanation/decisions/vpc-shares-rendered-flows.md
 */
export function routesOf({ vpc, tiers, workloads, acls, conntrackZone }: Shared): Routes {
  return routesOfText(JSON.stringify({ vpc, tiers, workloads, acls, conntrackZone } satisfies Shared));
}

const routesOfText = memo(KEPT, (text) => made(JSON.parse(text) as Shared));

function made(shared: Shared): Routes {
  check(shared);
  const routing: Routing = { ...shared, mac: WORD, zone: shared.conntrackZone };
  const formsOf = (tier: string, key: number) => {
    const [bridge, attachment] = [tierBridge(key), attachmentFlows(tier, routing)];
    return { enabled: flowForm(bridge, [...attachment, ...redirectFlows(tier, routing)]), disabled: flowForm(bridge, attachment) };
  };
  return {
    router: flowForm(routerBridge(shared.vpc), routingFlows(routing), "nx-match"),
    tiers: Object.fromEntries(sortedEntries(shared.tiers).map(([tier, { key }]) => [tier, formsOf(tier, key)])),
  };
}

function check({ tiers, workloads, acls }: Shared): void {
  const failures = new Failures();
  const holders = new Holders(failures);
  for (const [tier, { key }] of sortedEntries(tiers)) holders.take("tunnel key", key, `tier "${tier}"`, propertyPath(["tiers", tier, "key"]));
  for (const [name, workload] of sortedEntries(workloads)) {
    checkKnown("tier", workload.tier, tiers, propertyPath(["workloads", name, "tier"]), failures);
    workload.addresses.forEach((address, index) => {
      holders.take("address", address, `workload "${name}"`, propertyPath(["workloads", name, "addresses", index]));
    });
  }
  checkAcls(acls, tiers, failures);
  failures.throwIfAny();
}
