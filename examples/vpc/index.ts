import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

// Three tiers over four hosts without OVN. Packets between tiers are routed where they are sent, by a logical router on each
// host; what it does not know (another network, a host's own virtual machines) goes to the VPC's virtual router on node4.
const vpc = new ovn.Vpc("shop", {
  name: "shop",
  hosts: {
    node1: { tunnelAddress: "198.18.0.1" },
    node2: { tunnelAddress: "198.18.0.2" },
    node3: { tunnelAddress: "198.18.0.3" },
    node4: { tunnelAddress: "198.18.0.4" },
  },
  tiers: {
    web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: "web" },
    app: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "app" },
    db: { cidrs: ["10.1.3.0/24"], gateways: ["10.1.3.1"], key: 1003, acl: "db" },
  },
  // The interfaces have the workloads' names; a hypervisor would put them on the bridges itself.
  workloads: {
    web1: { tier: "web", host: "node1", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"], port: "web1" },
    app1: { tier: "app", host: "node1", mac: "0a:58:0a:01:02:0b", addresses: ["10.1.2.11"], port: "app1" },
    app2: { tier: "app", host: "node2", mac: "0a:58:0a:01:02:0c", addresses: ["10.1.2.12"], port: "app2" },
    web3: { tier: "web", host: "node3", mac: "0a:58:0a:01:01:0d", addresses: ["10.1.1.13"], port: "web3" },
    db3: { tier: "db", host: "node3", mac: "0a:58:0a:01:03:0d", addresses: ["10.1.3.13"], port: "db3" },
    db4: { tier: "db", host: "node4", mac: "0a:58:0a:01:03:0e", addresses: ["10.1.3.14"], port: "db4" },
  },
  // Its MAC in each tier is 0a:58 and the gateway's address; the sandbox makes it.
  virtualRouter: { host: "node4", ports: { web: "vr-web", app: "vr-app", db: "vr-db" } },
  acls: {
    web: [{ number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "80" }],
    app: [{ number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "8080-8089", cidrs: ["10.1.1.0/24"] }],
    db: [
      { number: 10, action: "deny", direction: "ingress", cidrs: ["10.1.1.0/24"] },
      { number: 20, action: "allow", direction: "ingress", protocol: "tcp", ports: "5432" },
    ],
  },
  // Answers need no rule of their own.
  stateful: true,
  // Each host can restore itself between updates: "pulumi-ovn agent --vpc" runs there.
  agent: true,
  // Workloads send only with their own addresses.
  portSecurity: true,
  enabled: new pulumi.Config().getBoolean("enabled") ?? true,
  // The sandbox runs Open vSwitch in userspace.
  datapathType: "netdev",
});

/** Hosts of the VPC and its tiers, and VPCs of each host. */
export const spanned = vpc.hosts;
export const tierHosts = vpc.tierHosts;
export const vpcsOfHosts = Object.fromEntries(vpc.hosts.map((host) => [host, ovn.vpcsOfHost(host, { shop: vpc })]));
/** Bridges for the hypervisor's interfaces. */
export const bridges = vpc.bridges;
/** State of each host's logical router. */
export const states = Object.fromEntries(Object.entries(vpc.routers).map(([host, { state }]) => [host, state]));
