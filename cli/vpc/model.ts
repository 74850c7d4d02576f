import { argumentNames, logicalRouterBridge, typeToken, vpcBridges } from "@pulumi-ovn/provider";
import { flowCookie, type LogicalRouterBridgeSpec, routerBridge, tierBridge, tierFields, type VpcBridgesSpec, vpcSchema } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { CommandError } from "../command";
import type { StateResource } from "../stack/stack-state";

/** Part of a VPC that one resource has on its host. */
export interface Part<Spec> {
  readonly spec: Spec;
  /** URN under which its rows and flows are owned. */
  readonly owner: string;
  /** Cookie of its flows. */
  readonly cookie: string;
  /** Its output `state` when it was last written; only logical routers have one. */
  readonly recorded: string | undefined;
}

/** Hosts of tiers and workloads. Only the component knows all of them. */
const topologySchema = z.object({
  tiers: z.record(z.string(), z.object({ ...tierFields, gatewayMac: z.string() })),
  workloads: vpcSchema.shape.workloads,
  virtualRouter: vpcSchema.shape.virtualRouter,
});

export type VpcTopology = z.output<typeof topologySchema>;

/** A VPC as a stack's state has it. */
export interface VpcInState {
  readonly name: string;
  /** URN of its component. "": the resources are in no component. */
  readonly component: string;
  /** Keyed by host, for each host that the VPC spans. */
  readonly switches: ReadonlyMap<string, Part<VpcBridgesSpec>>;
  readonly routers: ReadonlyMap<string, Part<LogicalRouterBridgeSpec>>;
  /** Undefined if the resources are not in a component, or if the release that wrote the state did not store it. */
  readonly topology: VpcTopology | undefined;
}

/** The part of a resource in a state that is read here. */
export type VpcResource = Pick<StateResource, "urn" | "type" | "parent" | "inputs" | "outputs">;

const COMPONENT = "ovn:network:Vpc";
const [SWITCH, ROUTER] = [typeToken(vpcBridges.name), typeToken(logicalRouterBridge.name)];

/** Pure. All VPCs of a stack, by name; two components may have VPCs of one name on different hosts. */
export function vpcsIn({ resources }: { readonly resources: readonly VpcResource[] }): VpcInState[] {
  const components = new Map(resources.flatMap((resource) => (resource.type === COMPONENT ? [[resource.urn, topologyIn(resource)] as const] : [])));
  const found = new Map<string, VpcInState & { switches: Map<string, Part<VpcBridgesSpec>>; routers: Map<string, Part<LogicalRouterBridgeSpec>> }>();
  for (const resource of resources) {
    if (resource.type !== SWITCH && resource.type !== ROUTER) continue;
    const { vpc: name, host } = resource.inputs as { readonly vpc: string; readonly host: string };
    const parent = components.has(resource.parent) ? resource.parent : "";
    const key = JSON.stringify([parent, name]);
    const vpc = found.get(key) ?? { name, component: parent, switches: new Map(), routers: new Map(), topology: components.get(parent) };
    found.set(key, vpc);
    if (resource.type === SWITCH) vpc.switches.set(host, partOf(resource, vpcBridges.schema));
    else vpc.routers.set(host, partOf(resource, logicalRouterBridge.schema));
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hosts of a VPC, sorted. */
export function hostsOf({ switches, routers }: VpcInState): string[] {
  return [...new Set([...switches.keys(), ...routers.keys()])].sort();
}

/** Bridges of a VPC on a host: its tiers' and its logical router's, which the virtual router's host does not have. */
export function bridgesOf({ name, switches }: VpcInState): string[] {
  const keys = [...switches.values()].flatMap(({ spec }) => Object.values(spec.tiers));
  return [...[...new Set(keys)].map(tierBridge), routerBridge(name)];
}

/** The virtual router's host: the one that has no logical router, where the state does not tell. */
export function virtualRouterHost(vpc: VpcInState): string | undefined {
  if (vpc.topology !== undefined) return vpc.topology.virtualRouter.host;
  const without = hostsOf(vpc).filter((host) => !vpc.routers.has(host));
  return without.length === 1 ? without[0] : undefined;
}

function topologyIn({ inputs, outputs }: VpcResource): VpcInState["topology"] {
  // With intents they are inputs, too: previews show no outputs of components.
  return topologySchema.safeParse(inputs["places"]).data ?? topologySchema.safeParse(outputs).data;
}

function partOf<Spec>({ urn, inputs, outputs }: VpcResource, schema: z.ZodType<Spec>): Part<Spec> {
  const given = Object.fromEntries(argumentNames(schema).flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]]])));
  const read = schema.safeParse(given);
  if (!read.success)
    throw new CommandError(
      "OVN_STATE",
      `${urn}: its argument ${read.error.issues[0]!.path.join(".")} can't be read from the state: it is a secret, or of another release`,
    );
  const { state } = outputs;
  const owner = typeof inputs["owner"] === "string" ? inputs["owner"] : urn;
  return {
    spec: read.data,
    owner,
    cookie: flowCookie(owner),
    recorded: typeof state === "string" ? state : undefined,
  };
}
