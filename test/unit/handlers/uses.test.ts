import { Connections } from "@pulumi-ovn/provider/targets";
import { Handled } from "../../support/handled";

const SWITCH = { zone: "z", name: "l2", subnets: ["10.0.0.0/24"] };
const ROUTER = { zone: "z", name: "tr", switch: "l2", switchName: "l2", gateway: { addresses: ["10.0.0.1/24"] } };
const OUTSIDE = { switchName: "ext", localnetPortName: "br", addresses: ["172.18.0.2/24"] };
const GATEWAY = { zone: "z", name: "GR_a", chassis: "a", external: OUTSIDE };
const PORT = { addresses: ["10.0.0.5"], tunnelKey: 20 };
const REROUTE = {
  zone: "z",
  policy: "p",
  router: "tr",
  switch: "l2",
  workloads: { w: { addresses: ["10.0.0.5"] } },
  nextHops: { a: ["100.88.0.3"] },
  keep: ["10.0.0.0/24"],
};
const EGRESS = { zone: "z", gatewayRouter: "GR_a", gatewayRouterName: "GR_a", externalSwitch: "ext", address: "172.18.0.9", workloads: ["10.0.0.5"] };
const PEER = {
  zone: "z",
  router: "tr",
  gatewayRouter: "GR_a",
  node: "a",
  nodes: { a: { id: 1 } },
  subnets: ["10.0.0.0/24"],
  transitSubnets: ["100.88.0.0/16"],
  joinSubnets: ["100.65.0.0/16"],
};
const LOCAL_NODE = { addresses: ["169.254.0.3"], hostAddresses: ["172.18.0.2"], routerPort: "rtos-a", management: { addresses: ["192.168.1.2"] } };
const LOCAL = { zone: "z", router: "r", chassis: ["a"], nodes: { a: LOCAL_NODE } };

const reserved = (text: string, what: string) => `${text} is the ${what} address of 172.18.0.0/24, which no host can have`;
const cant = (text: string, use: string, why: string) => `${text} can't be ${use}: ${why}`;
const LOOPBACK = "127.0.0.0/8 is for loopback (RFC 1122 section 3.2.1.3)";
const MULTICAST = "224.0.0.0/4 is for multicast (RFC 5771)";
const HOST = "the address of a port or host";

const cases: readonly [kind: string, args: object, path: string, message: string][] = [
  ["Layer2Switch", { ...SWITCH, subnets: ["127.0.0.0/16"] }, "subnets[0]", cant("127.0.0.0/16", "a subnet", LOOPBACK)],
  [
    "Layer2Switch",
    { ...SWITCH, subnets: ["fe80::/64"] },
    "subnets[0]",
    cant("fe80::/64", "a subnet", "fe80::/10 is for link-local addresses, which are no network's own (RFC 4291 section 2.5.6)"),
  ],
  [
    "Layer2Switch",
    { ...SWITCH, subnets: ["0.0.0.0/0"] },
    "subnets[0]",
    cant("0.0.0.0/0", "a subnet", "0.0.0.0/8 means a host of this network that does not know its address yet (RFC 1122 section 3.2.1.3)"),
  ],
  ["TransitRouter", { ...ROUTER, gateway: { addresses: ["224.0.0.1/24"] } }, "gateway.addresses[0]", cant("224.0.0.1", HOST, MULTICAST)],
  [
    "TransitRouter",
    { ...ROUTER, gateway: { addresses: ["10.0.0.255/24"] } },
    "gateway.addresses[0]",
    "10.0.0.255 is the broadcast address of 10.0.0.0/24, which no host can have",
  ],
  [
    "TransitRouter",
    { ...ROUTER, routes: { r: { prefix: "0.0.0.0/0", nextHop: "224.0.0.1" } } },
    "routes.r.nextHop",
    cant("224.0.0.1", "a next hop", MULTICAST),
  ],
  [
    "TransitRouter",
    { ...ROUTER, routes: { r: { prefix: "127.0.0.0/8", nextHop: "10.0.0.2" } } },
    "routes.r.prefix",
    cant("127.0.0.0/8", "a destination", "it is for loopback (RFC 1122 section 3.2.1.3)"),
  ],
  [
    "TransitRouter",
    { ...ROUTER, policies: { p: { priority: 1, match: "ip4", action: "reroute", nextHops: ["0.0.0.0"] } } },
    "policies.p.nextHops[0]",
    cant("0.0.0.0", "a next hop", "0.0.0.0/8 means a host of this network that does not know its address yet (RFC 1122 section 3.2.1.3)"),
  ],
  [
    "TransitRouter",
    { ...ROUTER, management: { addresses: ["10.0.0.2"], mac: "0a:58:0a:00:00:01" } },
    "management.mac",
    "MAC 0a:58:0a:00:00:01 is the gateway's",
  ],
  [
    "TransitRouter",
    { ...ROUTER, management: { addresses: ["10.0.0.2"], hostAddresses: ["10.0.0.2"] } },
    "management.hostAddresses[0]",
    "10.0.0.2 is the management port's address",
  ],
  [
    "GatewayRouter",
    { ...GATEWAY, external: { ...OUTSIDE, addresses: ["240.0.0.2/24"] } },
    "external.addresses[0]",
    cant("240.0.0.2", HOST, "240.0.0.0/4 is reserved (RFC 1112 section 4)"),
  ],
  ["GatewayRouter", { ...GATEWAY, external: { ...OUTSIDE, addresses: ["172.18.0.0/24"] } }, "external.addresses[0]", reserved("172.18.0.0", "first")],
  ["GatewayRouter", { ...GATEWAY, external: { ...OUTSIDE, nextHops: ["172.18.0.255"] } }, "external.nextHops[0]", reserved("172.18.0.255", "broadcast")],
  ["GatewayRouter", { ...GATEWAY, external: { ...OUTSIDE, nextHops: ["172.18.0.0"] } }, "external.nextHops[0]", reserved("172.18.0.0", "first")],
  [
    "GatewayRouter",
    { ...GATEWAY, external: { ...OUTSIDE, networkName: "phys:net" } },
    "external.networkName",
    'name "phys:net" can\'t have a colon: ovn-bridge-mappings has one between a name and its bridge',
  ],
  [
    "GatewayRouter",
    { ...GATEWAY, external: { ...OUTSIDE, networkName: "phys,net" } },
    "external.networkName",
    'name "phys,net" can\'t have any of \\ , * $: names become part of OVN match expressions',
  ],
  [
    "GatewayRouter",
    { ...GATEWAY, external: { ...OUTSIDE, mac: "01:00:5e:00:00:01" } },
    "external.mac",
    '"01:00:5e:00:00:01" is a group address, which no port can have',
  ],
  [
    "WorkloadPorts",
    { zone: "z", switch: "l2", ports: { w: { ...PORT, addresses: ["255.255.255.255"] } } },
    "ports.w.addresses[0]",
    cant("255.255.255.255", HOST, "it is the broadcast address of every link (RFC 919)"),
  ],
  [
    "WorkloadPorts",
    { zone: "z", switch: "l2", ports: { w: { ...PORT, mac: "33:33:00:00:00:01" } } },
    "ports.w.mac",
    '"33:33:00:00:00:01" is a group address, which no port can have',
  ],
  [
    "GatewayPeer",
    { ...PEER, joinSubnets: ["240.0.0.0/16"] },
    "joinSubnets[0]",
    cant("240.0.0.0/16", "a subnet", "240.0.0.0/4 is reserved (RFC 1112 section 4)"),
  ],
  [
    "RemoteChassis",
    { zone: "z", chassis: { a: { addresses: ["ff02::1"] } } },
    "chassis.a.addresses[0]",
    cant("ff02::1", HOST, "ff00::/8 is for multicast (RFC 4291 section 2.7)"),
  ],
  ["EgressReroute", { ...REROUTE, nextHops: { a: ["127.0.0.1"] } }, "nextHops.a[0]", cant("127.0.0.1", "a next hop", LOOPBACK)],
  ["EgressAddress", { ...EGRESS, address: "224.0.0.9" }, "address", cant("224.0.0.9", HOST, MULTICAST)],
  [
    "NodeLocalGateway",
    { ...LOCAL, nodes: { a: { ...LOCAL_NODE, management: { addresses: ["172.18.0.2"] } } } },
    "nodes.a.hostAddresses[0]",
    "172.18.0.2 is the management port's address",
  ],
  [
    "NodeLocalGateway",
    {
      ...LOCAL,
      nodes: { a: LOCAL_NODE, b: { ...LOCAL_NODE, addresses: ["169.254.0.4"], hostAddresses: ["172.18.0.3"], management: { addresses: ["172.18.0.2"] } } },
    },
    "nodes.b.management.addresses[0]",
    "management address 172.18.0.2 is host a's own: packets to the host would never leave the router",
  ],
  ["NodeLocalBridge", { zone: "z", bridge: "br:0" }, "bridge", 'name "br:0" is not allowed for an interface'],
  [
    "NodeLocalBridge",
    { zone: "z", networkName: "loc:net" },
    "networkName",
    'name "loc:net" can\'t have a colon: ovn-bridge-mappings has one between a name and its bridge',
  ],
  ["AddressPool", { owners: ["a"], subnets: ["127.0.0.0/24"] }, "subnets[0]", cant("127.0.0.0/24", "a subnet", LOOPBACK)],
];

const targets = new Connections({ z: { northbound: "unix:/nb", southbound: "unix:/sb", openvswitch: "unix:/ovs" } });

it.each(cases)("%s refuses %j, at %s", async (kind, args, path, message) => {
  const { failures } = await new Handled(kind).check({}, { owner: "urn", ...args }, targets);
  expect(failures.map((failure) => `${failure.path}: ${failure.message}`)).toContain(`${path}: ${message}`);
});

it.each<[string, object]>([
  ["Layer2Switch", SWITCH],
  [
    "TransitRouter",
    {
      ...ROUTER,
      gateway: { addresses: ["10.0.0.0/31"] },
      routes: {
        all: { prefix: "0.0.0.0/0", nextHop: "10.0.0.1" },
        groups: { prefix: "224.0.0.0/4", nextHop: "10.0.0.1" },
        six: { prefix: "::/0", nextHop: "fe80::1", outputPort: "trtos-l2" },
      },
    },
  ],
  ["GatewayRouter", { ...GATEWAY, snatSubnets: ["0.0.0.0/0"], external: { ...OUTSIDE, addresses: ["172.18.0.2/31"], nextHops: ["172.18.0.3"] } }],
  ["GatewayRouter", { ...GATEWAY, external: { ...OUTSIDE, addresses: ["172.18.0.0/32"], nextHops: ["10.9.0.255"] } }],
  ["GatewayRouter", { ...GATEWAY, external: { ...OUTSIDE, addresses: ["2001:db8::2/64"], nextHops: ["2001:db8::"] } }],
  ["WorkloadPorts", { zone: "z", switch: "l2", ports: { constructor: PORT, valueOf: { addresses: ["10.0.0.6"], tunnelKey: 21 } } }],
  ["NodeLocalGateway", LOCAL],
])("%s accepts %j", async (kind, args) => {
  const { failures } = await new Handled(kind).check({}, { owner: "urn", ...args }, targets);
  expect(failures).toEqual([]);
});
