import { expandLayer2Network, type Layer2NetworkArgs, networkResources } from "@pulumi-ovn/provider";
import { checked, ownerOf } from "../../../support/provider";

type Properties = Record<string, unknown>;
export interface FakeStep {
  op: string;
  urn: string;
  oldState?: Properties | null;
  newState?: Properties | null;
  replaceReasons?: string[];
  diffReasons?: string[];
}

export const zoneNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `node${index + 1}`);
const zones = Object.fromEntries(zoneNames(40).map((zone) => [zone, { northbound: `unix:${zone}n`, southbound: `unix:${zone}s`, openvswitch: "unix:o" }]));
const ROOT = "urn:pulumi:dev::trial::pulumi:pulumi:Stack::trial-dev";
export const root: FakeStep = { op: "same", urn: ROOT, oldState: { type: "pulumi:pulumi:Stack" }, newState: { type: "pulumi:pulumi:Stack" } };

/** Checked inputs of a resource's arguments, as in a preview. */
export function inputsOf(kind: string, name: string, args: object): Promise<Properties> {
  return checked(kind, name, args, zones);
}

/** The step by which a resource goes from one state to another; none where nothing changes. */
export function stepOf(kind: string, name: string, before: Properties | undefined, after: Properties | undefined): FakeStep[] {
  const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
  const state = (inputs: Properties | undefined) => inputs && { type, inputs };
  const op = !before ? "create" : !after ? "delete" : before.zone !== after.zone ? "replace" : "update";
  if (before && after && op === "update" && before.digest === after.digest) return [];
  const states = { ...(before && { oldState: state(before) }), ...(after && { newState: state(after) }) };
  return [{ op, urn: ownerOf(kind, name), ...states, ...(op === "replace" && { replaceReasons: ["zone"] }) }];
}

/** A network over so many nodes, with a workload on each. */
export function network(nodes: number, change: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs {
  const indexes = Array.from({ length: nodes }, (_, index) => index + 1);
  return {
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: { switch: 16715779, router: 16715780 },
    nodes: Object.fromEntries(
      indexes.map((index) => [`node${index}`, { id: index + 1, external: { addresses: [`172.18.0.${10 + index}/24`], nextHops: ["172.18.0.1"] } }]),
    ),
    workloads: Object.fromEntries(indexes.map((index) => [`vm${index}`, { node: `node${index}`, addresses: [`203.203.0.${20 + index}`] }])),
    ...change,
  };
}

async function resourcesOf(args: Layer2NetworkArgs): Promise<Map<string, Properties>> {
  const checkedInputs = networkResources(args.name, expandLayer2Network(args)).map(
    async ({ kind, name, args: given }) => [`${kind} ${name}`, await inputsOf(kind, name, given)] as const,
  );
  return new Map(await Promise.all(checkedInputs));
}

/** `pulumi preview --json` of a stack in which a network changes from one to another. */
export async function networkPreview(before: Layer2NetworkArgs | undefined, after: Layer2NetworkArgs): Promise<{ steps: FakeStep[] }> {
  const [old, wanted] = [before ? await resourcesOf(before) : new Map<string, Properties>(), await resourcesOf(after)];
  const keys = [...new Set([...old.keys(), ...wanted.keys()])];
  const steps = keys.flatMap((key) => {
    const [kind, name] = key.split(" ") as [string, string];
    return stepOf(kind, name, old.get(key), wanted.get(key));
  });
  return { steps: [root, ...steps] };
}
