import type { Workload } from "@pulumi-ovn/sandbox";

/** A provider network, a router with its gateway port, and a tenant network, named and marked as OpenStack Neutron does. */
const PUBLIC = "neutron-0d6ef1b3-0d1f-4d09-9a6c-1f6a5b1f0001";
const PRIVATE = "neutron-0d6ef1b3-0d1f-4d09-9a6c-1f6a5b1f0002";
/** A tenant network of another router. */
const OTHER = "neutron-0d6ef1b3-0d1f-4d09-9a6c-1f6a5b1f0005";
const ROUTER = "neutron-0d6ef1b3-0d1f-4d09-9a6c-1f6a5b1f0003";
const LOCALNET = "provnet-0d6ef1b3-0d1f-4d09-9a6c-1f6a5b1f0004";

export const provider: Workload = {
  name: "p1",
  host: "node1",
  mac: "fa:16:3e:00:05:11",
  addresses: ["198.51.100.11/24", "2001:db8:5::11/64"],
  gateways: ["198.51.100.1", "2001:db8:5::1"],
};
export const tenant: Workload = {
  name: "t1",
  host: "node1",
  mac: "fa:16:3e:00:01:11",
  addresses: ["10.1.0.11/24", "2001:db8:1::11/64"],
  gateways: ["10.1.0.1", "2001:db8:1::1"],
};

/** Prefixes that a complete announcement has. */
export const WANTED = ["198.51.100.11", "2001:db8:5::11", "198.51.100.2", "2001:db8:5::2", "198.51.100.21", "10.1.0.11", "2001:db8:1::11"] as const;

/** Ports without an interface: of the provider network, whose changes are announced; of another tenant's network, on another chassis. */
export const announcedPort = (index: number) => ({ name: `near${index}`, address: `198.51.100.${100 + index}` });
export const remotePort = (index: number) => ({ name: `far${index}`, address: `10.2.0.${index + 1}` });

const marks = (ids: Readonly<Record<string, string>>): string =>
  Object.entries(ids)
    .map(([key, value]) => `'external_ids:"neutron:${key}"="${value}"'`)
    .join(" ");

const port = (network: string, name: string, addresses: string, ids: Readonly<Record<string, string>>): string =>
  `-- lsp-add ${network} ${name} -- lsp-set-addresses ${name} "${addresses}" -- set Logical_Switch_Port ${name} ${marks(ids)}`;

const workload = (network: string, { name, mac, addresses = [] }: Workload, ids: Readonly<Record<string, string>> = {}): string =>
  port(network, name, [mac, ...addresses.map((cidr) => cidr.split("/")[0])].join(" "), { cidrs: addresses.join(" "), device_owner: "compute:nova", ...ids });

const routerPort = (network: string, name: string, mac: string, cidrs: string, owner: string): string =>
  `-- lrp-add ${ROUTER} lrp-${name} ${mac} ${cidrs} -- lsp-add ${network} ${name} -- lsp-set-type ${name} router -- lsp-set-addresses ${name} router \
  -- lsp-set-options ${name} router-port=lrp-${name} nat-addresses=router -- set Logical_Switch_Port ${name} ${marks({ cidrs, device_owner: owner })}`;

/** Commands that write the network, with `near` ports and `far` ports. */
export const networkScript = (near: number, far: number): string => `ovn-nbctl --wait=hv \
  -- ls-add ${PUBLIC} -- set Logical_Switch ${PUBLIC} ${marks({ network_name: "public" })} \
  -- lsp-add ${PUBLIC} ${LOCALNET} -- lsp-set-type ${LOCALNET} localnet -- lsp-set-options ${LOCALNET} network_name=physnet -- lsp-set-addresses ${LOCALNET} unknown \
  -- ls-add ${OTHER} -- set Logical_Switch ${OTHER} ${marks({ network_name: "other" })} \
  -- ls-add ${PRIVATE} -- set Logical_Switch ${PRIVATE} ${marks({ network_name: "private" })} -- lr-add ${ROUTER} \
  ${routerPort(PUBLIC, "outside", "fa:16:3e:00:05:02", "198.51.100.2/24 2001:db8:5::2/64", "network:router_gateway")} -- lrp-set-gateway-chassis lrp-outside node1 20 \
  -- lr-route-add ${ROUTER} 0.0.0.0/0 198.51.100.1 -- lr-route-add ${ROUTER} ::/0 2001:db8:5::1 \
  ${routerPort(PRIVATE, "inside", "fa:16:3e:00:01:01", "10.1.0.1/24 2001:db8:1::1/64", "network:router_interface")} \
  ${workload(PUBLIC, provider)} -- lsp-set-options p1 requested-chassis=node1 ${workload(PRIVATE, tenant, { port_fip: "198.51.100.21" })} \
  -- lr-nat-add ${ROUTER} dnat_and_snat 198.51.100.21 10.1.0.11 t1 fa:16:3e:00:05:21
ovn-nbctl ${Array.from({ length: near + far }, (_, index) => (index < near ? announcedPort(index) : remotePort(index - near)))
  .map(({ name, address }, index) =>
    port(index < near ? PUBLIC : OTHER, name, `fa:16:3e:00:06:${index.toString(16).padStart(2, "0")} ${address}`, { cidrs: `${address}/24` }),
  )
  .join(" ")}
ovn-nbctl --wait=hv sync
`;

/** Gives the provider network's workload an interface on the second host, too: `requested-chassis` selects the one that works. */
export const secondCable = (pid: string): readonly [host: string, workload: string] => [
  `ip link add p1 type veth peer name other netns ${pid}
ip link set p1 addrgenmode none up
ovs-vsctl --timeout=10 add-port br-int p1 -- set Interface p1 external_ids:iface-id=p1`,
  `ip link set eth0 down
ip link set eth0 name first
ip link add eth0 type bridge forward_delay 0 mcast_snooping 0
ip link set eth0 address ${provider.mac}
ip address flush dev first
for cable in first other; do
  ip link set $cable addrgenmode none
  ip link set $cable address 02:00:00:00:00:0\${#cable}
  ethtool -K $cable tx off > /dev/null
  ip link set $cable up
done
ip link set first master eth0
# A bridge without a port has no carrier, and Linux then forgets its neighbours: no workload does that while it moves.
ip link add spare type veth peer name loose
ip link set loose addrgenmode none up
ip link set spare addrgenmode none master eth0 up
echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_ra
ip link set eth0 up
ip address add 198.51.100.11/24 dev eth0
ip address add 2001:db8:5::11/64 dev eth0 nodad
ip route add default via 198.51.100.1
ip -6 route add default via 2001:db8:5::1
ethtool -K eth0 tx off > /dev/null`,
];
