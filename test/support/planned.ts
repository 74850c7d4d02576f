import { readPreview } from "@pulumi-ovn/cli/diff";
import { type Plan, planOf } from "@pulumi-ovn/cli/testing";
import { expandLayer2Network, type Layer2NetworkArgs, networkResources } from "@pulumi-ovn/provider";
import { checked, ownerOf } from "./provider";

/** A resource as a program declares it. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: object;
}

const endpoints = { northbound: "unix:n", southbound: "unix:s", openvswitch: "unix:o" };

/** The plan by which a stack goes from one list of resources to another. */
export async function planBetween(before: readonly Declared[], after: readonly Declared[]): Promise<Plan> {
  return planOf(readPreview(await previewBetween(before, after), "the preview"));
}

/** The output of `pulumi preview --json --show-sames` for that plan, with checked inputs. */
export async function previewBetween(before: readonly Declared[], after: readonly Declared[]): Promise<string> {
  return previewOf(await statesOf(before), await statesOf(after));
}

/** Resources of a stack by URN, with checked inputs, and with outputs as a state has them. */
export type States = ReadonlyMap<string, { readonly type: string; readonly inputs: Record<string, unknown>; readonly outputs: Record<string, unknown> }>;

/** The output of `pulumi preview --json --show-sames` for the plan between two states. */
export function previewOf(old: States, wanted: States): string {
  const kept = [...wanted].map(([urn, { outputs: _outputs, ...newState }]) => {
    const oldState = old.get(urn);
    const op = !oldState ? "create" : JSON.stringify(oldState.inputs) === JSON.stringify(newState.inputs) ? "same" : "update";
    return { op, urn, ...(oldState && { oldState }), newState };
  });
  const deleted = [...old].filter(([urn]) => !wanted.has(urn)).map(([urn, oldState]) => ({ op: "delete", urn, oldState }));
  return JSON.stringify({ steps: [...kept, ...deleted] });
}

/** The state of a stack with these resources. */
export async function statesOf(declared: readonly Declared[]): Promise<States> {
  const zones = Object.fromEntries(
    declared
      .map(({ args }) => [(args as { zone: string }).zone, endpoints] as const)
      .map(([zone, each], index) => [zone, { ...each, northbound: `unix:n${index}`, southbound: `unix:s${index}`, openvswitch: `unix:o${index}` }]),
  );
  const all = declared.map(async ({ kind, name, args }) => {
    const inputs = await checked(kind, name, args, zones);
    return [ownerOf(kind, name), { type: `pulumi-nodejs:dynamic/ovn:${kind}`, inputs, outputs: { ...inputs, revision: "1" } }] as const;
  });
  return new Map(await Promise.all(all));
}

/** The resources of a network. */
export const partsOf = (args: Layer2NetworkArgs): Declared[] => networkResources(args.name, expandLayer2Network(args));
