import { logicalRouterBridge, typeToken, vpcBridges } from "@pulumi-ovn/provider";
import { hasUnknown } from "@pulumi-ovn/provider/tools";
import type { Preview, State } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import { type Untold, whyUntold } from "../../plan/untold";
import { type VpcResource, vpcsIn, type VpcInState } from "../../vpc/model";
import { UNTOLD } from "../zones/build";
import { plannedTopology } from "./planned-topology";

/** The VPCs of a stack before and after a plan. */
export interface VpcSides {
  readonly before: readonly VpcInState[];
  readonly after: readonly VpcInState[];
  /** Resources whose arguments are not known after the plan. */
  readonly untold: readonly UntoldPart[];
  /** URNs under which the updated parts are owned. An update restores rows and flows that a host lacks, also with the same arguments. */
  readonly updated: ReadonlySet<string>;
}

interface UntoldPart {
  /** URN of the VPC's component. */
  readonly component: string;
  readonly host: string;
  /** Such as `LogicalRouterBridge "shop-router-node1"`. */
  readonly resource: string;
  readonly why: string;
}

const PARTS: Readonly<Record<string, string>> = Object.fromEntries([vpcBridges, logicalRouterBridge].map(({ name }) => [typeToken(name), name]));

/** Pure. The VPCs of a preview that was made with `--show-sames`. */
export function vpcSides({ steps }: Pick<Preview, "steps">): VpcSides {
  const [before, after] = [new Map<string, VpcResource>(), new Map<string, VpcResource>()];
  const renamed = renamedIn(steps);
  for (const { urn, op, oldState, newState } of steps) {
    if (oldState && !oldState.delete) before.set(urn, resourceOf(urn, { ...oldState, parent: renamed.get(oldState.parent) ?? oldState.parent }));
    const goes = op.startsWith("delete") || op === "remove-pending-replace" || op === "discard-replaced";
    const next = newState ?? (goes ? undefined : oldState);
    // Outputs of components are not in previews. Those of the state hold where the component has not changed.
    if (next) after.set(urn, resourceOf(urn, { ...next, outputs: next.outputs ?? oldState?.outputs }));
  }
  const untold: UntoldPart[] = [];
  for (const [urn, resource] of after) {
    const why = PARTS[resource.type] && untoldOf(resource);
    if (why === undefined || why === "") continue;
    const { parent: component, inputs } = resource;
    untold.push({ component, host: String(inputs["host"]), resource: `${PARTS[resource.type]} "${partsOf(urn).name}"`, why: UNTOLD[why] });
    // Other hosts need its tunnel address, which rarely changes.
    const known = before.get(urn);
    if (known === undefined) after.delete(urn);
    else after.set(urn, known);
  }
  const hosts = (vpc: VpcInState) => new Set(untold.filter(({ component }) => component === vpc.component).map(({ host }) => host));
  return {
    before: vpcsIn({ resources: [...before.values()] }),
    after: vpcsIn({ resources: [...after.values()] }).map((vpc) => ({ ...vpc, topology: plannedTopology(vpc, hosts(vpc)) })),
    untold,
    updated: new Set(
      steps.flatMap(({ op, urn, oldState }) => (op !== "update" ? [] : [typeof oldState?.inputs["owner"] === "string" ? oldState.inputs["owner"] : urn])),
    ),
  };
}

/** New URNs by those of old states, which a rename with an alias leaves different. */
function renamedIn(steps: Preview["steps"]): ReadonlyMap<unknown, string> {
  return new Map(steps.flatMap(({ urn, oldState }) => (oldState ? [[oldState["urn"], urn] as const] : [])));
}

function resourceOf(urn: string, { type, parent = "", inputs, outputs = {} }: State): VpcResource {
  return { urn, type, parent, inputs, outputs };
}

function untoldOf(resource: VpcResource): Untold | undefined {
  const why = whyUntold(resource.inputs) ?? (hasUnknown(resource.inputs) ? "unknown" : undefined);
  if (why !== undefined) return why;
  try {
    vpcsIn({ resources: [resource] });
    return undefined;
  } catch {
    // A secret instead of an address.
    return "secret";
  }
}
