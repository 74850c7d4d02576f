import { blueSwitch, network } from "./common";
import { expression, type Sample } from "./sample";

const firstKey = expression('keys.of("blue")[0]', 16_715_779);
const secondKey = expression('keys.of("blue")[1]', 16_715_780);
const nodes = { node1: { id: 2 }, node2: { id: 3 } };

/** Layer-2 networks. */
export const networks: Readonly<Record<string, Sample>> = {
  Layer2Network: { variable: "blue", args: network },
  Layer2Switch: {
    variable: "layer2Switch",
    args: {
      zone: "node1",
      name: "blue_ovn_layer2_switch",
      subnets: ["203.203.0.0/16", "2010:100:200::/60"],
      tunnelKey: firstKey,
      managementPort: { name: "k8s-blue_node1", addresses: ["203.203.0.2", "2010:100:200::2"], tunnelKey: 2 },
    },
  },
  TransitRouter: {
    variable: "transitRouter",
    args: {
      zone: "node1",
      name: "blue_transit_router",
      tunnelKey: secondKey,
      switch: blueSwitch,
      switchName: "blue_ovn_layer2_switch",
      switchPortTunnelKey: 1,
      gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"] },
      chassis: "node1",
    },
  },
  GatewayRouter: {
    variable: "gatewayRouter",
    args: {
      zone: "node1",
      name: "GR_blue_node1",
      chassis: "node1",
      external: { switchName: "ext_blue_node1", localnetPortName: "br-ex_blue_node1", addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] },
      joinAddresses: ["100.65.0.2"],
      snatSubnets: ["203.203.0.0/16"],
    },
  },
  GatewayPeer: {
    variable: "peer",
    args: {
      zone: "node1",
      network: "blue",
      node: "node1",
      nodes,
      router: expression("transitRouter.uuid", "blue_transit_router"),
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      subnets: ["203.203.0.0/16"],
      joinSubnets: ["100.65.0.0/16"],
      transitSubnets: ["100.88.0.0/16"],
    },
  },
  Layer2Gateway: {
    variable: "topology",
    args: {
      zone: "node1",
      network: "blue",
      node: "node1",
      nodes: { node1: { id: 2 }, node2: { id: 3, topology: "gateway" } },
      upgrade: "move",
      switch: blueSwitch,
      switchName: "blue_ovn_layer2_switch",
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      tunnelKey: secondKey,
      gateway: { addresses: ["203.203.0.1/16"] },
      subnets: ["203.203.0.0/16"],
      joinSubnets: ["100.65.0.0/16"],
      transitSubnets: ["100.88.0.0/16"],
    },
  },
  WorkloadPorts: {
    variable: "workloads",
    args: {
      zone: "node1",
      switch: blueSwitch,
      ports: { vm1: { addresses: ["203.203.0.17"], tunnelKey: 27 }, vm2: { addresses: ["203.203.0.18"], tunnelKey: 28, remote: true, chassis: ["node2"] } },
    },
  },
  DhcpOptions: {
    variable: "dhcp",
    args: {
      zone: "node1",
      subnet: "203.203.0.0/16",
      serverMac: "0a:58:cb:cb:00:01",
      serverAddress: "203.203.0.1",
      router: "203.203.0.1",
      dnsServers: ["10.96.0.10"],
    },
  },
  RemoteChassis: { variable: "tunnels", args: { zone: "node1", chassis: { node2: { addresses: ["198.18.0.2"] } } } },
  AddressPool: { variable: "addresses", args: { owners: ["node1", "node2"], subnets: ["169.254.0.0/20"] } },
  Propagation: {
    variable: "reached",
    args: { zone: "node1", waitFor: "chassis", revision: expression("[transitRouter.revision, peer.revision]", ["a", "b"]) },
  },
  TunnelKeyPool: { variable: "keys", args: { owners: { blue: 2 } } },
};
