import * as ovn from "pulumi-ovn";

const ZONE = "node1";

// A router of another owner gets a floating IP and a load balancer. The floating IP has its own MAC, so its packets enter OVN on vm2's chassis;
// those of the load balancer do at the router's gateway.
new ovn.NorthboundRows("services", {
  zone: ZONE,
  entries: {
    floating: {
      table: "NAT",
      columns: { type: "dnat_and_snat", external_ip: "198.51.100.6", logical_ip: "10.1.0.6", external_mac: "0a:58:c6:33:64:06", logical_port: "vm2" },
      parent: { table: "Logical_Router", row: "router", column: "nat" },
    },
    web: {
      table: "Load_Balancer",
      columns: { name: "web", protocol: "tcp", vips: { "198.51.100.80:80": "10.1.0.7:8080" } },
      parent: { table: "Logical_Router", row: "router", column: "load_balancer" },
    },
  },
});

// Each agent announces what its chassis can deliver, also after later moves.
const exposure = new ovn.BgpExposure("exposure", {
  zone: ZONE,
  mode: "agent",
  chassis: ["node1", "node2", "node3"],
  asNumber: 64513,
  providerPorts: true,
  floatingIPs: true,
  loadBalancers: true,
  tenantNetworks: "subnet",
});

/** Announcements that should exist, as of the last update or refresh. */
export const announced = exposure.announced;
/** Which routing tables the agents announce. */
export const tables = exposure.tables;
