import { durationSeconds } from "./duration";
import type { FrrConfiguration, Neighbor, Router } from "../facts";
import { routerVrf } from "../names";

/** Shortest hold time but none. */
const SHORTEST_HOLD = 3;

/**
 * Faults of one FRRConfiguration by itself. frr-k8s then applies none of the objects of the same node (frr-k8s,
 * api_to_config.go). Its webhook refuses such an object, but some clusters do not have the webhook.
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
  const [holdTime, keepaliveTime] = [durationSeconds(hold), durationSeconds(keepalive)];
  if (holdTime === undefined || keepaliveTime === undefined) return [];
  if (holdTime >= 1 && holdTime < SHORTEST_HOLD) return [`has holdTime ${hold}: it is 0s, or at least ${SHORTEST_HOLD}s`];
  return keepaliveTime > holdTime ? [`has a keepaliveTime (${keepalive}) longer than its holdTime (${hold})`] : [];
}

/**
 * Problems that only some releases of frr-k8s refuse. 0.0.16 and 0.0.17, which ovn-kubernetes 1.1 and 1.2 deploy, accept
 * a local preference of the other family: their IPv4 sessions also carry IPv6 prefixes, unless `disableMP` leaves these
 * out. 0.0.20 and newer apply neither this object nor any other object of the node. No object of a cluster contains the
 * release, so this is a warning and not an error.
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
