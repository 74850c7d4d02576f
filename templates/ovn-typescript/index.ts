import * as ovn from "pulumi-ovn";

// Tunnel keys for all networks of the stack.
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });

// One switch and one default gateway over both zones; each node is a zone of its own (a key of `zones` in targets.yaml).
const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16"],
  tunnelKeys: keys.of("blue"),
  // `tunnelAddresses`: the `ovn-encap-ip` of each node. Leave them out where ovn-ic or ovn-kubernetes writes the remote chassis.
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] } },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { addresses: ["172.18.0.12/24"], nextHops: ["172.18.0.1"] } },
  },
  workloads: { vm1: { node: "node1", addresses: ["203.203.0.17"] } },
  // Whether packets pass when `pulumi up` returns; needs ovn-controller in every zone.
  waitFor: "chassis",
});

export const workloads = blue.workloads;
