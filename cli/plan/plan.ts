import { kindOfType, TYPE_PREFIX } from "@pulumi-ovn/provider";
import { listsIn, withMembers } from "../stack/members";
import { type Target, targetKind, targetName } from "./target";
import type { Preview, State, Step } from "./preview";
import { changesOf, partsOf, type ResourceChange } from "./steps";
import { type Untold, whyUntold } from "./untold";

/** A resource's properties before or after an update. */
export interface Side {
  readonly state: State;
  /** Undefined if its name is not known yet, or if the resource has no target. */
  readonly target: Target | undefined;
  /** Reason why the arguments do not determine the rows. Undefined if they do. */
  readonly untold: Untold | undefined;
}

/** A resource of this package in a plan. */
export interface PlannedResource {
  readonly urn: string;
  /** URN under which the resource was created. Row UUIDs derive from it. */
  readonly owner: string;
  /** Last part of the type, such as `GatewayRouter`. */
  readonly kind: string;
  readonly name: string;
  readonly operation: ResourceChange["operation"] | "same";
  /** Undefined for a resource that the update creates. */
  readonly before: Side | undefined;
  /** Undefined for a resource that the update deletes. */
  readonly after: Side | undefined;
}

/** All resources of this package that a stack has before or after an update. */
export interface Plan {
  readonly project: string;
  readonly stack: string;
  /** Sorted so that each resource follows those that it depends on. */
  readonly resources: readonly PlannedResource[];
}

/**
 * The plan in a preview. Pure. Zones' parts of shared lists (`members`) are included in the arguments. The preview must have been made with
 * `--show-sames` (see `readSource`); otherwise unchanged resources are missing. Leftovers of interrupted replacements are left out.
 */
export function planOf(preview: Pick<Preview, "steps">): Plan {
  const steps = withMembersOf(preview.steps);
  const changes = new Map(changesOf(steps).flatMap((change) => (change.replacement ? [] : [[change.urn, change] as const])));
  const known = new Map<string, Planned>();
  for (const step of steps) {
    const { urn, op } = step;
    if (!partsOf(urn).type.startsWith(TYPE_PREFIX) || known.has(urn)) continue;
    const change = changes.get(urn);
    if (change === undefined && op !== "same") continue;
    known.set(urn, { ...plannedOf(urn, change ?? unchanged(step)), needs: needsOf(step) });
  }
  const { project = "", stack = "" } = preview.steps[0] ? partsOf(preview.steps[0].urn) : {};
  return { project, stack, resources: sorted(known) };
}

/** Steps with the lists that their resources refer to. The lists are in other resources, whether these change or not. */
export function withMembersOf(steps: readonly Step[]): Step[] {
  const lists = listsIn(steps.flatMap(({ oldState, newState }) => [oldState, newState].filter((state) => !!state)));
  return steps.map((step) => ({
    ...step,
    oldState: step.oldState && withMembers(step.oldState, lists),
    newState: step.newState && withMembers(step.newState, lists),
  }));
}

type Planned = PlannedResource & { readonly needs: readonly string[] };

function unchanged({ oldState, newState }: Step): Pick<ResourceChange, "before" | "after"> & { readonly operation: "same" } {
  const state = newState ?? oldState ?? undefined;
  return { operation: "same", before: oldState ?? state, after: state };
}

function plannedOf(urn: string, { operation, before, after }: Pick<ResourceChange, "before" | "after"> & Pick<PlannedResource, "operation">): PlannedResource {
  const { type, name } = partsOf(urn);
  const owner = after?.inputs.owner ?? before?.inputs.owner;
  return {
    urn,
    owner: typeof owner === "string" ? owner : urn,
    kind: kindOfType(type),
    name,
    operation,
    before: before && sideOf(before),
    after: after && sideOf(after),
  };
}

function sideOf(state: State): Side {
  const kind = targetKind(state);
  const name = targetName(state, kind);
  return { state, target: name === undefined ? undefined : { kind, name }, untold: whyUntold(state.inputs) };
}

function needsOf({ oldState, newState }: Step): string[] {
  return [...(oldState?.dependencies ?? []), ...(newState?.dependencies ?? [])];
}

/** The engine's order, which puts deletions last, changed where a resource depends on a deleted one. */
function sorted(known: ReadonlyMap<string, Planned>): PlannedResource[] {
  const done = new Set<string>();
  const result: PlannedResource[] = [];
  const visit = (urn: string): void => {
    const planned = known.get(urn);
    if (planned === undefined || done.has(urn)) return;
    done.add(urn);
    for (const need of planned.needs) visit(need);
    const { needs: _needs, ...resource } = planned;
    result.push(resource);
  };
  for (const urn of known.keys()) visit(urn);
  return result;
}
