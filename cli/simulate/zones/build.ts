import { rowKindOfType } from "@pulumi-ovn/provider";
import { contents, handlers, type Properties } from "@pulumi-ovn/provider/tools";
import type { Plan, PlannedResource, Side } from "../../plan/plan";
import type { Shadow } from "../shadow/shadow";

/** A resource that could not be written to the shadow. */
export interface Omission {
  readonly zone: string;
  readonly resource: string;
  readonly why: string;
}

/** Reasons why a resource's rows are not known. */
export const UNTOLD = {
  secret: "its arguments are hidden as secrets",
  unknown: "its arguments are known only during the update",
  unobserved: "its arguments depend on a target that the preview could not read",
} as const;

/** A resource with rows in a zone's databases, before or after. */
interface Written {
  readonly resource: PlannedResource;
  readonly side: Side;
}

/** Zones with rows of the plan's resources, before or after. */
export function zonesOf({ resources }: Plan): string[] {
  return [...new Set(resources.flatMap(({ before, after }) => [before, after].flatMap((side) => (side && hasRows(side) ? [side.target!.name] : []))))].sort();
}

/** Zones whose rows the plan changes. */
export function changedZones(plan: Plan): readonly string[] {
  return zonesOf({ ...plan, resources: plan.resources.filter(({ operation }) => operation !== "same") });
}

/** Writes the rows of the state into an empty shadow. */
export function writeState({ resources }: Plan, shadow: Shadow): Promise<Omission[]> {
  const all = resources.flatMap((resource): Written[] => {
    const side = sideIn(shadow.zone, resource.before);
    return side ? [{ resource, side }] : [];
  });
  return createAll(shadow, all);
}

/**
 * Applies the plan to the rows of a shadow, as the engine would: creations and updates first, then deletions in reverse.
 * @param isLive whether the rows are those of the live databases, with adopted ones
 */
export async function applyPlan({ resources }: Plan, shadow: Shadow, isLive: boolean): Promise<Omission[]> {
  const { zone } = shadow;
  const omissions: Omission[] = [];
  const changed = resources.filter(({ operation }) => operation !== "same");
  for (const resource of changed) {
    const [before, side] = [sideIn(zone, resource.before), sideIn(zone, resource.after)];
    if (side)
      omissions.push(
        ...(await attempt(shadow, { resource, side }, () =>
          before ? update(shadow, resource, outputsOf(before, isLive), side) : create(shadow, { resource, side }),
        )),
      );
  }
  const deleted = changed.toReversed().flatMap((resource): Written[] => {
    const side = sideIn(zone, resource.before);
    return side && !sideIn(zone, resource.after) && !keepsRows(resource) ? [{ resource, side }] : [];
  });
  if (deleted.length > 0 && omissions.some(({ why }) => TAKEN.test(why))) return [...omissions, unreached(zone, deleted.length)];
  for (const each of deleted) omissions.push(...(await attempt(shadow, each, () => remove(shadow, each.resource, outputsOf(each.side, isLive)))));
  return omissions;
}

/** Failures of an update in the real zone, too: a row of another resource has the value. Others can be rows that the shadow lacks. */
const TAKEN = /^OVN_(?:CLAIMED|FOREIGN_ROW|NAME_TAKEN): /;

/** Pulumi deletes last, and not after a failure. */
function unreached(zone: string, count: number): Omission {
  return { zone, resource: `the deletion of ${count} ${count === 1 ? "resource" : "resources"}`, why: "the update fails before it" };
}

/** Tries again what failed, as long as others succeed: a preview of some resources only does not contain the order of the others. */
async function createAll(shadow: Shadow, all: readonly Written[]): Promise<Omission[]> {
  let left = all;
  for (;;) {
    const failed: (readonly [Written, readonly Omission[]])[] = [];
    for (const written of left) {
      const omissions = await attempt(shadow, written, () => create(shadow, written));
      if (omissions.length > 0) failed.push([written, omissions]);
    }
    if (failed.length === 0 || failed.length === left.length) return failed.flatMap(([, omissions]) => omissions);
    left = failed.map(([written]) => written);
  }
}

function keepsRows({ operation, before }: PlannedResource): boolean {
  return operation === "forget" || before?.state.retainOnDelete === true;
}

function hasRows({ target, state }: Side): boolean {
  const database = rowKindOfType(state.type)?.database;
  return target?.kind === "zone" && (database === "OVN_Northbound" || database === "OVN_Southbound");
}

function sideIn(zone: string, side: Side | undefined): Side | undefined {
  return side && hasRows(side) && side.target!.name === zone ? side : undefined;
}

async function attempt({ zone, endpoint }: Shadow, { resource, side }: Written, write: () => Promise<unknown>): Promise<Omission[]> {
  const omission = (why: string): Omission[] => [{ zone, resource: `${resource.kind} "${resource.name}"`, why }];
  if (side.untold) return omission(UNTOLD[side.untold]);
  try {
    await write();
    return [];
  } catch (error) {
    // The socket has another path in each run.
    return omission((error as Error).message.replaceAll(` (${endpoint})`, ""));
  }
}

const request = ({ connections }: Shadow, { owner }: PlannedResource) => ({ urn: owner, secrets: [], targets: connections });

function create(shadow: Shadow, { resource, side }: Written): Promise<unknown> {
  return handlers[resource.kind]!.create({ ...request(shadow, resource), news: properties(side.state.inputs) });
}

function update(shadow: Shadow, resource: PlannedResource, olds: Properties, after: Side): Promise<unknown> {
  return handlers[resource.kind]!.update({ ...request(shadow, resource), id: "", olds, news: properties(after.state.inputs) });
}

function remove(shadow: Shadow, resource: PlannedResource, olds: Properties): Promise<void> {
  return handlers[resource.kind]!.delete({ ...request(shadow, resource), id: "", olds });
}

/**
 * Rows of the state have derived UUIDs in a shadow: adopted rows are rows of others, which the state does not contain. The resource was
 * created again in the shadow: with the revision of the state, a deletion would be that of a replaced resource, whose rows stay.
 */
function outputsOf({ state: { inputs, outputs } }: Side, isLive: boolean): Properties {
  const all = properties(outputs ?? inputs);
  const { adopted: _adopted, revision: _revision, ...own } = all;
  return isLive ? all : own;
}

function properties(given: Readonly<Record<string, unknown>>): Properties {
  return contents({ ...given });
}
