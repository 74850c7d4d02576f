import { type Family, formatIp, parseIp } from "../../kit/address";
import { ArgumentError } from "../../kit/arguments/errors";
import type { Failures } from "../../kit/arguments/failures";
import type { ClusterFacts, FrrConfiguration, Neighbor, Router } from "./facts";
import { isGenerated, routerVrf } from "./names";
import { holdsSecret } from "./raw-secrets";
import { type Selects, selectorOf } from "./selector";
import type { AdvertisementSpec } from "./spec";

/** An FRRConfiguration whose sessions announce. */
export interface Template {
  readonly name: string;
  readonly namespace: string;
  /** How messages call it. */
  readonly label: string;
  readonly applies: Selects;
  /** Routers that could announce. */
  readonly routers: readonly TemplateRouter[];
  readonly source: FrrConfiguration;
}

export interface TemplateRouter {
  /** Empty: the main VRF. */
  readonly vrf: string;
  readonly source: Router;
  readonly neighbors: readonly TemplateNeighbor[];
}

interface TemplateNeighbor {
  /** Without what it announces and receives: the one is ours to say, the other the template's. */
  readonly source: Neighbor;
  /** undefined: a session over an interface. */
  readonly address: string | undefined;
  /** Families of prefixes that the session carries. */
  readonly families: readonly Family[];
}

const PATH = "frrConfigurationSelector";

export function labelOf({ metadata: { name, namespace } }: FrrConfiguration): string {
  return `FRRConfiguration ${namespace ?? "default"}/${name}`;
}

/** The templates, sorted by name. `uses` returns whether routers of a VRF can announce something. */
export function selectTemplates(spec: AdvertisementSpec, { frrConfigurations }: ClusterFacts, uses: (vrf: string) => boolean, failures: Failures): Template[] {
  const selects = failures.attempt(PATH, () => selectorOf(spec.frrConfigurationSelector));
  if (!selects) return [];
  const chosen = frrConfigurations.filter((object) => !isGenerated(object) && selects(object.metadata));
  if (chosen.length === 0) failures.add(PATH, "no-template", "no FRRConfiguration has such labels; generated ones are not used as templates");
  return chosen.map((source) => templateOf(source, uses, failures)).sort((a, b) => (a.label < b.label ? -1 : 1));
}

function templateOf(source: FrrConfiguration, uses: (vrf: string) => boolean, failures: Failures): Template {
  const label = labelOf(source);
  const { bgp, raw, nodeSelector } = source.spec;
  if (holdsSecret(raw?.rawConfig ?? "")) {
    failures.add(
      PATH,
      "password",
      `${label} has a password or key in spec.raw, which would be copied: refer to a Secret with passwordSecret, or put it into an FRRConfiguration that is not a template`,
    );
  }
  const routers = (bgp?.routers ?? []).flatMap((router, index) => {
    const vrf = routerVrf(router.vrf);
    if (!uses(vrf)) return [];
    const at = `${label} spec.bgp.routers[${index}]`;
    return [
      {
        vrf,
        source: router,
        neighbors: (router.neighbors ?? []).flatMap((neighbor, index) => neighborOf(neighbor, `${at}.neighbors[${index}]`, failures) ?? []),
      },
    ];
  });
  const { name, namespace = "default" } = source.metadata;
  return { name, namespace, label, applies: failures.attempt(PATH, () => selectorOf(nodeSelector)) ?? (() => false), routers, source };
}

function neighborOf(neighbor: Neighbor, at: string, failures: Failures): TemplateNeighbor | undefined {
  const { toAdvertise: _out, toReceive: _in, ...source } = neighbor;
  if (neighbor.password) failures.add(PATH, "password", `${at} has its password in clear text, which would be copied: refer to a Secret with passwordSecret`);
  if (neighbor.dualStackAddressFamily) {
    failures.add(PATH, "dual-stack", `${at} has dualStackAddressFamily: use a session for each family, so that the next hops are of the prefix's family`);
  }
  if (neighbor.interface) return { source, address: undefined, families: [4, 6] };
  if (!neighbor.address) {
    failures.add(PATH, "neighbor", `${at} has neither an address nor an interface`);
    return undefined;
  }
  try {
    const address = parseIp(neighbor.address);
    return { source, address: formatIp(address), families: [address.family] };
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    failures.add(PATH, "neighbor", `${at}: ${error.message}`);
    return undefined;
  }
}
