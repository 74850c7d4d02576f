import { kinds } from "@pulumi-ovn/provider";
import type { Plan } from "../../plan/plan";
import { argumentsIn } from "../../stack/rendering";

/** Pure. Names of physical networks of which each host has its own, by NodeLocalGateways. */
export function hostNetworksIn({ resources }: Plan, side: "before" | "after"): ReadonlySet<string> {
  const { schema } = kinds.NodeLocalGateway;
  const names = resources.flatMap((resource) => {
    const given = resource.kind === "NodeLocalGateway" ? resource[side] : undefined;
    return given === undefined ? [] : (schema.safeParse(argumentsIn(schema, given.state.inputs)).data?.networkName ?? []);
  });
  return new Set(names);
}
