// Program of a stack deployed by release 0.2.0; networks-0.2.0.json is its state.
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2, old: 1 } });
const addresses = new ovn.AddressPool("addresses", { owners: ["vm9"], subnets: ["10.20.0.0/24"], setAside: 20 });
const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };
const nodes = {
  node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { ...outside, addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
  node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { ...outside, addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"] } },
};
const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: keys.of("blue"),
  management: {},
  waitFor: "none",
  nodes,
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
    vm3: { node: "node2", addresses: ["203.203.0.77"], tunnelKey: 4711 },
  },
});
new ovn.EgressIPPolicy("egress", { network: blue, workloads: ["vm1"], waitFor: "southbound", addresses: { "172.18.0.100": "node1", "fc00:f853:ccd:e793::64": "node2" } });
new ovn.NorthboundRows("acls", {
  zone: "node1",
  entries: {
    "no-telnet": {
      table: "ACL",
      columns: { direction: "to-lport", priority: 900, match: "tcp.dst == 23", action: "drop" },
      parent: { table: "Logical_Switch", row: blue.zones.node1.switch.uuid, column: "acls" },
    },
  },
});
// Each node has a gateway router at the switch, as before an upgrade.
new ovn.Layer2Network("old", {
  name: "old",
  subnets: ["10.20.0.0/16"],
  tunnelKeys: [keys.of("old").apply((found) => found[0]), 16715800],
  waitFor: "none",
  nodes: Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [
      name,
      { id: node.id, topology: "gateway", tunnelAddresses: node.tunnelAddresses, external: { addresses: [node.external.addresses[0].replace("172.18.0", "172.19.0")], networkName: "other", nextHops: ["172.19.0.1"] } },
    ]),
  ),
  workloads: { vm9: { node: "node1", addresses: [addresses.of("vm9").apply((found) => found[0])] } },
});
