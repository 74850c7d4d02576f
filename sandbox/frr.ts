import { addressOf, externalNetwork, type HostAddresses, hostAddresses } from "./addresses";
import { quote } from "./binaries";

/** Autonomous system numbers, from those for private use (RFC 6996). */
export const asNumbers = { upstream: 64512, host: 64513 } as const;

/** bgpd's configuration: one eBGP session for each family between the upstream router and each host. */
export const bgpConfiguration = (place: "upstream" | HostAddresses, hosts: number): string => {
  const [name, own, other, identifier, neighbors] = place === "upstream"
    ? (["ext", asNumbers.upstream, asNumbers.host, addressOf(externalNetwork.router[0]), Array.from({ length: hosts }, (_, index) => hostAddresses(index + 1).external)] as const)
    : ([place.name, asNumbers.host, asNumbers.upstream, addressOf(place.external[0]), [externalNetwork.router]] as const);
  const family = (which: 0 | 1, afi: string): string[] => [
    ` address-family ${afi} unicast`, ...neighbors.map((pair) => `  neighbor ${addressOf(pair[which])} activate`), " exit-address-family",
  ];
  return [
    "frr defaults datacenter", `hostname ${name}`, `router bgp ${own}`, ` bgp router-id ${identifier}`,
    // The sandbox's stacks say what is announced; demanding a policy first would hide it.
    " no bgp ebgp-requires-policy", " no bgp default ipv4-unicast", " timers bgp 3 9",
    ...neighbors.flat().flatMap((cidr) => [` neighbor ${addressOf(cidr)} remote-as ${other}`, ` neighbor ${addressOf(cidr)} timers connect 1`]),
    ...family(0, "ipv4"), ...family(1, "ipv6"), "exit", "",
  ].join("\n");
};

/**
 * Starts FRR in a place. Its daemons change to a user and a group of their own, which need not exist here and could not be used
 * in a user namespace: in the place's own mount namespace they are other names for root.
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

/** How many BGP sessions are up, from the answer to `show bgp summary json`. */
export const establishedSessions = (summary: string): number => {
  const families = Object.values(JSON.parse(summary) as Record<string, { peers?: Record<string, { state?: string }> }>);
  return families.flatMap((family) => Object.values(family.peers ?? {})).filter((peer) => peer.state === "Established").length;
};
