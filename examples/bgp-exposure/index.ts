import * as ovn from "pulumi-ovn";

const ZONE = "node1";

// Somebody else's router gets a floating IP and a load balancer. The floating IP has a MAC of its own, so packets for it enter
// OVN where vm2 is; those for the load balancer do at the router's gateway.
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

// What any of these chassis can deliver its agent announces: now, and after whatever moves.
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

/** What each of them should announce: as of the last update or refresh. */
export const announced = exposure.announced;
/** Which routing tables the agents announce. */
export const tables = exposure.tables;
