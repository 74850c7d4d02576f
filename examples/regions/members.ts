import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type * as ovn from "pulumi-ovn";

/** Arguments that are the same in all regions. */
export const network = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  transitSubnets: ["100.88.0.0/16", "fd97::/64"],
  // Not from a `TunnelKeyPool`: the pool of each stack would choose keys of its own.
  tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
} satisfies Partial<ovn.Layer2NetworkArgs>;

/** Part of the network in one region. Exported by its stack; contains no outputs, because names decide which resources there are. */
export interface Members {
  readonly nodes: ovn.Layer2NetworkArgs["nodes"];
  readonly workloads: NonNullable<ovn.Layer2NetworkArgs["workloads"]>;
}

interface Exported extends Members {
  readonly network: typeof network;
}

/** Reads the members that another region's stack exported in its last update. */
async function exportedBy(stack: string): Promise<Exported> {
  const { value } = await new pulumi.StackReference(stack).getOutputDetails("members");
  // Without this, a destroyed region would look like a region without members.
  if (value === undefined) throw new pulumi.RunError(`stack ${stack} exports no members: run its first update, or remove it from "others"`);
  const exported = value as Exported;
  if (!isDeepStrictEqual(exported.network, network)) throw new pulumi.RunError(`stack ${stack} has another network: ${JSON.stringify(exported.network)}`);
  return exported;
}

/** Members of all regions. Refuses a name that two regions use; `Layer2Network` refuses equal ids, addresses and keys. */
export async function allMembers(own: Members, stacks: readonly string[]): Promise<Members> {
  const all: { nodes: Members["nodes"]; workloads: Members["workloads"] } = { nodes: { ...own.nodes }, workloads: { ...own.workloads } };
  for (const stack of stacks) {
    const others = await exportedBy(stack);
    for (const list of ["nodes", "workloads"] as const) {
      const taken = Object.keys(others[list]).find((name) => Object.hasOwn(all[list], name));
      if (taken !== undefined) throw new pulumi.RunError(`${list}.${taken}: stack ${stack} has this name, too`);
      Object.assign(all[list], others[list]);
    }
  }
  return all;
}
