import { Layer2Network } from "pulumi-ovn";
import { expression } from "./sample";

export const blueSwitch = expression("layer2Switch.uuid", "blue_ovn_layer2_switch");

export const network = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: expression('keys.of("blue")', [16_715_779, 16_715_780]),
  nodes: {
    node1: {
      id: 2,
      tunnelAddresses: ["198.18.0.1"],
      external: { addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] },
    },
    node2: {
      id: 3,
      tunnelAddresses: ["198.18.0.2"],
      external: { addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] },
    },
  },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
};

export const layer2Network = expression("blue", () => new Layer2Network("blue", { ...network, tunnelKeys: [16_715_779, 16_715_780] }));
