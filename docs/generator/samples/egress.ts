import { blueSwitch, layer2Network } from "./common";
import { expression, type Sample } from "./sample";

const nodeLocalHost = { routerPort: "rtos-node1", hostAddresses: ["172.18.0.111"], management: { addresses: ["10.244.0.2"] } };

/** Egress and node-local access. */
export const egress: Readonly<Record<string, Sample>> = {
  EgressIPPolicy: {
    variable: "web",
    args: { network: layer2Network, workloads: ["vm1"], addresses: { "172.18.0.100": "node1", "172.18.0.101": "node2" } },
  },
  EgressAddress: {
    variable: "address",
    args: {
      zone: "node1",
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      gatewayRouterName: "GR_blue_node1",
      externalSwitch: "ext_blue_node1",
      address: "172.18.0.100",
      workloads: ["203.203.0.17"],
    },
  },
  EgressReroute: {
    variable: "reroute",
    args: {
      zone: "node1",
      policy: "web",
      router: expression("transitRouter.uuid", "blue_transit_router"),
      switch: blueSwitch,
      workloads: { vm1: { addresses: ["203.203.0.17"] } },
      nextHops: { node1: ["100.88.0.5"], node2: ["100.88.0.7"] },
      keep: ["203.203.0.0/16", "100.65.0.0/16", "100.88.0.0/16", "172.18.0.0/24"],
    },
  },
  NodeLocalAccess: {
    variable: "local",
    args: { zones: { node1: { router: expression("router.uuid", "ovn_cluster_router"), nodes: { node1: nodeLocalHost } } } },
  },
  NodeLocalGateway: {
    variable: "gateway",
    args: {
      zone: "node1",
      router: expression("router.uuid", "ovn_cluster_router"),
      chassis: ["node1"],
      nodes: { node1: { ...nodeLocalHost, addresses: expression('addresses.of("node1")', ["169.254.0.3", "fd99:1::3"]) } },
    },
  },
  NodeLocalBridge: { variable: "bridge", args: { zone: "node1" } },
};
