import { quote } from "../kit/shell";
import { type Cidr, externalNetwork, type HostAddresses } from "./addresses";
import { asNumbers, type BgpNeighbor, bgpText, frrScript } from "./frr";

/** The leaves of a fabric: routers between the upstream router and the hosts. */
export const leafNames = ["leaf1", "leaf2"] as const;
export type LeafName = (typeof leafNames)[number];

/** The two ends of a cable, each with its IPv4 and its IPv6 address. */
export interface FabricLink {
  readonly leaf: readonly [Cidr, Cidr];
  readonly other: readonly [Cidr, Cidr];
}

/**
 * The cable between a leaf and the host of this number, from 1, or the upstream router: 0. On either side the interface has the
 * name of what is on the other one.
 */
export const fabricLink = (leaf: LeafName, number: number): FabricLink => {
  const index = leafNames.indexOf(leaf) + 1;
  const end = (last: number): [Cidr, Cidr] => [`100.64.${index}.${last}/31`, `fd64:0:0:${index}::${last.toString(16)}/127`];
  return { leaf: end(2 * number + 2), other: end(2 * number + 3) };
};

const leafNumbers: Readonly<Record<LeafName, number>> = { leaf1: asNumbers.leaf1, leaf2: asNumbers.leaf2 };

/** bgpd's configuration of the upstream router, which is where the leaves' default routes lead. */
export const upstreamFabricBgp = (): string =>
  bgpText({
    name: "ext",
    asNumber: asNumbers.upstream,
    identifier: externalNetwork.router[0],
    neighbors: leafNames.map((leaf): BgpNeighbor => ({ addresses: fabricLink(leaf, 0).leaf, asNumber: leafNumbers[leaf], family: ["default-originate"] })),
  });

/** BGP configuration of a leaf: one session per family with the upstream router and each host. */
export const leafBgp = (leaf: LeafName, hosts: number): string =>
  bgpText({
    name: leaf,
    asNumber: leafNumbers[leaf],
    identifier: fabricLink(leaf, 0).leaf[0],
    neighbors: Array.from(
      { length: hosts + 1 },
      (_, number): BgpNeighbor => ({ addresses: fabricLink(leaf, number).other, asNumber: number === 0 ? asNumbers.upstream : asNumbers.host }),
    ),
  });

/**
 * BGP configuration of a host. Routes of other hosts contain its own AS number, so it accepts only the default route; it announces only routes
 * that it redistributes, or the leaves would use it as transit.
 */
export const hostFabricBgp = (host: HostAddresses, number: number): string =>
  bgpText({
    name: host.name,
    asNumber: asNumbers.host,
    identifier: host.external[0],
    neighbors: leafNames.map(
      (leaf): BgpNeighbor => ({ addresses: fabricLink(leaf, number).leaf, asNumber: leafNumbers[leaf], family: ["filter-list own out"] }),
    ),
    before: ["bgp as-path access-list own seq 5 permit ^$"],
  });

/** Commands of `ip -batch` that lay the cables; each end goes into the namespace whose process a namespace's file `pid` names. */
export const cableLines = (hosts: readonly HostAddresses[]): string[] =>
  leafNames.flatMap((leaf) =>
    ["ext", ...hosts.map(({ name }) => name)].map(
      (other) => `link add name ${other} netns $(cat ${leaf}/pid) type veth peer name ${leaf} netns $(cat ${other}/pid)`,
    ),
  );

const family = (path: string, value: number): string => `for family in ipv4 ipv6; do echo ${value} > /proc/sys/net/$family/conf/${path}; done`;

/** Namespaces route, and replies may arrive through another leaf. */
const routing = `${family("all/forwarding", 1)}\necho 0 > /proc/sys/net/ipv6/conf/all/accept_dad`;

const interfaceLines = (name: string): string => `echo 0 > /proc/sys/net/ipv6/conf/${name}/accept_dad
for which in all ${name}; do echo 0 > /proc/sys/net/ipv4/conf/$which/rp_filter; done
ethtool -K ${name} tx off > /dev/null`;

const interfaces = (ends: ReadonlyMap<string, readonly [Cidr, Cidr]>): string => `${routing}
${[...ends.keys()].map(interfaceLines).join("\n")}
ip -batch - <<END
link set lo up
${[...ends].flatMap(([name, addresses]) => [...addresses.map((address) => `address add ${address} dev ${name}`), `link set ${name} up`]).join("\n")}
END
`;

/** Sets up the cables of a namespace that has one to each leaf: of a host by its number, of the upstream router by 0. */
export const fabricScript = (number: number): string => interfaces(new Map(leafNames.map((leaf) => [leaf, fabricLink(leaf, number).other])));

/** Sets up a leaf; runs in its namespaces. */
export const leafScript = (leaf: LeafName, hosts: readonly HostAddresses[], folder: string): string => `set -e
cd ${quote(folder)}
${interfaces(new Map(["ext", ...hosts.map(({ name }) => name)].map((other, number) => [other, fabricLink(leaf, number).leaf])))}${frrScript(folder)}`;

/** Addresses of a leaf, by what is on the other side: the upstream router, then the hosts. */
export const leafAddresses = (leaf: LeafName, hosts: number): Cidr[] => Array.from({ length: hosts + 1 }, (_, number) => fabricLink(leaf, number).leaf).flat();

/** Addresses of a host, by its number, or of the upstream router, 0, towards the leaves. */
export const addressesInFabric = (number: number): Cidr[] => leafNames.flatMap((leaf) => fabricLink(leaf, number).other);
