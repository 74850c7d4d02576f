import { join } from "node:path";
import { generateFrrConfigurations, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";
import { quote } from "@pulumi-ovn/sandbox/testing";
import { facts, template } from "./advertisement";
import { runScript } from "./run-script";

const AS = { host: 64513, upstream: 64512 } as const;

/** Values of both networks, which only their VRFs separate: their own subnets, and the fabric's announcements in either VRF. */
const SUBNETS = ["10.77.0.0/24", "2001:db8:77::/64"] as const;
export const SHARED = ["192.0.2.77", "2001:db8:7700::77"] as const;

/** A network with a VRF of its own name on node1, and with a wire of its own to a VRF of the upstream router. */
export interface LiteNetwork {
  readonly name: string;
  /** Number of the wire: 172.30.NUMBER.0/24 and fd30:0:0:NUMBER::/64, with the upstream router at 1, the gateway router at 11, the host at 111. */
  readonly number: number;
  readonly table: number;
  /** Whether ovn-controller makes the VRF device; otherwise the operator of the host does. */
  readonly maintained: boolean;
  readonly workload: Workload;
  /** Prefixes announced only in this VRF. */
  readonly outside: readonly [string, string];
}

const lite = (name: string, number: number, maintained: boolean): LiteNetwork => ({
  name,
  number,
  maintained,
  table: 1300 + number,
  outside: [`192.0.2.${70 + number}`, `2001:db8:7700::7${number}`],
  workload: {
    name: `${name}1`,
    host: "node1",
    mac: `0a:00:00:00:77:1${number}`,
    addresses: [`10.77.0.1${number}/24`, `2001:db8:77::1${number}/64`],
    gateways: ["10.77.0.1", "2001:db8:77::1"],
  },
});
export const LITES = [lite("blue", 1, true), lite("red", 2, false)] as const;

const bare = (cidr: string) => cidr.split("/")[0]!;
const ends = ({ number }: LiteNetwork, last: number) => [`172.30.${number}.${last}`, `fd30:0:0:${number}::${last.toString(16)}`] as const;
/** Link-local address of the MAC that is derived from the gateway router's IPv4 address. */
const linkLocal = ({ number }: LiteNetwork) => `fe80::858:acff:fe1e:${((number << 8) + 11).toString(16)}`;
/** The VRF of the upstream router that a wire ends in. */
export const fabricVrf = ({ name }: LiteNetwork) => `f-${name}`;

/** The network as a program has it: no default gateway, so that nothing leaves but by what its VRF has learned. */
export const liteNetwork = (network: LiteNetwork): Layer2NetworkArgs => {
  const { name, number, table, maintained, workload } = network;
  const [four, six] = ends(network, 11);
  return {
    name,
    subnets: [...SUBNETS],
    tunnelKeys: { switch: 16_715_779 + 2 * number, router: 16_715_780 + 2 * number },
    nodes: { node1: { id: 2, external: { addresses: [`${four}/24`, `${six}/64`], networkName: name, nextHops: [] } } },
    workloads: { [workload.name]: { node: "node1", mac: workload.mac!, addresses: workload.addresses!.map(bare) } },
    advertised: { importRoutes: { table, uplink: name, neighbors: [ends(network, 1)[1]], ...(maintained && { vrf: name }) } },
  };
};

/** Lays the wires, and has the chassis know the bridges that they end in. */
export async function layWires(sandbox: Pick<Sandbox, "exec" | "folder" | "script">, networks: readonly LiteNetwork[]): Promise<void> {
  const netns = (place: string) => `"$(cat ${quote(join(sandbox.folder, place, "pid"))})"`;
  const { code, stderr } = await sandbox.script(
    networks.map(({ name }) => `ip link add name w-${name} netns ${netns("ext")} type veth peer name x-${name} netns ${netns("node1")}`).join("\n"),
  );
  if (code !== 0) throw new Error(stderr);
  await runScript(
    sandbox,
    "ext",
    networks
      .map(
        (network) => `
    ip link add ${fabricVrf(network)} type vrf table ${2000 + network.number}; ip link set ${fabricVrf(network)} up; ip link set w-${network.name} master ${fabricVrf(network)}
    echo 0 > /proc/sys/net/ipv6/conf/w-${network.name}/accept_dad; echo 0 > /proc/sys/net/ipv4/conf/w-${network.name}/rp_filter; ip link set w-${network.name} up
    ip address add ${ends(network, 1)[0]}/24 dev w-${network.name}; ip address add ${ends(network, 1)[1]}/64 dev w-${network.name}
    ethtool -K w-${network.name} tx off > /dev/null
    ${[...network.outside, ...SHARED].map((address) => `ip address add ${address}/${address.includes(":") ? "128 nodad" : 32} dev ${fabricVrf(network)}`).join("; ")}`,
      )
      .join("\n"),
  );
  await runScript(
    sandbox,
    "node1",
    networks
      .map(
        ({ name }) => `
    echo 1 > /proc/sys/net/ipv4/conf/x-${name}/arp_ignore; echo 1 > /proc/sys/net/ipv6/conf/x-${name}/disable_ipv6; ip link set x-${name} up
    ovs-vsctl --timeout=60 add-br br-${name} -- set Bridge br-${name} datapath_type=netdev -- add-port br-${name} x-${name}; ethtool -K br-${name} tx off > /dev/null`,
      )
      .join("\n"),
  );
  const pairs = (before: string, between: string) => [before, ...networks.map(({ name }) => `${name}${between}br-${name}`)].filter(Boolean).join(",");
  await runScript(
    sandbox,
    "node1",
    `ovs-vsctl --timeout=60 set Open_vSwitch . external_ids:ovn-bridge-mappings=${pairs("physnet:br-ex", ":")} external_ids:dynamic-routing-port-mapping='"${pairs("", "=")}"'`,
  );
}

/** Puts the host's end of the wire into the VRF. */
export const enslaved = (network: LiteNetwork): string => `
  ip link set br-${network.name} master ${network.name}; echo 0 > /proc/sys/net/ipv6/conf/br-${network.name}/accept_dad; ip link set br-${network.name} up
  ip address add ${ends(network, 111)[0]}/24 dev br-${network.name}; ip address add ${ends(network, 111)[1]}/64 dev br-${network.name}`;

const COMMON = ["no bgp ebgp-requires-policy", "no bgp network import-check", "no bgp default ipv4-unicast"];

/** Configuration of the upstream router: in each VRF one session for each family, which shows what is announced there. */
export const upstreamLines = (networks: readonly LiteNetwork[]): string[] =>
  networks.flatMap((network) => [
    `router bgp ${AS.upstream} vrf ${fabricVrf(network)}`,
    ...COMMON,
    ...ends(network, 111).flatMap((end) => [`neighbor ${end} remote-as ${AS.host}`, `neighbor ${end} timers connect 1`]),
    ...([0, 1] as const).flatMap((family) => [
      `address-family ${family === 0 ? "ipv4" : "ipv6"} unicast`,
      ...[network.outside, SHARED].map((addresses) => `network ${addresses[family]}/${family === 0 ? 32 : 128}`),
      `neighbor ${ends(network, 111)[family]} activate`,
      "exit-address-family",
    ]),
    "exit",
  ]);

/** Withdraws, in one VRF, what all VRFs announce. */
export const withdrawalLines = (network: LiteNetwork): string[] => [
  `router bgp ${AS.upstream} vrf ${fabricVrf(network)}`,
  ...SHARED.flatMap((address, family) => [
    `address-family ${family === 0 ? "ipv4" : "ipv6"} unicast`,
    `no network ${address}/${family === 0 ? 32 : 128}`,
    "exit-address-family",
  ]),
];

interface Told {
  readonly allowed: { readonly prefixes: readonly string[] };
}

/**
 * Configuration of the host: the FRRConfiguration that `RouteAdvertisement` generates for each network's own VRF (`targetVRF: "auto"`), as
 * frr-k8s writes it. A guest is too small for its controller and a Kubernetes cluster.
 */
export function hostLines(networks: readonly LiteNetwork[]): string[] {
  const routers = networks.map((network) => ({
    asn: AS.host,
    vrf: network.name,
    neighbors: ends(network, 1).map((address) => ({ address, asn: AS.upstream })),
  }));
  const { objects } = generateFrrConfigurations(
    {
      name: "lite",
      targetVRF: "auto",
      advertisements: ["PodNetwork"],
      frrConfigurationSelector: { matchLabels: { use: "yes" } },
      networks: Object.fromEntries(networks.map(({ name }) => [name, { topology: "layer2" as const, subnets: [...SUBNETS], vrf: name }])),
    },
    facts({ frrConfigurations: [template("peers", routers)] }),
  );
  // Otherwise the next hop of learned routes would be an unknown link-local address.
  return [
    "route-map global permit 10",
    "set ipv6 next-hop prefer-global",
    "exit",
    ...objects
      .flatMap(({ spec: { bgp } }) => bgp!.routers!)
      .flatMap(({ asn, vrf, neighbors = [], prefixes = [] }) => {
        const network = networks.find(({ name }) => name === vrf)!;
        const maps = neighbors.flatMap(({ address, toAdvertise }) => {
          const six = address!.includes(":");
          const next = six
            ? [`set ipv6 next-hop global ${ends(network, 11)[1]}`, `set ipv6 next-hop local ${linkLocal(network)}`]
            : [`set ip next-hop ${ends(network, 11)[0]}`];
          return [
            ...(toAdvertise as Told).allowed.prefixes.map((prefix) => `${six ? "ipv6" : "ip"} prefix-list ${address}-${vrf} permit ${prefix}`),
            `route-map ${address}-${vrf}-out permit 1`,
            `match ${six ? "ipv6" : "ip"} address prefix-list ${address}-${vrf}`,
            ...next,
            "exit",
          ];
        });
        const family = (name: string, six: boolean) => [
          `address-family ${name} unicast`,
          ...prefixes.filter((prefix) => prefix.includes(":") === six).map((prefix) => `network ${prefix}`),
          ...neighbors
            .filter(({ address }) => address!.includes(":") === six)
            .flatMap(({ address }) => [
              `neighbor ${address} activate`,
              `neighbor ${address} route-map ${address}-${vrf}-out out`,
              ...(six ? [`neighbor ${address} route-map global in`] : []),
            ]),
          "exit-address-family",
        ];
        return [
          ...maps,
          `router bgp ${asn} vrf ${vrf}`,
          ...COMMON,
          ...neighbors.flatMap(({ address, asn: other }) => [`neighbor ${address} remote-as ${other}`, `neighbor ${address} timers connect 1`]),
          ...family("ipv4", false),
          ...family("ipv6", true),
          "exit",
        ];
      }),
  ];
}
