import { formatIp, parseIp } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import { canonical } from "../../../kit/arguments/unknown";
import { durationSeconds } from "./duration";
import type { FrrConfiguration, Neighbor, Router } from "../facts";
import { doubtsOf, faultsOf } from "./faults";
import { routerVrf } from "../names";
import { type NextHop, nextHopsIn } from "./next-hops";
import { whichPassword } from "../raw-secrets";

/** Settings of a session that all FRRConfigurations of a node must agree on, by the names of their fields. */
type Settings = Readonly<Record<string, string>>;

/** Settings of a session in one FRRConfiguration. */
export interface SessionView {
  readonly settings: Settings;
  /** Local preferences of announced prefixes: prefix, preference. */
  readonly preferences: readonly (readonly [string, string])[];
}

/** The fields that frr-k8s compares when it merges one FRRConfiguration with others. */
export interface MergeView {
  /** How messages call it. */
  readonly label: string;
  /** Each instance of frr-k8s reads one namespace. */
  readonly namespace: string;
  readonly routers: readonly {
    readonly vrf: string;
    readonly asn: string;
    readonly id: string | undefined;
    readonly neighbors: readonly (readonly [string, SessionView])[];
  }[];
  /** BFD profiles by name, as text. */
  readonly profiles: readonly (readonly [string, string])[];
  /** Faults that do not depend on other objects. */
  readonly faults: readonly string[];
  /** Faults that only some releases refuse. */
  readonly doubts: readonly string[];
  /** Next hops that its raw text sets. */
  readonly nextHops: readonly NextHop[];
}

export function viewOf(label: string, object: FrrConfiguration): MergeView {
  const { metadata, spec } = object;
  return {
    label,
    namespace: metadata.namespace ?? "default",
    routers: (spec.bgp?.routers ?? []).map(viewOfRouter),
    profiles: (spec.bgp?.bfdProfiles ?? []).map(profileOf),
    faults: faultsOf(object),
    doubts: doubtsOf(object),
    nextHops: nextHopsIn(spec.raw?.rawConfig),
  };
}

function viewOfRouter({ asn, id, vrf, neighbors = [] }: Router): MergeView["routers"][number] {
  return {
    vrf: routerVrf(vrf),
    asn: String(asn),
    id: id || undefined,
    neighbors: neighbors.map((neighbor) => [sessionOf(neighbor), { settings: settingsOf(neighbor), preferences: preferencesOf(neighbor) }]),
  };
}

export function sessionOf({ address, interface: link }: Neighbor): string {
  if (!address) return link ?? "";
  try {
    return formatIp(parseIp(address));
  } catch (error) {
    if (error instanceof ArgumentError) return address;
    throw error;
  }
}

/** Defaults are those of frr-k8s: a field that is left out equals its default. */
function settingsOf(neighbor: Neighbor): Settings {
  return {
    asn: String(neighbor.asn || neighbor.dynamicASN),
    localASN: String(neighbor.localASN ?? ""),
    port: String(neighbor.port ?? 179),
    sourceaddress: neighbor.sourceaddress ?? "",
    password: passwordOf(neighbor),
    bfdProfile: neighbor.bfdProfile ?? "",
    ebgpMultiHop: String(neighbor.ebgpMultiHop ?? false),
    // A session over an interface always has both families.
    dualStackAddressFamily: String(neighbor.interface ? true : (neighbor.dualStackAddressFamily ?? false)),
    holdTime: seconds(neighbor.holdTime, 180),
    keepaliveTime: seconds(neighbor.keepaliveTime, 60),
    connectTime: seconds(neighbor.connectTime, 60),
  };
}

/** Prefixes are compared as they are written; also of the other family: a release that takes them compares them, too. */
function preferencesOf({ toAdvertise: { withLocalPref = [] } = {} }: Neighbor): SessionView["preferences"] {
  return withLocalPref.flatMap(({ prefixes = [], localPref }) => prefixes.map((prefix) => [prefix, String(localPref)] as const));
}

/** The modes are off where they are left out; intervals that are left out are FRR's. */
function profileOf({ name, ...settings }: Readonly<Record<string, unknown>>): readonly [string, string] {
  return [String(name), canonical({ echoMode: false, passiveMode: false, ...settings })];
}

/** Which Secret, never what is in it; of passwords in clear only which are the same, as they were read. */
function passwordOf({ password, passwordSecret }: Neighbor): string {
  if (password) return `in clear${whichPassword(password)}`;
  return passwordSecret?.name ? `of Secret ${passwordSecret.name}` : "none";
}

/** Whole seconds, as frr-k8s compares them; of what can't be read the text. */
function seconds(text: string | undefined, otherwise: number): string {
  if (text === undefined) return `${otherwise}s`;
  const found = durationSeconds(text);
  return found === undefined ? text : `${Math.trunc(found)}s`;
}
