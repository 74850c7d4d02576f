import * as ovn from "pulumi-ovn";

// One layer-2 network over three zones, IPv4 and IPv6. Everything else is derived: names, MACs, links, join addresses, port keys. Try: change an
// address, add a workload, then `npm run pulumi -- preview --diff`.
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });

const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };

const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: keys.of("blue"),
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { ...outside, addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { ...outside, addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"] } },
    node3: { id: 4, tunnelAddresses: ["198.18.0.3"], external: { ...outside, addresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"] } },
  },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
    vm3: { node: "node3", addresses: ["203.203.0.19", "2010:100:200::13"] },
  },
});

export const gateway = blue.gateway;
export const transitSubnets = blue.transitSubnets;
