import { durationSeconds } from "./duration";
import type { FrrConfiguration, Neighbor, Router } from "./facts";
import { routerVrf } from "./names";

/** Shortest hold time but none. */
const SHORTEST_HOLD = 3;

/**
 * What is wrong with one FRRConfiguration by itself, so that frr-k8s takes nothing of any that applies to the same node
 * (frr-k8s, api_to_config.go). Its webhook refuses such an object, but not every cluster has that.
 */
export function faultsOf({ spec: { bgp } }: FrrConfiguration): string[] {
  const { routers = [], bfdProfiles = [] } = bgp ?? {};
  const profiles = bfdProfiles.map(({ name }) => String(name));
  const vrfs = new Set(routers.map(({ vrf }) => routerVrf(vrf)));
  return [
    ...profiles.filter((name, index) => profiles.indexOf(name) < index).map((name) => `has two BFD profiles "${name}"`),
    ...routers.flatMap((router) => [
      ...importFaults(router, vrfs),
      ...(router.neighbors ?? []).flatMap((neighbor) => neighborFaults(router, neighbor, profiles)),
    ]),
  ];
}

function importFaults({ imports = [] }: Router, vrfs: ReadonlySet<string>): string[] {
  return imports.filter(({ vrf }) => !vrfs.has(routerVrf(vrf))).map(({ vrf }) => `imports VRF ${vrf ?? ""} and has no router for it`);
}

function neighborFaults(router: Router, neighbor: Neighbor, profiles: readonly string[]): string[] {
  const { address, interface: link, bfdProfile, asn, dynamicASN, localASN, password, passwordSecret, holdTime, keepaliveTime } = neighbor;
  const faults = [
    ...(address && link ? ["has both an address and an interface"] : []),
    ...(asn && dynamicASN ? ["has both asn and dynamicASN"] : []),
    ...(asn || dynamicASN ? [] : ["has neither asn nor dynamicASN"]),
    ...(localASN && asn === router.asn ? [`has localASN ${localASN}, and its asn is the router's`] : []),
    ...(password && passwordSecret?.name ? ["has both password and passwordSecret"] : []),
    ...(bfdProfile && !profiles.includes(bfdProfile) ? [`names the BFD profile "${bfdProfile}", which its FRRConfiguration does not define`] : []),
    ...timerFaults(holdTime, keepaliveTime),
  ];
  return faults.map((fault) => about(neighbor, fault));
}

function timerFaults(hold: string | undefined, keepalive: string | undefined): string[] {
  if (hold === undefined && keepalive === undefined) return [];
  if (hold === undefined || keepalive === undefined) return ["has one of holdTime and keepaliveTime: give both, or neither"];
  const [held, kept] = [durationSeconds(hold), durationSeconds(keepalive)];
  if (held === undefined || kept === undefined) return [];
  if (held >= 1 && held < SHORTEST_HOLD) return [`has holdTime ${hold}: it is 0s, or at least ${SHORTEST_HOLD}s`];
  return kept > held ? [`has a keepaliveTime (${keepalive}) longer than its holdTime (${hold})`] : [];
}

/**
 * What only some releases of frr-k8s refuse. 0.0.16 and 0.0.17, which ovn-kubernetes 1.1 and 1.2 deploy, take a local
 * preference of the other family: there a session over IPv4 carries IPv6 prefixes, too, unless `disableMP` leaves them out.
 * 0.0.20 and newer take nothing of such an object, nor of any other of the node. No object of a cluster tells the
 * release, so the reader is told and nobody is stopped.
 */
export function doubtsOf({ spec: { bgp } }: FrrConfiguration): string[] {
  return (bgp?.routers ?? []).flatMap(({ neighbors = [] }) => neighbors.flatMap(familyDoubts));
}

function familyDoubts(neighbor: Neighbor): string[] {
  const { address, interface: link, dualStackAddressFamily, toAdvertise: { withLocalPref = [] } = {} } = neighbor;
  if (link || !address || dualStackAddressFamily) return [];
  const strange = withLocalPref.flatMap(({ prefixes = [] }) => prefixes).find((prefix) => prefix.includes(":") !== address.includes(":"));
  return strange === undefined
    ? []
    : [
        about(
          neighbor,
          `has a local preference for ${strange}, and its session is of the other family; frr-k8s 0.0.20 and newer take no FRRConfiguration of the node then`,
        ),
      ];
}

function about({ address, interface: link }: Neighbor, what: string): string {
  return `neighbour ${address || link || "without an address"} ${what}`;
}
