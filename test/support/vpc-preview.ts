import { checkedIntent, expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { vpcState } from "./vpc-state";

interface Resource {
  readonly urn: string;
  readonly type: string;
}

/**
 * A preview from VPCs to others, as Pulumi prints it: without outputs of components.
 * @param intents of each VPC after it. Undefined: none, so that the preview does not show workloads' hosts.
 */
export function vpcPreview(before: readonly VpcArgs[], after: readonly VpcArgs[], intents?: readonly object[]): { readonly steps: readonly object[] } {
  const resources = (all: readonly VpcArgs[]) => all.flatMap((args) => (vpcState(args) as { deployment: { resources: Resource[] } }).deployment.resources);
  const byUrn = (all: readonly VpcArgs[]) => new Map(resources(all).map((each) => [each.urn, each]));
  const [old, wanted] = [byUrn(before), byUrn(after)];
  const inputsOf = (urn: string) => (intents === undefined ? {} : statedIn(after.find(({ name }) => urn.endsWith(`::${name}`))!, intents));
  const steps = [...wanted.values()].map(({ urn, type, ...state }) => {
    const oldState = old.get(urn);
    const newState = type === "ovn:network:Vpc" ? { type, inputs: inputsOf(urn) } : { type, ...state };
    return { op: oldState ? "update" : "create", urn, ...(oldState && { oldState }), newState };
  });
  const deleted = [...old.values()].filter(({ urn }) => !wanted.has(urn)).map((oldState) => ({ op: "delete", urn: oldState.urn, oldState }));
  return { steps: [...steps, ...deleted] };
}

function statedIn(args: VpcArgs, intents: readonly object[]): object {
  const workloads = Object.fromEntries(Object.entries(args.workloads!).map(([name, { addresses }]) => [name, { addresses, labels: {} }]));
  const subnets = Object.values(args.tiers).flatMap(({ cidrs }) => cidrs);
  const subject = { workloads, nodes: Object.keys(args.hosts), subnets, decidesSource: false };
  const stated = intents.map((given) => checkedIntent(given, subject)).map(({ text, intent }) => [text, intent] as const);
  return { intents: Object.fromEntries(stated), places: expandVpc(args).places };
}
