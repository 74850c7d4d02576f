import * as ovn from "pulumi-ovn";

// Services on the hosts themselves (a kubelet, an API server, a metrics exporter), reached from workloads of a layer-2
// network, and by the host itself through a service address. One zone per host; each zone's setting `openvswitch`
// leads to the host's own Open vSwitch database.
const names = ["node1", "node2", "node3"];
const transitSubnets = ["100.88.0.0/16", "fd97::/64"];
const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };

const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });

const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  transitSubnets,
  tunnelKeys: keys.of("blue"),
  // Every host has a port in the network: k8s-blue_<node>, with the second address of each subnet.
  management: {},
  nodes: Object.fromEntries(
    names.map((name, index) => {
      const addresses = [`172.18.0.${11 + index}/24`, `fc00:f853:ccd:e793::${(11 + index).toString(16)}/64`];
      return [name, { id: 2 + index, tunnelAddresses: [`198.18.0.${1 + index}`], external: { ...outside, addresses } }];
    }),
  ),
  workloads: Object.fromEntries(
    names.map((node, index) => [`vm${1 + index}`, { node, addresses: [`203.203.0.${17 + index}`, `2010:100:200::${11 + index}`] }]),
  ),
});

const local = new ovn.NodeLocalAccess("local", {
  // Subnets in use on routers and hosts.
  usedSubnets: ["203.203.0.0/16", "2010:100:200::/60", "100.65.0.0/16", "fd99::/64", ...transitSubnets, "172.18.0.0/24", "fc00:f853:ccd:e793::/64"],
  // The sandbox runs Open vSwitch in userspace.
  datapathType: "netdev",
  zones: Object.fromEntries(
    names.map((node, index) => {
      const host = {
        routerPort: "trtos-blue_ovn_layer2_switch",
        hostAddresses: [`172.18.0.${111 + index}`, `fc00:f853:ccd:e793::${(111 + index).toString(16)}`],
        management: { addresses: ["203.203.0.2", "2010:100:200::2"], port: `k8s-blue_${node}` },
      };
      return [node, { router: blue.zones[node].gateway.uuid, nodes: { [node]: host } }];
    }),
  ),
});

/** Source addresses of the host's own requests at the services of each node. */
export const addresses = local.addresses;
/** Addresses and MAC that each host configures on its port ovn-k8s-gw0. */
export const hosts = Object.fromEntries(Object.entries(local.hosts).map(([node, host]) => [node, { addresses: host.addresses, mac: host.portMac }]));
