import { blueSwitch } from "./common";
import type { Sample } from "./sample";

/** Hosts, VPCs and raw rows. */
export const hosts: Readonly<Record<string, Sample>> = {
  NorthboundRows: {
    variable: "acls",
    args: {
      zone: "node1",
      entries: {
        "no-telnet": {
          table: "ACL",
          columns: { direction: "to-lport", priority: 900, match: "tcp.dst == 23", action: "drop" },
          parent: { table: "Logical_Switch", row: blueSwitch, column: "acls" },
        },
      },
    },
  },
  SouthboundRows: {
    variable: "chassis",
    args: {
      zone: "node1",
      entries: {
        far: { table: "Chassis", columns: { name: "far", hostname: "far", other_config: { "is-remote": "true" } }, references: { encaps: ["tunnel"] } },
        tunnel: { table: "Encap", columns: { type: "geneve", ip: "198.18.0.9", chassis_name: "far", options: { csum: "true" } } },
      },
    },
  },
  Vpc: {
    variable: "blue",
    host: "host1",
    args: {
      name: "blue",
      hosts: { host1: { tunnelAddress: "192.0.2.1" }, host2: { tunnelAddress: "192.0.2.2" } },
      tiers: {
        web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: "default_allow" },
        db: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "db" },
      },
      acls: { db: [{ number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "5432", cidrs: ["10.1.1.0/24"] }] },
      workloads: { web1: { tier: "web", host: "host1", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"], port: "tap1" } },
      virtualRouter: { host: "host2" },
      stateful: true,
      portSecurity: true,
    },
  },
  VpcBridges: {
    variable: "bridges",
    args: {
      host: "host1",
      vpc: "blue",
      tiers: { web: 1001 },
      tunnelAddress: "192.0.2.1",
      remotes: { host2: "192.0.2.2" },
      ports: { tap1: "web" },
      portSecurity: { tap1: { mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"] } },
    },
  },
  LogicalRouterBridge: {
    variable: "router",
    args: {
      host: "host1",
      vpc: "blue",
      mac: "0e:00:00:00:00:01",
      tiers: {
        web: { key: 1001, cidrs: ["10.1.1.0/24"], gatewayMac: "0a:58:0a:01:01:01", acl: "default_allow" },
        db: { key: 1002, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01", acl: "default_allow" },
      },
      workloads: { web1: { tier: "web", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"] } },
      remotes: ["host2"],
    },
  },
  BridgeFlows: {
    variable: "mirror",
    args: {
      host: "host1",
      bridges: [
        { bridge: "br-probe", flows: ["priority=100,icmp,actions=output:probe0", "priority=0,actions=drop"] },
        { bridge: "br0", flows: ["priority=200,icmp,in_port=vm1,actions=output:to-probe,NORMAL"] },
      ],
    },
  },
  OpenVSwitchRows: {
    variable: "exporter",
    args: {
      zone: "node1",
      entries: {
        flows: { table: "IPFIX", columns: { targets: ["192.0.2.7:4739"], sampling: 400 }, parent: { table: "Bridge", row: "br-int", column: "ipfix" } },
      },
    },
  },
};
