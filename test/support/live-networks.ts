/** Networks that no stack made, as arguments of one ovn-nbctl(8) command each. */

type Columns = readonly string[];
type Place = readonly [table: string, name: string, column: string];

/** Makes a row and puts it into a set column of another one. */
function inside(parent: Place, table: string, columns: Columns): string[] {
  const id = `@row${counter++}`;
  const [parentTable, name, column] = parent;
  return ["--", `--id=${id}`, "create", table, ...columns, "--", "add", parentTable, name, column, id];
}
let counter = 0;

/** A plain network: a switch with two ports and an ACL, a router, a load balancer, a port group, DHCP. */
export function plainNetwork(): string[] {
  return [
    "ls-add", "sw0", "--", "lsp-add", "sw0", "p1", "--", "lsp-set-addresses", "p1", "0a:58:0a:00:00:02 10.0.0.2", "--", "lsp-add", "sw0", "p2",
    "--", "acl-add", "sw0", "to-lport", "1000", 'ip4.src == 10.0.0.9 && tcp.dst == {80, 443} /* "quoted" ${x} \\n */', "drop",
    "--", "lr-add", "r0", "--", "lrp-add", "r0", "r0-sw0", "0a:58:0a:00:00:01", "10.0.0.1/24", "--", "set", "logical_router", "r0", "options:chassis=h1",
    "--", "lsp-add", "sw0", "sw0-r0", "--", "lsp-set-type", "sw0-r0", "router", "--", "lsp-set-addresses", "sw0-r0", "router", "--", "lsp-set-options", "sw0-r0", "router-port=r0-sw0",
    "--", "lr-route-add", "r0", "0.0.0.0/0", "10.0.0.254", "--", "lr-nat-add", "r0", "snat", "172.16.0.1", "10.0.0.0/24",
    "--", "lb-add", "vip", "10.96.0.1:80", "10.0.0.2:80,10.0.0.3:80", "--", "ls-lb-add", "sw0", "vip", "--", "lr-lb-add", "r0", "vip",
    "--", "pg-add", "pg0", "p1", "p2", "--", "acl-add", "pg0", "from-lport", "900", "inport == @pg0", "allow-related",
    "--", "--id=@dhcp", "create", "DHCP_Options", "cidr=10.0.0.0/24", "options:lease_time=\"3600\"", "external_ids:team=\"net \\\"ö\\\"\"", "--", "set", "logical_switch_port", "p1", "dhcpv4_options=@dhcp",
    "--", "create", "Address_Set", "name=as0", 'addresses="10.0.0.2","10.0.0.3"', "--", "create", "Static_MAC_Binding", "logical_port=r0-sw0", "ip=10.0.0.254", 'mac="0a:58:0a:00:00:fe"',
  ];
}

const NETWORK = "cluster_udn_blue-l2";
const PREFIX = "cluster_udn_blue.l2_";
const TR = `${PREFIX}transit_router`;
const SW = `${PREFIX}ovn_layer2_switch`;
const GR = `GR_${PREFIX}node1`;
const EXT = `ext_${PREFIX}node1`;
const MARKS = [`external_ids:k8s.ovn.org/network=${NETWORK}`, "external_ids:k8s.ovn.org/topology=layer2"];
const PRIMARY = [...MARKS, "external_ids:k8s.ovn.org/role=primary"];
const REMOTE = [...MARKS, "external_ids:k8s.ovn.org/node=node2"];
const quoted = (...texts: string[]) => texts.map((text) => JSON.stringify(text)).join(",");

/** The names that ovn-kubernetes gives to the network's objects. */
export const KUBERNETES = { network: NETWORK, transitRouter: TR, switch: SW, gatewayRouter: GR };

/**
 * A dual-stack layer-2 network as ovn-kubernetes makes it for its node1 (id 2, chassis of another name), with node2 (id
 * 3) elsewhere: names, marks and values of its releases 1.2 and 1.3.
 */
export function kubernetesNetwork(): string[] {
  const tr = (column: string): Place => ["Logical_Router", TR, column];
  const gr = (column: string): Place => ["Logical_Router", GR, column];
  const sw = (column: string): Place => ["Logical_Switch", SW, column];
  const ext = (column: string): Place => ["Logical_Switch", EXT, column];
  const route = (router: typeof tr, prefix: string, nextHop: string, ...more: string[]) =>
    inside(router("static_routes"), "Logical_Router_Static_Route", [`ip_prefix=${quoted(prefix)}`, `nexthop=${quoted(nextHop)}`, ...MARKS, ...more]);
  const nat = (router: typeof tr, external: string, logical: string, ...more: string[]) =>
    inside(router("nat"), "NAT", ["type=snat", `external_ip=${quoted(external)}`, `logical_ip=${quoted(logical)}`, "options:stateless=false", ...MARKS, ...more]);
  const policy = (host: string, family: number, nextHop: string) =>
    inside(tr("policies"), "Logical_Router_Policy", ["priority=1004", "action=reroute", `nexthops=${quoted(nextHop)}`, `match=${quoted(`inport == "trtos-${SW}" && ip${family}.dst == ${host} /* ${SW} */`)}`, ...MARKS]);
  const management = "0a:58:cb:cb:00:02";
  const outputPort = (name: string) => `output_port=${quoted(name)}`;
  return [
    "--id=@copp", "create", "Copp", "name=ovnkube-default", "meters:arp=arp-rate-limiter",
    "--", "--id=@lb", "create", "Load_Balancer", "name=Service_default/kubernetes_TCP_cluster", "protocol=tcp", 'vips:"10.96.0.1:443"="172.18.0.3:6443"',
    "external_ids:k8s.ovn.org/kind=Service", "external_ids:k8s.ovn.org/owner=default/kubernetes",
    "--", "--id=@lbg", "create", "Load_Balancer_Group", `name=clusterLBGroup_${PREFIX}`, "load_balancer=@lb",
    "--", "ls-add", SW, "--", "set", "logical_switch", SW, "other_config:subnet=203.203.0.0/16", 'other_config:ipv6_prefix="2010:100:200::"',
    "other_config:mcast_snoop=true", "other_config:mcast_querier=false", "other_config:mcast_flood_unregistered=true", `other_config:interconn-ts=${SW}`, "other_config:requested-tnl-key=16715779", "load_balancer_group=@lbg", ...PRIMARY,
    "--", "lsp-add", SW, `k8s-${PREFIX}node1`, "--", "lsp-set-addresses", `k8s-${PREFIX}node1`, `${management} 203.203.0.2 2010:100:200::2`,
    ...inside(sw("acls"), "ACL", ["direction=to-lport", "priority=1001", "tier=2", "action=allow-related", 'match="ip4.src==203.203.0.2"', "name=mgmt4", ...MARKS]),
    ...inside(sw("acls"), "ACL", ["direction=to-lport", "priority=1001", "tier=2", "action=allow-related", 'match="ip6.src==2010:100:200::2"', "name=mgmt6", ...MARKS]),
    "--", "lsp-add", SW, `stotr-${SW}`, "--", "set", "logical_switch_port", `stotr-${SW}`, "type=router", "addresses=router", `options:router-port=trtos-${SW}`, ...MARKS,
    "--", "lsp-add", SW, "blue_pod1", "--", "set", "logical_switch_port", "blue_pod1", 'addresses="0a:58:cb:cb:00:11 203.203.0.17 2010:100:200::11"', 'port_security="0a:58:cb:cb:00:11 203.203.0.17 2010:100:200::11"',
    "options:requested-tnl-key=27", "options:requested-chassis=chassis-1", "options:iface-id-ver=3f2e", "external_ids:pod=true", "external_ids:namespace=blue", ...MARKS,
    "--", "lr-add", TR, "--", "set", "logical_router", TR, "options:requested-tnl-key=16715780", "copp=@copp", "external_ids:k8s-cluster-router=yes", ...MARKS,
    "--", "lrp-add", TR, `trtos-${SW}`, "0a:58:cb:cb:00:01", "203.203.0.1/16", "2010:100:200::1/60", "--", "set", "logical_router_port", `trtos-${SW}`, "options:requested-tnl-key=1", "options:gateway_mtu=1400",
    "ipv6_ra_configs:address_mode=dhcpv6_stateful", "ipv6_ra_configs:send_periodic=true", "ipv6_ra_configs:max_interval=900", "ipv6_ra_configs:min_interval=300", "ipv6_ra_configs:router_preference=LOW", "ipv6_ra_configs:mtu=1400",
    "--", "lrp-set-gateway-chassis", `trtos-${SW}`, "chassis-1", "1",
    "--", "lrp-add", TR, `trtor-${GR}`, "0a:58:64:58:00:04", "100.88.0.4/31", "fd97::4/127", `peer=rtotr-${GR}`, "--", "set", "logical_router_port", `trtor-${GR}`, "options:requested-tnl-key=12", ...MARKS,
    "--", "lrp-add", TR, `trtor-GR_${PREFIX}node2`, "0a:58:64:58:00:06", "100.88.0.6/31", "fd97::6/127", "--", "set", "logical_router_port", `trtor-GR_${PREFIX}node2`, "options:requested-tnl-key=13", "options:requested-chassis=chassis-2", ...REMOTE,
    ...route(tr, "203.203.0.0/16", "100.88.0.5", "policy=src-ip"), ...route(tr, "2010:100:200::/60", "fd97::5", "policy=src-ip"),
    ...route(tr, "100.65.0.2", "100.88.0.5"), ...route(tr, "fd99::2", "fd97::5"), ...route(tr, "100.65.0.3", "100.88.0.7", ...REMOTE), ...route(tr, "fd99::3", "fd97::7", ...REMOTE),
    ...nat(tr, "169.254.0.12", "203.203.0.0/16", `logical_port=trtos-${SW}`, `match=${quoted(`eth.dst == ${management}`)}`), ...nat(tr, "fd69::c", "2010:100:200::/60", `logical_port=trtos-${SW}`, `match=${quoted(`eth.dst == ${management}`)}`),
    ...policy("172.18.0.3", 4, "203.203.0.2"), ...policy("fc00:f853:ccd:e793::3", 6, "2010:100:200::2"),
    "--", "lr-add", GR, "--", "set", "logical_router", GR, "options:chassis=chassis-1", "options:always_learn_from_arp_request=false", "options:dynamic_neigh_routers=false", "options:mac_binding_age_threshold=300", 'options:lb_force_snat_ip="100.65.0.2 fd99::2"',
    "load_balancer_group=@lbg", "external_ids:physical_ip=172.18.0.3", "external_ids:physical_ips=\"172.18.0.3,169.254.0.11\"", ...PRIMARY,
    "--", "lrp-add", GR, `rtoe-${GR}`, "02:42:ac:12:00:03", "172.18.0.3/16", "fc00:f853:ccd:e793::3/64", "169.254.0.11/32", "fd69::b/128", "--", "set", "logical_router_port", `rtoe-${GR}`, ...MARKS,
    "--", "lrp-add", GR, `rtotr-${GR}`, "0a:58:64:41:00:02", "100.65.0.2/16", "fd99::2/64", "100.88.0.5/31", "fd97::5/127", `peer=trtor-${GR}`, "--", "set", "logical_router_port", `rtotr-${GR}`, "options:gateway_mtu=1400", ...MARKS,
    ...route(gr, "203.203.0.0/16", "100.88.0.4", outputPort(`rtotr-${GR}`)), ...route(gr, "2010:100:200::/60", "fd97::4", outputPort(`rtotr-${GR}`)),
    ...route(gr, "0.0.0.0/0", "172.18.0.1", outputPort(`rtoe-${GR}`)), ...route(gr, "::/0", "fc00:f853:ccd:e793::1", outputPort(`rtoe-${GR}`)),
    ...route(gr, "169.254.0.0/17", "169.254.0.4", outputPort(`rtoe-${GR}`)), ...route(gr, "fd69::/112", "fd69::4", outputPort(`rtoe-${GR}`)),
    ...nat(gr, "169.254.0.11", "100.65.0.2"), ...nat(gr, "fd69::b", "fd99::2"), ...nat(gr, "169.254.0.11", "203.203.0.0/16"), ...nat(gr, "fd69::b", "2010:100:200::/60"),
    "--", "ls-add", EXT, "--", "set", "logical_switch", EXT, ...PRIMARY,
    ...inside(ext("ports"), "Logical_Switch_Port", [`name=br-ex_${PREFIX}node1`, "type=localnet", "addresses=unknown", "options:network_name=physnet", ...MARKS]),
    ...inside(ext("ports"), "Logical_Switch_Port", [`name=etor-${GR}`, "type=router", 'addresses="02:42:ac:12:00:03"', `options:router-port=rtoe-${GR}`, "options:nat-addresses=router", "options:exclude-lb-vips-from-garp=true", ...MARKS]),
    ...[["169.254.0.4", "0a:58:a9:fe:00:04"], ["169.254.0.2", "0a:58:a9:fe:00:02"], ["fd69::4", "0a:58:1b:ac:71:41"], ["fd69::2", "0a:58:e0:ff:1d:9b"]].flatMap(([ip, mac]) =>
      ["--", "create", "Static_MAC_Binding", `logical_port=rtoe-${GR}`, `ip=${quoted(ip!)}`, `mac=${quoted(mac!)}`, "override_dynamic_mac=true"]),
  ];
}
