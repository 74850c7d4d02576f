import * as ovn from "pulumi-ovn";
import { rules } from "./rules";

// Two web servers and a database on a network of two zones. The network is a component; what it does not make (DHCP,
// access rules, a load balancer) are rows of one's own, in every zone that has a part in it.
const keys = new ovn.TunnelKeyPool("keys", { owners: { shop: 2 } });

const network = new ovn.Layer2Network("shop", {
  name: "shop",
  subnets: ["10.80.0.0/16"],
  tunnelKeys: keys.of("shop"),
  nodes: {
    node1: { id: 1, external: { addresses: ["192.0.2.11/24"], nextHops: ["192.0.2.1"] } },
    node2: { id: 2, external: { addresses: ["192.0.2.12/24"], nextHops: ["192.0.2.1"] } },
  },
  // Whether packets pass already does not matter here.
  waitFor: "southbound",
});

const servers: Record<string, { node: string; address: string; tunnelKey: number }> = {
  web1: { node: "node1", address: "10.80.0.11", tunnelKey: 21 },
  web2: { node: "node2", address: "10.80.0.12", tunnelKey: 22 },
  db1: { node: "node2", address: "10.80.0.21", tunnelKey: 31 },
};

for (const [zone, { switch: layer2Switch }] of Object.entries(network.zones)) {
  const dhcp = new ovn.NorthboundRows(`dhcp-${zone}`, {
    zone,
    entries: {
      ipv4: {
        table: "DHCP_Options",
        columns: {
          cidr: "10.80.0.0/16",
          options: { server_id: "10.80.0.1", server_mac: "0a:58:0a:50:00:01", router: "10.80.0.1", lease_time: "3600", mtu: "1400" },
        },
      },
    },
  });

  // Every zone knows every server; ports of other zones' servers are remote ones.
  const ports: ovn.WorkloadPortsArgs["ports"] = {};
  for (const [name, { node, address, tunnelKey }] of Object.entries(servers)) {
    ports[name] = { addresses: [address], tunnelKey, ...(node !== zone && { remote: true, chassis: [node] }) };
  }
  const local = Object.keys(servers).filter((name) => servers[name]!.node === zone);
  const workloads = new ovn.WorkloadPorts(`servers-${zone}`, {
    zone,
    switch: layer2Switch.uuid,
    // An output of another resource may stand anywhere: the rows are made after it, and go before it.
    ports: Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [name, local.includes(name) ? { ...port, dhcpv4Options: dhcp.uuidOf("ipv4") } : port]),
    ),
  });

  rules(zone, layer2Switch.uuid, local, { dependsOn: workloads });
}
