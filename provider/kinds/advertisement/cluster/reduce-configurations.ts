import type { FrrConfiguration, LabelSelector, Neighbor } from "../facts";
import { ADVERTISEMENT_KEY, CONTROLLER_KEY, HOSTNAME_KEY, announcementOf, isGenerated } from "../names";
import { nextHopText } from "../merge/next-hops";
import { HiddenPasswords, withoutSecrets } from "../raw-secrets";
import { inOrder, labelKeys, only } from "./reduce-selectors";
import { selectorOf } from "../selector";

/** An FRRConfiguration without what is not needed, and without passwords. */
export type ReducedConfiguration = Pick<FrrConfiguration, "spec"> & { readonly labels: Readonly<Record<string, string>> };

/**
 * Reduces FRRConfigurations, by namespace and name. Templates stay whole; other objects keep the fields that frr-k8s
 * compares when it merges. Objects of this announcement are left out: it writes them, and must not see a change in them.
 */
export function reduceConfigurations(
  advertisement: string,
  selector: LabelSelector | undefined,
  configurations: readonly FrrConfiguration[],
): Readonly<Record<string, ReducedConfiguration>> {
  const others = configurations.filter((object) => announcementOf(object) !== advertisement).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const keys = new Set([...labelKeys([selector]), ADVERTISEMENT_KEY, CONTROLLER_KEY]);
  const selects = selectorOf(selector);
  const passwords = new HiddenPasswords();
  const found = new Map<string, ReducedConfiguration>();
  const twins = new Map<string, { readonly key: string; readonly hosts: string[] }>();
  for (const object of others) {
    const key = keyOf(object);
    const labels = only(object.metadata.labels, keys);
    if (!isGenerated(object)) {
      found.set(key, { labels, spec: selects(object.metadata) ? masked(object.spec, passwords) : compared(object.spec, passwords) });
      continue;
    }
    const host = onlyHost(object);
    const { raw: _copied, ...spec } = compared(object.spec, passwords);
    const same = JSON.stringify([object.metadata.namespace, labels, spec.bgp]);
    const twin = host === undefined ? undefined : twins.get(same);
    if (twin) twin.hosts.push(host!);
    else {
      found.set(key, { labels, spec });
      if (host !== undefined) twins.set(same, { key, hosts: [host] });
    }
  }
  // Another announcement has an object for each node, all alike but for what they announce.
  for (const { key, hosts } of twins.values()) {
    const { labels, spec } = found.get(key)!;
    found.set(key, { labels, spec: { ...spec, nodeSelector: { matchExpressions: [{ key: HOSTNAME_KEY, operator: "In", values: hosts.toSorted() }] } } });
  }
  return inOrder([...found]);
}

function keyOf({ metadata: { name, namespace = "default" } }: FrrConfiguration): string {
  return `${namespace}/${name}`;
}

/** The one host that an object's label selects. */
function onlyHost({ spec: { nodeSelector } }: FrrConfiguration): string | undefined {
  const labels = Object.keys(nodeSelector?.matchLabels ?? {});
  const others = (nodeSelector?.matchExpressions ?? []).length;
  return labels.length === 1 && others === 0 ? nodeSelector?.matchLabels?.[HOSTNAME_KEY] : undefined;
}

function masked({ bgp, raw, nodeSelector }: FrrConfiguration["spec"], passwords: HiddenPasswords): FrrConfiguration["spec"] {
  const routers = (bgp?.routers ?? []).map((router) => ({
    ...router,
    ...(router.neighbors && { neighbors: router.neighbors.map((neighbor) => withoutPassword(neighbor, passwords)) }),
  }));
  const { rawConfig, ...priority } = raw ?? {};
  return {
    bgp: { routers, ...(bgp?.bfdProfiles && { bfdProfiles: bgp.bfdProfiles }) },
    ...(rawConfig !== undefined && { raw: { ...priority, rawConfig: withoutSecrets(rawConfig) } }),
    nodeSelector: nodeSelector ?? {},
  };
}

function compared({ bgp, raw, nodeSelector }: FrrConfiguration["spec"], passwords: HiddenPasswords): FrrConfiguration["spec"] {
  const routers = (bgp?.routers ?? []).map(({ asn, id, vrf, imports, neighbors }) => ({
    asn,
    ...(id !== undefined && { id }),
    ...(vrf !== undefined && { vrf }),
    ...(imports?.length && { imports }),
    neighbors: (neighbors ?? []).map(({ toAdvertise: { withLocalPref = [] } = {}, toReceive: _in, ...neighbor }) =>
      withoutPassword({ ...neighbor, ...(withLocalPref.length > 0 && { toAdvertise: { withLocalPref } }) }, passwords),
    ),
  }));
  const rawConfig = nextHopText(raw?.rawConfig);
  return {
    bgp: { routers, ...(bgp?.bfdProfiles?.length && { bfdProfiles: bgp.bfdProfiles }) },
    ...(rawConfig !== undefined && { raw: { rawConfig } }),
    nodeSelector: nodeSelector ?? {},
  };
}

function withoutPassword(neighbor: Neighbor, passwords: HiddenPasswords): Neighbor {
  return neighbor.password ? { ...neighbor, password: passwords.hide(neighbor.password) } : neighbor;
}
