import { expandLayer2Network, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { complaints, failuresOf } from "../../support/refusals";
import { dual, node } from "./networks";

const withNodes = (changes: Record<string, object>) => ({
  nodes: { ...dual.nodes, ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, { ...node(4), ...change }])) },
});
const outside = (external: object) => withNodes({ node4: { external: { addresses: ["172.18.0.14/24"], ...external } } });
const route = (prefix: string, ...nextHops: string[]) => ({ disks: { prefix, nextHops } });
const storage = (change: object, others: object = {}) =>
  withNodes({ node4: { furtherExternals: { storage: { addresses: ["10.50.0.4/24"], ...change }, ...others } } });
const disks = (prefix: string, ...nextHops: string[]) => storage({ routes: route(prefix, ...nextHops) });
const v4Only = { subnets: ["203.203.0.0/16"], workloads: {} };
const withWorkloads = (workloads: Record<string, object>) => ({ workloads: { ...dual.workloads, ...workloads } });
const vm = (address: string, more: object = {}) => withWorkloads({ vm3: { node: "node3", addresses: [address], ...more } });
const further = withNodes({ node4: { additionalChassis: { h2: {} } } });

const ALONE = { subnets: ["203.203.0.0/16", "fd00:7::/64"], workloads: { vm1: { node: "node1", addresses: ["203.203.0.17", "fd00:7::11"] } } };

const NO_HOST_FLOWS =
  "masquerade.hostFlows: must be true: it confirms that the hosts' bridges translate the masquerade addresses of gateway routers, by flows that nothing here writes and without which nothing that leaves is answered; docs/how-to/masquerade.md has them";

const CASES: [title: string, change: object, expected: string[]][] = [
  // Forms of names and addresses.
  ["name with quotes", { name: 'bl"ue' }, [`name: name "bl\\"ue" can't have quotes: names become part of OVN match expressions`]],
  ["name with braces", { name: "bl{ue}" }, [`name: name "bl{ue}" can't have braces: names become part of OVN match expressions`]],
  [
    "node name with white space",
    withNodes({ "node 4": {} }),
    [`nodes["node 4"]: name "node 4" can't have white space: names become part of OVN match expressions`],
  ],
  [
    "long bridge",
    outside({ bridge: "br-much-too-long" }),
    ['nodes.node4.external.bridge: name "br-much-too-long" has 16 characters: interfaces and bridges have at most 15'],
  ],
  [
    "octal address",
    { gatewayAddresses: ["010.0.0.1"] },
    ['gatewayAddresses[0]: "010.0.0.1" is not an IP address: leading zeros mean octal numbers to some programs'],
  ],
  ["host bits", { subnets: ["203.203.0.1/16"] }, ['subnets[0]: "203.203.0.1/16" has host bits set: the subnet is 203.203.0.0/16']],
  ["no subnets", { subnets: [] }, ["subnets: needs at least one, of IPv4 or IPv6"]],
  [
    "ports that are no range",
    { snatPorts: "60999-32768" },
    ['snatPorts: "60999-32768" is not a range of ports: expected one such as "443", or two from 1 to 65535 such as "8000-8079"'],
  ],
  ["unknown argument", { subnet: ["203.203.0.0/16"] }, ['subnet: there is no argument "subnet"; did you mean "subnets"?']],
  ["missing argument", { nodes: undefined }, ["nodes: is required"]],
  ["no nodes", { nodes: {}, workloads: {} }, ["nodes: needs at least one node"]],

  // Arguments that only one of the network's resources would refuse, after others were created.
  [
    "host address of a family that the network lacks",
    { ...v4Only, management: {}, ...withNodes({ node4: { hostAddresses: ["172.18.0.14", "fc00:f853:ccd:e793::e"] } }) },
    ["nodes.node4.hostAddresses[1]: fc00:f853:ccd:e793::e is IPv6, and the management port has no address of that family"],
  ],
  ["router advertisements without IPv6", { ...v4Only, routerAdvertisements: { enabled: true } }, ["routerAdvertisements: need an IPv6 gateway address"]],
  [
    "router advertisements too far apart",
    { routerAdvertisements: { maxInterval: 60, minInterval: 46 } },
    ["routerAdvertisements.minInterval: 46 is more than three quarters of maxInterval, 60"],
  ],

  // Several networks outside.
  ["further network without addresses", storage({ addresses: [] }), ["nodes.node4.furtherExternals.storage.addresses: needs at least one address"]],
  [
    "further network on the first one's wire",
    storage({ networkName: "physnet" }),
    ["nodes.node4.furtherExternals.storage.networkName: physical network physnet is already used by external"],
  ],
  [
    "two further networks on one VLAN",
    storage({ networkName: "physnet", vlan: 7 }, { tapes: { networkName: "physnet", vlan: 7, addresses: ["10.51.0.4/24"] } }),
    ["nodes.node4.furtherExternals.tapes.networkName: physical network physnet VLAN 7 is already used by storage"],
  ],
  [
    "further network in the first one",
    storage({ addresses: ["172.18.0.200/25"] }),
    ["nodes.node4.furtherExternals.storage.addresses[0]: external 172.18.0.0/24 overlaps storage 172.18.0.128/25"],
  ],
  [
    "further network in another one",
    storage({}, { tapes: { addresses: ["10.51.0.4/24", "10.50.0.9/16"] } }),
    ["nodes.node4.furtherExternals.tapes.addresses[1]: storage 10.50.0.0/24 overlaps tapes 10.50.0.0/16"],
  ],
  [
    "further network in the network",
    storage({ addresses: ["203.203.9.9/24"] }),
    ['nodes.node4.furtherExternals.storage.addresses[0]: subnet 203.203.0.0/16 overlaps external network "storage" of node4 203.203.9.0/24'],
  ],
  [
    "next hop outside of its further network",
    disks("10.60.0.0/16", "172.18.0.1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.nextHops[0]: 172.18.0.1 is in none of the external subnets, so nothing would answer for it"],
  ],
  [
    "next hop that is the router itself",
    disks("10.60.0.0/16", "10.50.0.4"),
    ["nodes.node4.furtherExternals.storage.routes.disks.nextHops[0]: 10.50.0.4 is the router's own address"],
  ],
  [
    "next hop of another family than its route",
    disks("fd60::/64", "10.50.0.1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.nextHops[0]: 10.50.0.1 is IPv4, the prefix fd60::/64 is not"],
  ],
  [
    "next hop of a family that neither its route nor its network has",
    disks("10.60.0.0/16", "fd50::1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.nextHops[0]: fd50::1 is IPv6, the prefix 10.60.0.0/16 is not"],
  ],
  [
    "next hop of a family that the further network lacks",
    disks("fd60::/64", "fd50::1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.nextHops[0]: fd50::1 is IPv6, and there is no external address of that family"],
  ],
  ["route without a next hop", disks("10.60.0.0/16"), ["nodes.node4.furtherExternals.storage.routes.disks.nextHops: needs at least one next hop"]],
  [
    "second default route",
    disks("0.0.0.0/0", "10.50.0.1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.prefix: destination 0.0.0.0/0 is already used by external"],
  ],
  [
    "destination behind two networks",
    storage({ routes: route("10.60.0.1", "10.50.0.1") }, { tapes: { addresses: ["10.51.0.4/24"], routes: route("10.60.0.1/32", "10.51.0.1") } }),
    ["nodes.node4.furtherExternals.tapes.routes.disks.prefix: destination 10.60.0.1/32 is already used by storage"],
  ],
  [
    "route to a network that a port is in",
    disks("172.18.0.0/24", "10.50.0.1"),
    ["nodes.node4.furtherExternals.storage.routes.disks.prefix: 172.18.0.0/24 is the subnet of external itself, which is reached without a route"],
  ],
  [
    "route into the network",
    disks("203.203.9.0/24", "10.50.0.1"),
    [
      "nodes.node4.furtherExternals.storage.routes.disks.prefix: 203.203.9.0/24 is in the network's own 203.203.0.0/16: answers to workloads would leave by this route",
    ],
  ],
  [
    "route to the transit subnets",
    disks("100.88.0.9", "10.50.0.1"),
    [
      "nodes.node4.furtherExternals.storage.routes.disks.prefix: 100.88.0.9 is in the network's own 100.88.0.0/16: answers to workloads would leave by this route",
    ],
  ],
  [
    "further networks in local gateway mode",
    { gatewayMode: "local", management: {}, ...storage({}) },
    ['nodes.node4.furtherExternals: have no meaning for gateway mode "local": everything leaves through the host, whose routes decide where to'],
  ],
  [
    "further network called as no mapping can be",
    withNodes({ node4: { furtherExternals: { "a:b": { addresses: ["10.50.0.4/24"] } } } }),
    ['nodes.node4.furtherExternals["a:b"]: name "a:b" can\'t have a colon: ovn-bridge-mappings has one between a name and its bridge'],
  ],

  // Services behind management ports.
  [
    "services that are everything",
    { management: { services: ["10.96.0.1", "0.0.0.0/0"] } },
    ['management.services[1]: 0.0.0.0/0 is everything: that is gateway mode "local"'],
  ],
  [
    "services in the network",
    { management: { services: ["203.203.9.0/24"] } },
    ["management.services[0]: 203.203.9.0/24 is in the network's own subnet 203.203.0.0/16"],
  ],
  [
    "services around the network",
    { management: { services: ["203.0.0.0/8"] } },
    ["management.services[0]: 203.0.0.0/8 holds the network's own subnet 203.203.0.0/16"],
  ],
  [
    "a service that is a host",
    { management: { services: ["192.0.2.7"] }, ...withNodes({ node4: { hostAddresses: ["192.0.2.7"] } }) },
    ["management.services[0]: 192.0.2.7 is a host address already"],
  ],
  [
    "services of another family",
    { ...v4Only, management: { services: ["fd10:96::/112"] } },
    ["management.services[0]: fd10:96::/112 is IPv6, and the network has no subnet of that family"],
  ],
  ["a service twice", { management: { services: ["10.96.0.1", "10.96.0.1"] } }, ["management.services[1]: 10.96.0.1 is listed twice"]],

  // Subnets among each other.
  ["join in network", { joinSubnets: ["203.203.0.0/17"] }, ["joinSubnets[0]: subnet 203.203.0.0/16 overlaps join subnet 203.203.0.0/17"]],
  [
    "network over the default join subnet",
    { subnets: ["100.64.0.0/10"], workloads: {} },
    ["joinSubnets: subnet 100.64.0.0/10 overlaps join subnet 100.65.0.0/16"],
  ],
  ["transit in join", { transitSubnets: ["100.65.128.0/17"] }, ["transitSubnets[0]: join subnet 100.65.0.0/16 overlaps transit subnet 100.65.128.0/17"]],
  [
    "transit in network, IPv6",
    { transitSubnets: ["2010:100:200:8::/64"] },
    ["transitSubnets[0]: subnet 2010:100:200::/60 overlaps transit subnet 2010:100:200:8::/64"],
  ],
  [
    "masquerade in network",
    { networkId: 1, masquerade: { hostFlows: true, subnets: ["203.203.0.0/17"] } },
    ["masquerade.subnets[0]: subnet 203.203.0.0/16 overlaps masquerade subnet 203.203.0.0/17"],
  ],
  [
    "external in network",
    outside({ addresses: ["203.203.9.9/24"] }),
    ["nodes.node4.external.addresses[0]: subnet 203.203.0.0/16 overlaps external network of node4 203.203.9.0/24"],
  ],
  [
    "external in join",
    outside({ addresses: ["100.65.9.9/24"] }),
    ["nodes.node4.external.addresses[0]: join subnet 100.65.0.0/16 overlaps external network of node4 100.65.9.0/24"],
  ],
  [
    "host address in network",
    { management: {}, ...withNodes({ node4: { hostAddresses: ["203.203.9.9"] } }) },
    ["nodes.node4.hostAddresses[0]: subnet 203.203.0.0/16 overlaps host address of node4 203.203.9.9/32"],
  ],
  [
    "no room for a workload",
    { subnets: ["10.9.0.0/31"], workloads: {} },
    ["subnets[0]: subnet 10.9.0.0/31 is too small: it has no room for a gateway and a workload"],
  ],
  [
    "no room at the end of the space",
    { subnets: ["223.255.255.255/32"], workloads: {} },
    ["subnets[0]: subnet 223.255.255.255/32 is too small: it has no room for a gateway and a workload"],
  ],
  [
    "no room for a management port",
    { subnets: ["fd00::/60", "10.9.0.0/30"], management: {}, workloads: {} },
    ["subnets[1]: subnet 10.9.0.0/30 is too small: it has no room for a gateway, a management port and a workload"],
  ],

  // Advertised networks.
  [
    "advertised in local mode",
    { gatewayMode: "local", management: {}, advertised: {} },
    ['advertised: has no meaning in gateway mode "local", where the hosts translate'],
  ],
  [
    "advertised behind the hosts' addresses",
    { networkId: 1, masquerade: { hostFlows: true }, advertised: {} },
    ["advertised: does not go with masquerade: the hosts' bridges would have to know the network"],
  ],
  [
    "destinations of a translation that there is not",
    { snat: false, advertised: { translateTo: ["172.18.0.0/24"] } },
    ["advertised.translateTo: has no meaning without snat"],
  ],
  [
    "isolated from itself",
    { advertised: { isolateFrom: ["203.203.7.0/24", "203.0.0.0/8"] } },
    [
      "advertised.isolateFrom[0]: 203.203.7.0/24 overlaps the network's own subnet 203.203.0.0/16",
      "advertised.isolateFrom[1]: 203.0.0.0/8 overlaps the network's own subnet 203.203.0.0/16",
    ],
  ],
  [
    "destinations and others of a family that it has not",
    { subnets: ["203.203.0.0/16"], workloads: {}, advertised: { translateTo: ["fd00::/64"], isolateFrom: ["fd01::/64"] } },
    [
      "advertised.translateTo[0]: destination fd00::/64 is IPv6, and the network has IPv4 subnets only",
      "advertised.isolateFrom[0]: subnet fd01::/64 is IPv6, and the network has IPv4 subnets only",
    ],
  ],
  // Families.
  [
    "IPv6 gateway of an IPv4 network",
    { subnets: ["203.203.0.0/16"], gatewayAddresses: ["fd00::1"], workloads: {} },
    ["gatewayAddresses[0]: gateway fd00::1 is IPv6, and the network has IPv4 subnets only"],
  ],
  [
    "IPv6 transit subnet of an IPv4 network without an IPv6 join subnet",
    { subnets: ["203.203.0.0/16"], transitSubnets: ["fd97::/64"], workloads: {} },
    ["transitSubnets[0]: transit subnet fd97::/64 is IPv6, and neither subnets nor joinSubnets have IPv6"],
  ],
  [
    "IPv4 transit subnet of an IPv6 network",
    { subnets: ["2010:100:200::/60"], transitSubnets: ["100.88.0.0/16"], workloads: {} },
    ["transitSubnets[0]: transit subnet 100.88.0.0/16 is IPv4, and neither subnets nor joinSubnets have IPv4"],
  ],
  [
    "next hop that is the network's own address",
    outside({ nextHops: ["172.18.0.0"] }),
    ["nodes.node4.external.nextHops[0]: 172.18.0.0 is the first address of 172.18.0.0/24, which no host can have"],
  ],
  [
    "next hop that is everybody's address",
    outside({ nextHops: ["172.18.0.255"] }),
    ["nodes.node4.external.nextHops[0]: 172.18.0.255 is the broadcast address of 172.18.0.0/24, which no host can have"],
  ],
  [
    "unusable next hop",
    outside({ nextHops: ["127.0.0.1"] }),
    ["nodes.node4.external.nextHops[0]: 127.0.0.1 can't be a next hop: 127.0.0.0/8 is for loopback (RFC 1122 section 3.2.1.3)"],
  ],
  [
    "unusable external address",
    outside({ addresses: ["ff02::1/64"] }),
    ["nodes.node4.external.addresses[0]: ff02::1 can't be the address of a port or host: ff00::/8 is for multicast (RFC 4291 section 2.7)"],
  ],
  [
    "external address that is its subnet's own",
    outside({ addresses: ["172.18.0.0/24"] }),
    ["nodes.node4.external.addresses[0]: 172.18.0.0 is the first address of 172.18.0.0/24, which no host can have"],
  ],
  [
    "unusable host address",
    { management: {}, ...withNodes({ node4: { hostAddresses: ["::1"] } }) },
    ["nodes.node4.hostAddresses[0]: ::1 can't be the address of a port or host: it is for loopback (RFC 4291 section 2.5.3)"],
  ],
  [
    "unusable tunnel address",
    withNodes({ node4: { tunnelAddresses: ["0.0.0.0"] } }),
    [
      "nodes.node4.tunnelAddresses[0]: 0.0.0.0 can't be the address of a port or host: 0.0.0.0/8 means a host of this network that does not know its address yet (RFC 1122 section 3.2.1.3)",
    ],
  ],
  [
    "subnet of link-local addresses",
    { subnets: ["fe80::/64"], workloads: {} },
    ["subnets[0]: fe80::/64 can't be a subnet: fe80::/10 is for link-local addresses, which are no network's own (RFC 4291 section 2.5.6)"],
  ],
  [
    "network name that would end in a mapping",
    outside({ networkName: "phys:br-ex" }),
    ['nodes.node4.external.networkName: name "phys:br-ex" can\'t have a colon: ovn-bridge-mappings has one between a name and its bridge'],
  ],
  ["bridge name that would end in a mapping", outside({ bridge: "br:ex" }), ['nodes.node4.external.bridge: name "br:ex" is not allowed for an interface']],
  [
    "bridge name with a comma",
    outside({ bridge: "br,ex" }),
    ['nodes.node4.external.bridge: name "br,ex" can\'t have any of \\ , * $: names become part of OVN match expressions'],
  ],
  [
    "IPv6 next hop outside of IPv4",
    outside({ nextHops: ["fc00::1"] }),
    ["nodes.node4.external.nextHops[0]: fc00::1 is IPv6, and there is no external address of that family"],
  ],
  [
    "next hop off the link",
    outside({ nextHops: ["172.19.0.1"] }),
    ["nodes.node4.external.nextHops[0]: 172.19.0.1 is in none of the external subnets, so nothing would answer for it"],
  ],

  // Nodes.
  ["node id twice", withNodes({ node4: { id: 2 } }), ["nodes.node4.id: node id 2 is already used by node1"]],
  ["node id zero", withNodes({ node4: { id: 0 } }), ["nodes.node4.id: node id 0 is out of range: 1 to 32757"]],
  ["node id without a port key", withNodes({ node4: { id: 32_758 } }), ["nodes.node4.id: node id 32758 is out of range: 1 to 32757"]],
  [
    "node id beyond the join subnet",
    { joinSubnets: ["100.65.0.0/24"], ...withNodes({ node4: { id: 254 } }) },
    ["nodes.node4.id: node id 254 does not fit join subnet 100.65.0.0/24: ids from 1 to 253 do"],
  ],
  [
    "node id beyond the transit subnet",
    { transitSubnets: ["100.88.0.0/28"], ...withNodes({ node4: { id: 8 } }) },
    ["nodes.node4.id: node id 8 does not fit transit subnet 100.88.0.0/28: ids from 1 to 7 do"],
  ],
  ["two nodes in a zone", withNodes({ node4: { zone: "node1" } }), ["nodes.node4.zone: zone node1 is already used by node1"]],
  ["two nodes on a chassis", withNodes({ node4: { chassis: "node1" } }), ["nodes.node4.chassis: chassis node1 is already used by node1"]],
  [
    "external address twice",
    outside({ addresses: ["172.18.0.11/24"] }),
    ["nodes.node4.external.addresses[0]: external address 172.18.0.11 is already used by node1"],
  ],
  [
    "tunnel address twice",
    withNodes({ node4: { tunnelAddresses: ["198.18.0.1"] } }),
    ["nodes.node4.tunnelAddresses[0]: tunnel address 198.18.0.1 is already used by node1"],
  ],
  [
    "host addresses without management",
    withNodes({ node4: { hostAddresses: ["172.18.0.114"] } }),
    ["nodes.node4.hostAddresses: need management: they are reached through the management port"],
  ],
  ["local mode without management", { gatewayMode: "local" }, ['management: is required for gateway mode "local"']],
  ["masquerade without an owner of the flows", { networkId: 6, masquerade: {} }, [NO_HOST_FLOWS]],
  ["masquerade with flows that are declared missing", { networkId: 6, masquerade: { hostFlows: false } }, [NO_HOST_FLOWS]],
  ["masquerade without a network id", { masquerade: { hostFlows: true } }, ["networkId: is required with masquerade: the addresses derive from it"]],
  [
    "network id beyond the masquerade subnet",
    { networkId: 60, masquerade: { hostFlows: true, subnets: ["169.254.0.0/25"] } },
    ["networkId: network id 60 has no addresses in masquerade subnet 169.254.0.0/25"],
  ],

  // Topologies and stages.
  [
    "nodes that differ without a stage",
    withNodes({ node4: { topology: "gateway" } }),
    ['upgrade: must be "move" while nodes differ: node4 has topology "gateway", node1, node2, node3 "transit"'],
  ],
  [
    "a stage too early",
    { upgrade: "settle", ...withNodes({ node4: { topology: "gateway" } }) },
    ['upgrade: can be "settle" only when every node has topology "transit", and node4 has not'],
  ],
  [
    "a stage of the other way",
    { upgrade: "shield" },
    ['upgrade: can be "shield" only when every node has topology "gateway", and node1, node2, node3 have not'],
  ],
  ["an unknown stage", { upgrade: "done" }, ['upgrade: "done" is not one of "move", "follow", "announce", "settle", "shield"']],
  ["an unknown topology", withNodes({ node4: { topology: "old" } }), ['nodes.node4.topology: "old" is not one of "gateway", "transit"']],
  [
    "a node's key that a workload has",
    { upgrade: "move", ...vm("203.203.0.19", { tunnelKey: 32_766 }) },
    ["nodes.node1.switchPortKey: port key 32766 is already used by workload vm3"],
  ],
  [
    "a node's key that another node has",
    { upgrade: "move", ...withNodes({ node4: { id: 5, switchPortKey: 32_764 } }) },
    ["nodes.node4.switchPortKey: port key 32764 is already used by node3"],
  ],
  [
    "a node on the last address of the join subnet, which the upgrade port has",
    { joinSubnets: ["100.65.0.0/24"], upgrade: "move", ...withNodes({ node4: { id: 254 } }) },
    ["nodes.node4.id: node id 254 does not fit join subnet 100.65.0.0/24: ids from 1 to 253 do"],
  ],
  [
    "no address for the announcement",
    { subnets: ["203.203.0.0/30"], upgrade: "announce", workloads: { vm1: { node: "node1", addresses: ["203.203.0.2"] } } },
    ["upgrade: needs an unused IPv4 address, to announce the gateway by asking for it: the last 1000 of 203.203.0.3 and below are taken"],
  ],

  // Migrations.
  ["a migration to the same node", vm("203.203.0.19", { migration: { to: "node3" } }), ['workloads.vm3.migration.to: the workload is on node "node3" already']],
  [
    "a migration to a node without the network",
    vm("203.203.0.19", { migration: { to: "node9" } }),
    ['workloads.vm3.migration.to: there is no node "node9" in this network; did you mean "node1"?'],
  ],
  [
    "a migration of a workload whose node is unknown",
    vm("203.203.0.19", { node: "node9", migration: { to: "node1" } }),
    ['workloads.vm3.node: there is no node "node9" in this network; did you mean "node1"?'],
  ],
  [
    "a migration to a chassis that the node does not have",
    vm("203.203.0.19", { migration: { to: "node1", chassis: "h9" } }),
    ['workloads.vm3.migration.chassis: node "node1" has no chassis "h9"; it has node1'],
  ],
  ["a migration without a goal", vm("203.203.0.19", { migration: {} }), ["workloads.vm3.migration.to: is required"]],
  [
    "a migration to the same further chassis",
    { ...further, ...vm("203.203.0.19", { node: "node4", chassis: "h2", migration: { to: "node4", chassis: "h2" } }) },
    ['workloads.vm3.migration.chassis: the workload is on chassis "h2" already'],
  ],
  [
    "a migration to the node's own chassis by name",
    vm("203.203.0.19", { migration: { to: "node3", chassis: "node3" } }),
    ['workloads.vm3.migration.chassis: the workload is on chassis "node3" already'],
  ],
  ["an unknown activation", vm("203.203.0.19", { migration: { to: "node1", activation: "arp" } }), ['workloads.vm3.migration.activation: must be "rarp"']],

  [
    "a migration of a workload that the network does not have",
    withWorkloads({ vm9: { migration: { to: "node1" } } }),
    ["workloads.vm9.node: is required", "workloads.vm9.addresses: is required"],
  ],

  // Zones of several chassis.
  [
    "a chassis that the node does not have",
    { ...further, ...vm("203.203.0.19", { node: "node4", chassis: "h9" }) },
    ['workloads.vm3.chassis: node "node4" has no chassis "h9"; it has node4, h2; did you mean "h2"?'],
  ],
  [
    "a chassis of another node",
    { ...further, ...vm("203.203.0.19", { chassis: "h2" }) },
    ['workloads.vm3.chassis: node "node3" has no chassis "h2"; it has node3'],
  ],
  [
    "a further chassis that is a node's own",
    withNodes({ node4: { additionalChassis: { node4: {} } } }),
    ["nodes.node4.additionalChassis.node4: chassis node4 is already used by node4"],
  ],
  [
    "a further chassis that is another node's",
    withNodes({ anode: { additionalChassis: { node1: {} } } }),
    ["nodes.anode.additionalChassis.node1: chassis node1 is already used by node1"],
  ],
  [
    "a further chassis of two nodes",
    { nodes: { ...dual.nodes, node2: { ...node(2), additionalChassis: { h2: {} } }, node3: { ...node(3), additionalChassis: { h2: {} } } } },
    ["nodes.node3.additionalChassis.h2: chassis h2 is already used by node2"],
  ],
  [
    "a tunnel address of two chassis",
    withNodes({ node4: { additionalChassis: { h2: { tunnelAddresses: ["198.18.0.1"] } } } }),
    ["nodes.node4.additionalChassis.h2.tunnelAddresses[0]: tunnel address 198.18.0.1 is already used by node1"],
  ],
  [
    "a further chassis with white space",
    withNodes({ node4: { additionalChassis: { "h 2": {} } } }),
    [`nodes.node4.additionalChassis["h 2"]: name "h 2" can't have white space: names become part of OVN match expressions`],
  ],
  [
    "an unknown setting of a further chassis",
    withNodes({ node4: { additionalChassis: { h2: { addresses: [] } } } }),
    ['nodes.node4.additionalChassis.h2.addresses: there is no argument "addresses"'],
  ],

  // Tunnel keys.
  ["one key for both", { tunnelKeys: { switch: 16_715_779, router: 16_715_779 } }, ["tunnelKeys.router: tunnel key 16715779 is already used by the switch"]],
  [
    "keys beyond VXLAN",
    { tunnelKeys: { switch: 4_095, router: 4_096 }, ...withNodes({ node4: { encapsulation: "vxlan" } }) },
    ["tunnelKeys.router: tunnel key 4096 does not fit in VXLAN: keys end at 4095 there"],
  ],

  // IPv6 addresses that workloads make themselves.
  [
    "self-made addresses of a subnet that is not of 64 bits",
    { routerAdvertisements: { addressMode: "slaac" } },
    ['routerAdvertisements.addressMode: workloads make no addresses of 2010:100:200::/60: for "slaac" a subnet has a prefix length of 64'],
  ],

  // Workloads.
  ["unknown node", vm("203.203.0.19", { node: "node9" }), ['workloads.vm3.node: there is no node "node9" in this network; did you mean "node1"?']],
  ["a word of the language as node", vm("203.203.0.19", { node: "constructor" }), ['workloads.vm3.node: there is no node "constructor" in this network']],
  ["outside of the subnets", vm("203.204.0.19"), ["workloads.vm3.addresses[0]: 203.204.0.19 is outside of 203.203.0.0/16 and 2010:100:200::/60"]],
  ["first address", vm("203.203.0.0"), ["workloads.vm3.addresses[0]: 203.203.0.0 is the first address of 203.203.0.0/16, which no host can have"]],
  [
    "broadcast address",
    vm("203.203.255.255", { tunnelKey: 99 }),
    ["workloads.vm3.addresses[0]: 203.203.255.255 is the broadcast address of 203.203.0.0/16, which no host can have"],
  ],
  ["the gateway's address", vm("203.203.0.1"), ["workloads.vm3.addresses[0]: address 203.203.0.1 is already used by the gateway"]],
  [
    "the management port's address",
    { management: {}, ...vm("203.203.0.2") },
    ["workloads.vm3.addresses[0]: address 203.203.0.2 is already used by the management port"],
  ],
  ["address twice", vm("203.203.0.17"), ["workloads.vm3.addresses[0]: address 203.203.0.17 is already used by vm1"]],
  [
    "second address twice",
    withWorkloads({ vm3: { node: "node3", addresses: ["2010:100:200::11", "203.203.0.19"] } }),
    ["workloads.vm3.addresses[0]: address 2010:100:200::11 is already used by vm1"],
  ],
  ["MAC twice", vm("203.203.0.19", { mac: "0a:58:cb:cb:00:11" }), ["workloads.vm3.mac: MAC 0a:58:cb:cb:00:11 is already used by vm1"]],
  [
    "the MAC of a gateway router on the switch",
    vm("203.203.0.19", { mac: "0a:58:64:41:00:03" }),
    ['workloads.vm3.mac: MAC 0a:58:64:41:00:03 is already used by the gateway router of node "node2"'],
  ],
  ["a group's MAC", vm("203.203.0.19", { mac: "01:00:5e:00:00:01" }), ['workloads.vm3.mac: "01:00:5e:00:00:01" is a group address, which no port can have']],
  [
    "the derived MAC of another node outside",
    outside({ mac: "0a:58:ac:12:00:0b" }),
    ["nodes.node4.external.mac: MAC 0a:58:ac:12:00:0b is already used by node1"],
  ],
  [
    "a derived MAC outside that a node before has",
    withNodes({ node0: { id: 9, external: { addresses: ["172.18.0.19/24"], mac: "0a:58:ac:12:00:0b" } } }),
    ["nodes.node1.external.mac: MAC 0a:58:ac:12:00:0b is already used by node0"],
  ],
  [
    "a management port's MAC that is a gateway router's",
    { management: { mac: "0a:58:64:41:00:03" } },
    ["nodes.node2.id: MAC 0a:58:64:41:00:03 is already used by the management port"],
  ],
  ["the gateway's MAC", vm("203.203.0.19", { mac: "0A:58:CB:CB:00:01" }), ["workloads.vm3.mac: MAC 0a:58:cb:cb:00:01 is already used by the gateway"]],
  ["port key of another", vm("203.203.0.19", { tunnelKey: 27 }), ["workloads.vm3.tunnelKey: port key 27 is already used by vm1"]],
  [
    "two workloads with one low port key",
    withWorkloads({ vm3: { node: "node3", addresses: ["203.203.0.19"], tunnelKey: 9 }, vm4: { node: "node3", addresses: ["203.203.0.20"], tunnelKey: 9 } }),
    ["workloads.vm4.tunnelKey: port key 9 is already used by vm3"],
  ],
  [
    "address without a port key",
    vm("203.203.128.19"),
    ["workloads.vm3.tunnelKey: address offset 32787 has no port key: address offsets from 1 to 32757 do, as OVN's port keys end at 32767"],
  ],
  ["port name twice", vm("203.203.0.19", { portName: "vm1" }), ["workloads.vm3.portName: port name vm1 is already used by vm1"]],
  [
    "gateway outside of the subnet",
    { gatewayAddresses: ["203.204.0.1"] },
    ["gatewayAddresses[0]: 203.204.0.1 is outside of 203.203.0.0/16 and 2010:100:200::/60"],
  ],
  [
    "management port on the gateway's address",
    { management: { addresses: ["203.203.0.1"] } },
    ["management.addresses[0]: address 203.203.0.1 is already used by the gateway"],
  ],
];

describe("a network is refused before anything is written", () => {
  test.each(CASES)("%s", (_title, change, expected) => {
    expect(complaints(() => expandLayer2Network({ ...dual, ...change } as Layer2NetworkArgs))).toEqual(expected);
  });

  test("a workload with a conflicting derived key is accepted with a given one", () => {
    expect(expandLayer2Network({ ...dual, ...vm("203.203.128.19", { tunnelKey: 99 }) } as Layer2NetworkArgs).workloads.vm3).toMatchObject({ tunnelKey: 99 });
  });

  test.each<[string, object]>([
    ["the address that derives from the MAC", { addresses: ["203.203.0.17", "fd00:7::858:cbff:fecb:11"] }],
    ["that of a given MAC", { addresses: ["203.203.0.17", "fd00:7::ff:fe00:7"], mac: "02:00:00:00:00:07" }],
    ["any address, without port security", { portSecurity: false }],
    ["none except the given ones", {}],
    ["none, with IPv4 only", { addresses: ["203.203.0.17"] }],
  ])("workloads may generate their addresses: %s", (_title, change) => {
    const workloads = { vm1: { ...ALONE.workloads.vm1, ...change } };
    expect(expandLayer2Network({ ...dual, ...ALONE, workloads, routerAdvertisements: { addressMode: "slaac" } }).workloads.vm1).toMatchObject({
      node: "node1",
    });
  });

  test.each<[string, object]>([
    ["no advertisements", { routerAdvertisements: { enabled: false, addressMode: "slaac" } }],
    ["addresses by DHCP", { routerAdvertisements: { maxInterval: 60, minInterval: 20 } }],
  ])("no workload generates addresses with %s", (_title, change) => {
    expect(() => expandLayer2Network({ ...dual, ...change } as Layer2NetworkArgs)).not.toThrow();
  });

  test("each invalid migration has a code", () => {
    const wrong = {
      vm3: { migration: { to: "node3" } },
      vm4: { migration: { to: "node9" } },
      vm5: { node: "node9", migration: { to: "node1" } },
      vm6: { migration: { to: "node3", chassis: "node3" } },
      vm7: { migration: { to: "node1", chassis: "h9" } },
    };
    const workloads = Object.fromEntries(
      Object.entries(wrong).map(([name, change], index) => [name, { node: "node3", addresses: [`203.203.0.${30 + index}`], ...change }]),
    );
    expect(failuresOf(() => expandLayer2Network({ ...dual, ...withWorkloads(workloads) } as Layer2NetworkArgs)).map(({ path, code }) => [path, code])).toEqual([
      ["workloads.vm3.migration.to", "same-node"],
      ["workloads.vm4.migration.to", "unknown-node"],
      ["workloads.vm5.node", "unknown-node"],
      ["workloads.vm6.migration.chassis", "same-chassis"],
      ["workloads.vm7.migration.chassis", "unknown-chassis"],
    ]);
  });

  test("all errors are reported together, each with a code", () => {
    const args = { ...dual, joinSubnets: ["203.203.0.0/17"], gatewayMode: "local", ...withNodes({ node4: { id: 2 } }), ...vm("203.203.0.1") };
    expect(failuresOf(() => expandLayer2Network(args as Layer2NetworkArgs)).map(({ path, code }) => [path, code])).toEqual([
      ["joinSubnets[0]", "overlap"],
      ["workloads.vm3.addresses[0]", "duplicate"],
      ["management", "required"],
      ["nodes.node4.id", "duplicate"],
    ]);
  });
});
