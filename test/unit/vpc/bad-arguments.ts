import { routerMac } from "@pulumi-ovn/provider/testing";
import type { Change } from "./sample";

/** Tunnel addresses of IPv6 on all hosts. */
const sixth: Change = (vpc) =>
  Object.keys(vpc.hosts).forEach((host, index) => {
    vpc.hosts[host]!.tunnelAddress = `fd00::${index + 1}`;
  });

const rule = { number: 5, action: "allow", direction: "ingress" } as const;

/** Name of the fault, the change of the sample, and the failure: path, code and message. */
export const BAD_ARGUMENTS: readonly (readonly [string, Change, readonly (readonly [path: string, code: string, message: string])[]])[] = [
  [
    "tiers that overlap",
    (vpc) => {
      vpc.tiers["db"]!.cidrs = ["10.1.0.0/16"];
    },
    [["tiers.web.cidrs[0]", "overlap", 'tier "db" 10.1.0.0/16 overlaps tier "web" 10.1.1.0/24']],
  ],
  [
    "a gateway outside of its tier",
    (vpc) => {
      vpc.tiers["db"]!.gateways = ["10.1.3.1"];
    },
    [["tiers.db.gateways[0]", "not-in-subnet", 'gateway 10.1.3.1 is outside of tier "db": 10.1.2.0/24']],
  ],
  [
    "a gateway of a family that the tier does not have",
    (vpc) => {
      vpc.tiers["db"]!.gateways = ["10.1.2.1", "fd01:2::1"];
    },
    [["tiers.db.gateways[1]", "not-in-subnet", 'gateway fd01:2::1 is outside of tier "db": 10.1.2.0/24']],
  ],
  [
    "a subnet without a gateway",
    (vpc) => {
      vpc.tiers["web"]!.gateways = ["10.1.1.1"];
    },
    [["tiers.web.cidrs[1]", "required", 'fd01:1::/64 has no gateway: name its address in "gateways"']],
  ],
  [
    "a gateway that is the subnet's own address",
    (vpc) => {
      vpc.tiers["db"]!.gateways = ["10.1.2.0"];
    },
    [["tiers.db.gateways[0]", "reserved", "10.1.2.0 is the address of the subnet itself, or its broadcast address"]],
  ],
  [
    "a workload outside of its tier",
    (vpc) => {
      vpc.workloads!["d2"]!.addresses = ["10.1.1.12"];
    },
    [["workloads.d2.addresses[0]", "not-in-subnet", 'workload "d2" 10.1.1.12 is outside of tier "db": 10.1.2.0/24']],
  ],
  [
    "a workload with the broadcast address",
    (vpc) => {
      vpc.workloads!["d2"]!.addresses = ["10.1.2.255"];
    },
    [["workloads.d2.addresses[0]", "reserved", "10.1.2.255 is the address of the subnet itself, or its broadcast address"]],
  ],
  [
    "a workload with a link-local address, which port security adds by itself",
    (vpc) => {
      vpc.workloads!["w1"]!.addresses = ["10.1.1.11", "fe80::800:ff:fe00:101"];
    },
    [
      [
        "workloads.w1.addresses[1]",
        "unusable",
        "fe80::800:ff:fe00:101 can't be the address of a port or host: fe80::/10 is for link-local addresses, which are no network's own (RFC 4291 section 2.5.6)",
      ],
    ],
  ],
  [
    "a workload without an address",
    (vpc) => {
      vpc.workloads!["d2"]!.addresses = [];
    },
    [["workloads.d2.addresses", "required", "needs at least one address"]],
  ],
  [
    "two workloads with one address",
    (vpc) => {
      vpc.workloads!["d3"]!.addresses = ["10.1.2.12"];
    },
    [["workloads.d3.addresses[0]", "duplicate", 'address 10.1.2.12 is already used by workload "d2"']],
  ],
  [
    "two workloads with one MAC",
    (vpc) => {
      vpc.workloads!["d3"]!.mac = "0A:00:00:00:02:02";
    },
    [["workloads.d3.mac", "duplicate", 'MAC 0a:00:00:00:02:02 is already used by workload "d2"']],
  ],
  [
    "a second virtual router: a workload with the gateway's address",
    (vpc) => {
      vpc.workloads!["d2"]!.addresses = ["10.1.2.1"];
    },
    [["workloads.d2.addresses[0]", "duplicate", 'address 10.1.2.1 is already used by the virtual router (tier "db")']],
  ],
  [
    "a workload with the gateway's MAC",
    (vpc) => {
      vpc.workloads!["d2"]!.mac = "0a:58:0a:01:02:01";
    },
    [["workloads.d2.mac", "duplicate", 'MAC 0a:58:0a:01:02:01 is already used by the virtual router (tier "db")']],
  ],
  [
    "a workload with a logical router's MAC",
    (vpc) => {
      vpc.workloads!["d2"]!.mac = routerMac("blue", "h1");
    },
    [["workloads.d2.mac", "duplicate", `MAC ${routerMac("blue", "h1")} is already used by the logical router of host "h1"`]],
  ],
  [
    "a key that is too large for the tunnels",
    (vpc) => {
      vpc.tunnelType = "vxlan";
      vpc.tiers["db"]!.key = 16_777_216;
    },
    [["tiers.db.key", "out-of-range", "tunnel key 16777216 is out of range: 1 to 16777215 for vxlan"]],
  ],
  [
    "key 0, which means none",
    (vpc) => {
      vpc.tiers["db"]!.key = 0;
    },
    [["tiers.db.key", "out-of-range", "tunnel key 0 is out of range: 1 to 4294967295"]],
  ],
  [
    "two tiers with one key",
    (vpc) => {
      vpc.tiers["db"]!.key = 1001;
    },
    [["tiers.web.key", "duplicate", 'tunnel key 1001 is already used by tier "db"']],
  ],
  [
    "ports without a protocol",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, ports: "80" });
    },
    [["acls.web[2].protocol", "required", "is required with ports 80: tcp, udp or sctp"]],
  ],
  [
    "ports of a protocol that has none",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "icmp", ports: "80" });
    },
    [["acls.web[2].ports", "value", "protocol icmp has no ports; tcp, udp and sctp do"]],
  ],
  [
    "a protocol by a wrong name",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "all" as never });
    },
    [["acls.web[2].protocol", "invalid_value", '"all" is not a protocol: expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255']],
  ],
  [
    "a range of ports the wrong way round",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "tcp", ports: "90-80" });
    },
    [["acls.web[2].ports", "port-range", '"90-80" is not a range of ports: expected one such as "443", or two from 1 to 65535 such as "8000-8079"']],
  ],
  [
    "an ICMP type without a protocol",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, icmpType: 8 });
    },
    [["acls.web[2].protocol", "required", "is required with ICMP type 8: icmp or icmpv6"]],
  ],
  [
    "an ICMP type of tcp",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "tcp", icmpType: 8 });
    },
    [["acls.web[2].icmpType", "value", "protocol tcp has no ICMP types; icmp and icmpv6 do"]],
  ],
  [
    "an ICMP code without a type",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "icmp", icmpCode: 0 });
    },
    [["acls.web[2].icmpType", "required", "is required with ICMP code 0"]],
  ],
  [
    "a subnet of the other family than icmp",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, protocol: "icmp", cidrs: ["fd00::/8"] });
    },
    [["acls.web[2].cidrs[0]", "family", "fd00::/8 is not an IPv4 subnet, which icmp needs"]],
  ],
  [
    "no subnet at all",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, cidrs: [] });
    },
    [["acls.web[2].cidrs", "required", "an empty list matches nothing; leave it out for every address"]],
  ],
  [
    "two rules with one number",
    (vpc) => {
      vpc.acls!["web"]!.push({ ...rule, number: 20 });
    },
    [["acls.web[2].number", "duplicate", "number 20 is already used by acls.web[0]"]],
  ],
  [
    "a list with the name of a built-in list",
    (vpc) => {
      vpc.acls!["default_deny"] = [];
    },
    [["acls.default_deny", "reserved", '"default_deny" is a built-in list; choose another name']],
  ],
  [
    "an unknown list",
    (vpc) => {
      vpc.tiers["db"]!.acl = "bd";
    },
    [["tiers.db.acl", "unknown-acl", '"bd" is not one of default_allow, default_deny, web']],
  ],
  [
    "an unknown host",
    (vpc) => {
      vpc.workloads!["d2"]!.host = "h9";
    },
    [["workloads.d2.host", "unknown-host", '"h9" is not one of h1, h2, h3, h4; did you mean "h1"?']],
  ],
  [
    "an unknown tier",
    (vpc) => {
      vpc.workloads!["d2"]!.tier = "app";
    },
    [["workloads.d2.tier", "unknown-tier", '"app" is not one of db, web']],
  ],
  [
    "a virtual router on an unknown host",
    (vpc) => {
      vpc.virtualRouter = { host: "h9" };
    },
    [["virtualRouter.host", "unknown-host", '"h9" is not one of h1, h2, h3, h4; did you mean "h1"?']],
  ],
  [
    "a virtual router on no host",
    (vpc) => {
      vpc.virtualRouter = { host: [] as never };
    },
    [["virtualRouter.host", "one-host", "the virtual router is on no host: name one"]],
  ],
  [
    "a virtual router on two hosts",
    (vpc) => {
      vpc.virtualRouter = { host: ["h1", "h2"] as never };
    },
    [["virtualRouter.host", "one-host", "the virtual router is on one host, not on 2: h1, h2"]],
  ],
  [
    "an interface of an unknown tier",
    (vpc) => {
      vpc.virtualRouter.ports = { app: "vr" };
    },
    [["virtualRouter.ports.app", "unknown-tier", '"app" is not one of db, web']],
  ],
  [
    "an interface of two workloads of a host",
    (vpc) => {
      vpc.workloads!["d2"] = { ...vpc.workloads!["d2"]!, host: "h1", port: "tap1" };
    },
    [["workloads.w1.port", "duplicate", 'interface of host "h1" tap1 is already used by workload "d2"']],
  ],
  [
    "interfaces with names of the VPC's own",
    (vpc) => {
      vpc.workloads!["w1"]!.port = "lr-blue";
      vpc.workloads!["d2"]!.port = "t1001-h1";
      vpc.workloads!["d3"]!.port = "pt1002";
      vpc.virtualRouter.ports = { web: "pr1001", db: "br-t1002" };
    },
    [
      ["virtualRouter.ports.db", "duplicate", 'name br-t1002 is already used by the bridge of tier "db"'],
      ["virtualRouter.ports.web", "duplicate", 'name pr1001 is already used by a patch port of tier "web"'],
      ["workloads.d2.port", "duplicate", 'name t1001-h1 is already used by the tunnel of tier "web" to host "h1"'],
      ["workloads.d3.port", "duplicate", 'name pt1002 is already used by a patch port of tier "db"'],
      ["workloads.w1.port", "duplicate", "name lr-blue is already used by the bridge of the logical router"],
    ],
  ],
  [
    "port security of workloads without an interface",
    (vpc) => {
      vpc.portSecurity = true;
      vpc.workloads!["d3"]!.portSecurity = false;
    },
    [["workloads.d2.port", "required", 'port security of workload "d2" needs its interface: name it, or set "portSecurity: false" for this workload']],
  ],
  [
    "two hosts with one tunnel address",
    (vpc) => {
      vpc.hosts["h2"]!.tunnelAddress = "192.0.2.1";
    },
    [["hosts.h2.tunnelAddress", "duplicate", 'tunnel address 192.0.2.1 is already used by host "h1"']],
  ],
  [
    "tunnel addresses of both families",
    (vpc) => {
      vpc.hosts["h4"]!.tunnelAddress = "fd00::4";
    },
    [["hosts.h4.tunnelAddress", "family", "fd00::4 is IPv6, and other hosts of the VPC have IPv4: a tunnel has one family"]],
  ],
  [
    "the default tunnels over IPv6 in the kernel's datapath",
    sixth,
    [["tunnelType", "family", 'gre over IPv6 needs the userspace datapath: use geneve or vxlan, or datapathType "netdev"']],
  ],
  [
    "no tier",
    (vpc) => {
      vpc.tiers = {};
      vpc.workloads = {};
      vpc.virtualRouter = { host: "h3" };
    },
    [["tiers", "required", "needs at least one tier"]],
  ],
  [
    "an argument that there is not",
    (vpc) => {
      (vpc.tiers["db"] as object as { cidr: string }).cidr = "10.0.0.0/8";
    },
    [["tiers.db.cidr", "unknown-argument", 'there is no argument "cidr"; did you mean "cidrs"?']],
  ],
];
