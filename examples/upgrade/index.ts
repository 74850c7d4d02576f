import * as ovn from "pulumi-ovn";

/** The network as it was built years ago: every node's gateway router on the switch. The way from here is in the configuration. */
const node = (id: number): ovn.Layer2NetworkArgs["nodes"][string] => ({
  id,
  topology: "gateway",
  tunnelAddresses: [`198.18.0.${id - 1}`],
  external: { addresses: [`172.18.0.${9 + id}/24`], nextHops: ["172.18.0.1"] },
});

const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });

const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16"],
  tunnelKeys: keys.of("blue"),
  nodes: { node1: node(2), node2: node(3), node3: node(4) },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17"] },
    vm2: { node: "node2", addresses: ["203.203.0.18"] },
    vm3: { node: "node3", addresses: ["203.203.0.19"] },
  },
});

export const gateway = blue.gateway;
