import { quote } from "../kit/shell";
import { addressOf, externalNetwork, type HostAddresses, hostAddresses } from "./addresses";

/** Autonomous system numbers, from those for private use (RFC 6996). */
export const asNumbers = { upstream: 64512, host: 64513, leaf1: 64514, leaf2: 64515 } as const;

/** The other side of eBGP sessions: one for each family, between its addresses. */
export interface BgpNeighbor {
  readonly addresses: readonly [string, string];
  readonly asNumber: number;
  /** Lines for both families, such as `filter-list own out`. */
  readonly family?: readonly string[];
}

export interface BgpRouter {
  readonly name: string;
  readonly asNumber: number;
  readonly identifier: string;
  readonly neighbors: readonly BgpNeighbor[];
  /** Lines of their own, before `router bgp`. */
  readonly before?: readonly string[];
}

/** bgpd's configuration. */
export const bgpText = ({ name, asNumber, identifier, neighbors, before = [] }: BgpRouter): string => {
  const family = (which: 0 | 1, afi: string): string[] => [
    ` address-family ${afi} unicast`,
    ...neighbors.flatMap(({ addresses, family: lines = [] }) => ["activate", ...lines].map((line) => `  neighbor ${addressOf(addresses[which])} ${line}`)),
    " exit-address-family",
  ];
  return [
    "frr defaults datacenter",
    `hostname ${name}`,
    ...before,
    `router bgp ${asNumber}`,
    ` bgp router-id ${addressOf(identifier)}`,
    // The sandbox's stacks say what is announced; demanding a policy first would hide it.
    " no bgp ebgp-requires-policy",
    " no bgp default ipv4-unicast",
    " bgp bestpath as-path multipath-relax",
    " timers bgp 3 9",
    ...neighbors.flatMap(({ addresses, asNumber: other }) =>
      addresses.flatMap((cidr) => [` neighbor ${addressOf(cidr)} remote-as ${other}`, ` neighbor ${addressOf(cidr)} timers connect 1`]),
    ),
    ...family(0, "ipv4"),
    ...family(1, "ipv6"),
    "exit",
    "",
  ].join("\n");
};

/** One eBGP session for each family between the upstream router and each host. */
export const bgpConfiguration = (speaker: "upstream" | HostAddresses, hosts: number): string =>
  speaker === "upstream"
    ? bgpText({
        name: "ext",
        asNumber: asNumbers.upstream,
        identifier: externalNetwork.router[0],
        neighbors: Array.from({ length: hosts }, (_, index) => ({ addresses: hostAddresses(index + 1).external, asNumber: asNumbers.host })),
      })
    : bgpText({
        name: speaker.name,
        asNumber: asNumbers.host,
        identifier: speaker.external[0],
        neighbors: [{ addresses: externalNetwork.router, asNumber: asNumbers.upstream }],
      });

/**
 * Starts FRR in a namespace. Its daemons change to a user and a group of their own, which need not exist here and could not be used
 * in a user namespace: in the namespace's own mount namespace they are other names for root.
 */
export const frrScript = (folder: string): string => `
(
cd ${quote(folder)}
mkdir -p /run/frr bin
# vtysh would read its settings from a folder that need not exist here; without them it asks for a password.
echo 'username root nopassword' > vtysh.conf
echo 'service integrated-vtysh-config' >> vtysh.conf
: > frr.conf
printf '#!/bin/sh\\nexec "%s" --config_dir "%s" "$@"\\n' "$(command -v vtysh)" "$PWD" > bin/vtysh
chmod +x bin/vtysh
for file in passwd group; do grep -v '^frr' /etc/$file > etc-$file || true; done
echo 'frr:x:0:0::/:/bin/false' >> etc-passwd
printf 'frr:x:0:\\nfrrvty:x:0:\\n' >> etc-group
for file in passwd group; do mount --bind etc-$file /etc/$file; done
for daemon in mgmtd zebra staticd bgpd; do
  case $daemon in bgpd) config="--config_file $PWD/bgpd.conf" ;; *) config= ;; esac
  $daemon --daemon --user root --group root $config --pid_file "$PWD/$daemon.pid" --log "file:$PWD/frr.log"
done
)
`;

/** How many BGP sessions are up, and have brought routes where that is asked for, from the answer to `show bgp summary json`. */
export const establishedSessions = (summary: string, { withRoutes = false } = {}): number => {
  const families = Object.values(JSON.parse(summary) as Record<string, { peers?: Record<string, { state?: string; pfxRcd?: number }> }>);
  return families
    .flatMap((family) => Object.values(family.peers ?? {}))
    .filter(({ state, pfxRcd = 0 }) => state === "Established" && (pfxRcd > 0 || !withRoutes)).length;
};
