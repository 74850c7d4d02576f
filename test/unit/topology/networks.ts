import type { Layer2NetworkArgs, NetworkNodeArgs } from "@pulumi-ovn/provider";

export const node = (index: number): NetworkNodeArgs => ({
  id: index + 1,
  tunnelAddresses: [`198.18.0.${index}`],
  external: {
    addresses: [`172.18.0.${10 + index}/24`, `fc00:f853:ccd:e793::${(10 + index).toString(16)}/64`],
    nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
  },
});

/** Three nodes, both families. */
export const dual: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
  nodes: { node1: node(1), node2: node(2), node3: node(3) },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
};
