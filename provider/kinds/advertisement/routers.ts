import type { Family } from "../../kit/address";
import type { Router } from "./facts";
import { DEFAULT_VRF, routerVrf } from "./names";
import { type NetworkPrefixes, inTextOrder } from "./networks/prefixes";
import type { Template, TemplateRouter } from "./templates";

/** How the prefixes of the networks go to the routers of templates. */
export interface Target {
  /** `auto`, or a VRF; empty: the main one. */
  readonly vrf: string;
  /** VRFs of all selected networks, in order of their text. */
  readonly vrfs: readonly string[];
}

/** The result of one template on one node. */
export interface Built {
  readonly routers: readonly Router[];
  /** Networks for which the template has sessions, though these may carry none of their prefixes. */
  readonly matched: readonly NetworkPrefixes[];
  /** Prefixes that at least one neighbor receives. */
  readonly announced: ReadonlySet<string>;
  /** Whether all its neighbors are addresses of the node itself. */
  readonly onlyItself: boolean;
}

/** The routers that announce a node's prefixes over a template's sessions (docs: how FRRConfigurations are generated). */
export function buildRouters(template: Template, target: Target, own: ReadonlySet<string>, prefixes: readonly NetworkPrefixes[]): Built {
  const routers: Router[] = [];
  const matched: NetworkPrefixes[] = [];
  const announced = new Set<string>();
  let [others, itself] = [0, 0];
  for (const router of template.routers) {
    const mine = target.vrf === "auto" ? prefixes.filter(({ network }) => routerVrf(network.vrf) === router.vrf) : prefixes;
    if (mine.length === 0 || router.neighbors.length === 0) continue;
    matched.push(...mine);
    const built = announce(router, own, union(mine));
    itself += built.itself;
    others += router.neighbors.length - built.itself;
    if (built.neighbors.length === 0) continue;
    for (const prefix of built.announced) announced.add(prefix);
    const { neighbors: _neighbors, prefixes: _prefixes, ...rest } = router.source;
    const copy = { ...rest, neighbors: built.neighbors, prefixes: built.prefixes };
    routers.push(...(target.vrf === "auto" ? [copy] : withImports(copy, router.vrf, target.vrfs)));
  }
  return { routers: withKnownImports(routers), matched, announced, onlyItself: others === 0 && itself > 0 };
}

/** Omits imports of VRFs without a router in the object, which frr-k8s refuses. The template keeps its imports: frr-k8s merges it. */
function withKnownImports(routers: readonly Router[]): Router[] {
  const vrfs = new Set(routers.map(({ vrf }) => routerVrf(vrf)));
  return routers.map(({ imports = [], ...router }) => {
    const known = imports.filter(({ vrf }) => vrfs.has(routerVrf(vrf)));
    return known.length === 0 ? router : { ...router, imports: known };
  });
}

function announce(router: TemplateRouter, own: ReadonlySet<string>, prefixes: readonly string[]) {
  const byFamily: Record<Family, readonly string[]> = { 4: prefixes.filter((prefix) => !isIpv6(prefix)), 6: prefixes.filter(isIpv6) };
  const announced = new Set<string>();
  let itself = 0;
  const neighbors = router.neighbors.flatMap(({ source, address, families }) => {
    if (address !== undefined && own.has(address)) {
      itself++;
      return [];
    }
    const mine = families.length === 1 ? byFamily[families[0]!] : prefixes;
    if (mine.length === 0) return [];
    for (const prefix of mine) announced.add(prefix);
    // The template defines the received prefixes: frr-k8s merges the two objects, and an empty filter adds nothing.
    return [{ ...source, toAdvertise: { allowed: { mode: "filtered", prefixes: mine } }, toReceive: { allowed: { mode: "filtered" } } }];
  });
  return { neighbors, announced, itself, prefixes };
}

/** Adds imports in both directions between the target VRF and the networks' VRFs. */
function withImports(router: Router, vrf: string, vrfs: readonly string[]): Router[] {
  const here = vrf === "" ? DEFAULT_VRF : vrf;
  const others = vrfs.filter((other) => other !== here);
  if (others.length === 0) return [router];
  const imports = [...(router.imports ?? []), ...others.map((other) => ({ vrf: other }))];
  const once = imports.filter(({ vrf: name }, index) => imports.findIndex((other) => other.vrf === name) === index);
  return [{ ...router, imports: once }, ...others.map((other) => importRouter(router, other, here))];
}

function importRouter({ asn, id }: Router, vrf: string, from: string): Router {
  return { asn, ...(id !== undefined && { id }), ...(vrf !== DEFAULT_VRF && { vrf }), imports: [{ vrf: from }] };
}

function union(list: readonly NetworkPrefixes[]): readonly string[] {
  return list.length === 1 ? list[0]!.prefixes : inTextOrder(list.flatMap(({ prefixes }) => prefixes));
}

function isIpv6(prefix: string): boolean {
  return prefix.includes(":");
}
