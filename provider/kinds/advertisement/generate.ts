import { Failures } from "../../kit/arguments/failures";
import type { Failure } from "../../kit/arguments/errors";
import { withAllowAsIn } from "./allow-as-in";
import { checkKinds, checkSpec, targetOf } from "./check";
import type { ClusterFacts, FrrConfiguration, NodeObject } from "./facts";
import { Findings } from "./findings";
import { hostSubnets } from "./networks/host-subnets";
import { MergeCheck } from "./merge/merge-check";
import { ADVERTISEMENT_KEY, HOSTNAME_KEY, generatedName, routerVrf } from "./names";
import { ownAddresses } from "./networks/own-addresses";
import { type NetworkPrefixes, prefixesByNode } from "./networks/prefixes";
import { type Built, type Target, buildRouters } from "./routers";
import { selectNetworks } from "./networks/select-networks";
import { selectorOf } from "./selector";
import type { AdvertisementSpec } from "./spec";
import { type Template, selectTemplates } from "./templates";
import { Unannounced } from "./unannounced";
import { unprepared } from "./unprepared";

/** Objects and prefixes of an announcement. */
export interface Advertisement {
  /** The FRRConfigurations to write, in order of their nodes and templates. */
  readonly objects: readonly FrrConfiguration[];
  /** Prefixes that at least one neighbor receives, by node. */
  readonly announced: Readonly<Record<string, readonly string[]>>;
  /** Selected networks that are not announced, nodes that are not prepared, and objects that some releases of frr-k8s refuse. */
  readonly warnings: readonly Failure[];
}

/**
 * The FRRConfigurations that announce networks from a cluster's nodes, by the rules of ovn-kubernetes'
 * RouteAdvertisements. Pure. Throws ArgumentError with every failure, so nothing is written that would lose packets or
 * stop frr-k8s.
 */
export function generateFrrConfigurations(spec: AdvertisementSpec, facts: ClusterFacts): Advertisement {
  const failures = new Failures();
  checkSpec(spec, failures);
  checkKinds(spec, facts, failures);
  failures.throwIfAny();
  const nodes = selectNodes(spec, facts, failures);
  const [unread, unfit] = [new Findings(), new Findings()];
  const networks = selectNetworks(spec, facts, hostSubnets(nodes, "networkSelectors", unread, unfit), failures);
  failures.addAll(spec.networkSelectors ? unread.list : []);
  const target: Target = { vrf: targetOf(spec), vrfs: networks.flatMap(({ vrf }) => vrf ?? []).sort() };
  const templates = selectTemplates(
    spec,
    facts,
    (vrf) => (target.vrf === "auto" ? networks.some((network) => routerVrf(network.vrf) === vrf) : vrf === target.vrf),
    failures,
  );
  failures.throwIfAny();
  const prefixes = prefixesByNode(spec, networks, nodes, facts, failures);
  failures.addAll(unfit.list);
  failures.throwIfAny();
  const advertisement = announceAll({ spec, facts, nodes, templates, target, prefixes: prefixes.byNode }, failures);
  return { ...advertisement, warnings: [...prefixes.warnings, ...advertisement.warnings, ...unprepared(spec, networks, facts)] };
}

interface Selected {
  readonly spec: AdvertisementSpec;
  readonly facts: ClusterFacts;
  readonly nodes: readonly NodeObject[];
  readonly templates: readonly Template[];
  readonly target: Target;
  readonly prefixes: ReadonlyMap<string, readonly NetworkPrefixes[]>;
}

function announceAll({ spec, facts, nodes, templates, target, prefixes }: Selected, failures: Failures): Advertisement {
  const unannounced = new Unannounced(spec, facts);
  const merging = new MergeCheck(spec.name, templates, facts.frrConfigurations, failures);
  const objects: FrrConfiguration[] = [];
  const announced: Record<string, readonly string[]> = {};
  for (const node of nodes) {
    const { name } = node.metadata;
    const mine = prefixes.get(name)!;
    if (mine.length === 0) continue;
    const own = ownAddresses(node);
    const built = templates.filter(({ applies }) => applies(node.metadata)).map((template) => ({ template, built: buildRouters(template, target, own, mine) }));
    unannounced.look(node, mine, built);
    const generated = built.filter((one) => one.built.routers.length > 0);
    merging.check(node, mine, generated);
    for (const one of generated) objects.push(objectOf(spec, one.template, one.built, node));
    const named = new Set(generated.flatMap((one) => [...one.built.announced]));
    if (named.size > 0) announced[name] = [...named].sort();
  }
  failures.addAll([...unannounced.failures, ...merging.failures]);
  failures.throwIfAny();
  const nothing = Object.keys(announced).length === 0 ? [nothingAnnounced([...prefixes.values()])] : [];
  return { objects, announced, warnings: [...nothing, ...unannounced.warnings, ...merging.warnings] };
}

function nothingAnnounced(prefixes: readonly (readonly NetworkPrefixes[])[]): Failure {
  const reason = prefixes.every((mine) => mine.length === 0)
    ? "no selected node has an egress address of a selected network"
    : "no selected FRRConfiguration has a neighbour that is another host than the node";
  return { path: "", code: "OVN_WARN_NOT_ANNOUNCED", message: `nothing is announced: ${reason}` };
}

function selectNodes(spec: AdvertisementSpec, { nodes }: ClusterFacts, failures: Failures): NodeObject[] {
  const selects = failures.attempt("nodeSelector", () => selectorOf(spec.nodeSelector));
  const chosen = nodes.filter(({ metadata }) => selects?.(metadata));
  if (selects && chosen.length === 0) failures.add("nodeSelector", "no-node", "no node has such labels");
  return chosen.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function objectOf({ name: advertisement, allowAsIn = false }: AdvertisementSpec, template: Template, built: Built, { metadata }: NodeObject): FrrConfiguration {
  const { bgp, raw: copied } = template.source.spec;
  const raw = allowAsIn ? withAllowAsIn(copied, built.routers) : copied;
  return {
    apiVersion: "frrk8s.metallb.io/v1beta1",
    kind: "FRRConfiguration",
    metadata: {
      name: generatedName(advertisement, template.namespace, template.name, metadata.name),
      namespace: template.namespace,
      labels: { [ADVERTISEMENT_KEY]: advertisement },
      annotations: { [ADVERTISEMENT_KEY]: `${advertisement}/${template.name}/${metadata.name}` },
    },
    spec: {
      bgp: { routers: built.routers, ...(bgp?.bfdProfiles && { bfdProfiles: bgp.bfdProfiles }) },
      ...(raw && { raw }),
      nodeSelector: { matchLabels: { [HOSTNAME_KEY]: metadata.labels?.[HOSTNAME_KEY] ?? metadata.name } },
    },
  };
}
