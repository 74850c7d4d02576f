import { expandLayer2Network, type Layer2NetworkArgs } from "@pulumi-ovn/provider";

/** A dual-stack network over any of three nodes, with a workload on each. */
const SUBNETS = ["203.203.0.0/16", "2010:100:200::/60"];

const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };

export const NODES: Layer2NetworkArgs["nodes"] = {
  node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { ...outside, addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
  node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { ...outside, addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"] } },
  node3: { id: 4, tunnelAddresses: ["198.18.0.3"], external: { ...outside, addresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"] } },
};

export const WORKLOADS: NonNullable<Layer2NetworkArgs["workloads"]> = {
  vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
  vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  vm3: { node: "node3", addresses: ["203.203.0.19", "2010:100:200::13"] },
};

/** Arguments of the network `blue` over these nodes, in this order, and the workloads that are on them. */
export function blue(nodes: readonly string[] = Object.keys(NODES), change: Partial<Layer2NetworkArgs> = {}): Layer2NetworkArgs {
  const workloads = Object.entries(WORKLOADS).filter(([, { node }]) => nodes.includes(node));
  return {
    name: "blue",
    subnets: SUBNETS,
    nodes: Object.fromEntries(nodes.map((node) => [node, NODES[node]!])),
    workloads: Object.fromEntries(nodes.flatMap((node) => workloads.filter(([, workload]) => workload.node === node))),
    ...change,
  };
}

/** Program text: the network and the pool that its tunnel keys come from. */
export function program(args: Layer2NetworkArgs = blue(), waitFor: "none" | "southbound" | "chassis" = "southbound"): string {
  return `
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const blue = new ovn.Layer2Network("blue", { ...${JSON.stringify(args)}, tunnelKeys: keys.of("blue"), waitFor: "${waitFor}" });
`;
}

/** The arguments of the network's resources in one zone, for their handlers. */
export function zonePlan(node: string, change: Partial<Layer2NetworkArgs> = {}) {
  return expandLayer2Network(blue(undefined, { tunnelKeys: { switch: 16715779, router: 16715780 }, ...change })).zones[node]!;
}

/** A transit router and its links, each as a resource of its own. */
export const TRANSIT_ROUTER = {
  zone: "node1",
  name: "blue_transit_router",
  tunnelKey: 16715780,
  switch: "blue_ovn_layer2_switch",
  switchName: "blue_ovn_layer2_switch",
  chassis: "node1",
  gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"] },
};

export const GATEWAY_PEER = {
  zone: "node1",
  network: "blue",
  router: "blue_transit_router",
  gatewayRouter: "GR_blue_node1",
  node: "node1",
  nodes: { node1: { id: 2 }, node2: { id: 3 }, node3: { id: 4 } },
  subnets: SUBNETS,
  transitSubnets: ["100.88.0.0/16", "fd97::/64"],
  joinSubnets: ["100.65.0.0/16", "fd99::/64"],
};
