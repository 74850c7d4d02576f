import { networkResourceName, typeToken } from "@pulumi-ovn/provider";
import { MEMBERS_KIND } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { INTENT_NETWORKS } from "../../intents/in-state";
import type { Preview, State } from "../../plan/preview";
import { partsOf } from "../../plan/steps";
import type { VpcInState } from "../../vpc/model";

/** A network that intents are about, at one time. */
export interface IntentSubject {
  /** Workloads by the name that the program gives them. */
  readonly workloads: Readonly<Record<string, { readonly port: string; readonly addresses: readonly string[] }>>;
  /** Zone of each node; a host of a VPC is its own. */
  readonly zones: Readonly<Record<string, string>>;
}

const membersSchema = z.object({ workloads: z.record(z.string(), z.object({ addresses: z.array(z.string()) })).default({}) });
const ports = z.record(z.string(), z.string());

/** Pure. The subject of a network at one time. Undefined if the network does not exist then, or if its workloads are not known. */
export function subjectOf(
  { steps }: Pick<Preview, "steps">,
  urn: string,
  side: "oldState" | "newState",
  vpcs: readonly VpcInState[],
): IntentSubject | undefined {
  const stateOf = (step: (typeof steps)[number]): State | undefined =>
    (side === "newState" && step.op === "same" ? (step.newState ?? step.oldState) : step[side]) ?? undefined;
  const own = steps.find((step) => step.urn === urn);
  const state = own && stateOf(own);
  if (state === undefined) return undefined;
  if (INTENT_NETWORKS[state.type] === "Vpc") return vpcSubject(vpcs.find((vpc) => vpc.component === urn));
  const children = steps.flatMap((step) => {
    const child = stateOf(step);
    return child?.parent === urn ? [{ name: partsOf(step.urn).name, ...child }] : [];
  });
  const found = membersSchema.safeParse(children.find(({ type }) => type === typeToken(MEMBERS_KIND))?.inputs);
  if (!found.success) return undefined;
  const network = partsOf(urn).name;
  const named = ports.safeParse(state.inputs["ports"]).data ?? {};
  const byPort = new Map(Object.entries(named).map(([name, port]) => [port, name]));
  const gateways = children.flatMap(({ name, type, inputs }) => {
    const prefix = networkResourceName(network, "GatewayRouter", "");
    return type === typeToken("GatewayRouter") && name.startsWith(prefix) ? [[name.slice(prefix.length), String(inputs["zone"])] as const] : [];
  });
  return {
    workloads: Object.fromEntries(Object.entries(found.data.workloads).map(([port, { addresses }]) => [byPort.get(port) ?? port, { port, addresses }])),
    zones: Object.fromEntries(gateways),
  };
}

function vpcSubject(vpc: VpcInState | undefined): IntentSubject | undefined {
  if (vpc?.topology === undefined) return undefined;
  return {
    workloads: Object.fromEntries(Object.entries(vpc.topology.workloads).map(([name, { addresses }]) => [name, { port: name, addresses }])),
    zones: Object.fromEntries([...vpc.switches.keys()].map((host) => [host, host])),
  };
}
