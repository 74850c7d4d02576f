import { type Lists, listKey } from "../../../backends/contract/backend";
import type { ClusterFacts, FrrConfiguration } from "../facts";
import { ALL_NAMESPACES, isGenerated, vrfName } from "../names";
import { chosenNetworks } from "./observed";
import { selectorOf } from "../selector";
import type { AdvertisementSpec } from "../spec";
import { type ClusterReader, CONFIGURATION, FRR, OVN, isKindMissing } from "./reader";

/**
 * Reads what an announcement depends on, one list request for each kind that it needs. A cluster without ovn-kubernetes
 * has none of that one's kinds; without frr-k8s nothing can be announced.
 */
export async function readCluster(
  spec: AdvertisementSpec,
  namespace: string,
  reader: ClusterReader,
  signal?: AbortSignal,
  lists?: Lists,
): Promise<ClusterFacts> {
  const { networkSelectors = [], advertisements } = spec;
  const list = <Item>(apiVersion: string, kind: string, options?: { namespace?: string }) =>
    reader.list(apiVersion, kind, options, signal) as Promise<readonly Item[]>;
  const missing: string[] = [];
  const listIf = async <Item>(needed: boolean, apiVersion: string, kind: string): Promise<readonly Item[]> => {
    if (!needed) return [];
    try {
      return await list<Item>(apiVersion, kind);
    } catch (error) {
      if (isKindMissing(error)) {
        missing.push(kind);
        return [];
      }
      throw error;
    }
  };
  const userDefined = networkSelectors.some(({ networkSelectionType }) => networkSelectionType === "ClusterUserDefinedNetworks");
  const egress = networkSelectors.length > 0 && advertisements.includes("EgressIP");
  const [controller, nodes, frrConfigurations, networks, namespaces, egressIPs] = await Promise.all([
    reader.has(OVN, "RouteAdvertisements", signal),
    list<ClusterFacts["nodes"][number]>("v1", "Node"),
    readConfigurations(spec, namespace, list<FrrConfiguration>, lists),
    listIf<ClusterFacts["networks"][number]>(userDefined, OVN, "ClusterUserDefinedNetwork"),
    listIf<ClusterFacts["namespaces"][number]>(egress, "v1", "Namespace"),
    listIf<ClusterFacts["egressIPs"][number]>(egress, OVN, "EgressIP"),
  ]);
  // There are as many attachments as namespaces with a network: they are read only where a VRF is named after an id.
  const unnamed = chosenNetworks(spec, networks).some(({ metadata }) => vrfName(metadata.name, undefined) === undefined);
  const attachments = await listIf<NonNullable<ClusterFacts["attachments"]>[number]>(unnamed, "k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition");
  return {
    nodes,
    frrConfigurations,
    networks,
    namespaces,
    egressIPs,
    attachments,
    ...(missing.length > 0 && { missing: missing.toSorted() }),
    ...(controller && { controller }),
  };
}

/**
 * FRRConfigurations that an frr-k8s merges with what is generated: those of the namespace, or of all namespaces with a template. All are
 * read if `lists` takes them, unless rights are for the namespace only.
 */
async function readConfigurations(
  spec: AdvertisementSpec,
  namespace: string,
  list: (apiVersion: string, kind: string, options?: { namespace?: string }) => Promise<readonly FrrConfiguration[]>,
  lists: Lists | undefined,
): Promise<readonly FrrConfiguration[]> {
  if (!lists && namespace !== ALL_NAMESPACES) return list(FRR, CONFIGURATION, { namespace });
  try {
    const all = await list(FRR, CONFIGURATION);
    lists?.set(listKey(FRR, CONFIGURATION), all);
    const merged = namespace === ALL_NAMESPACES ? templateNamespaces(spec, all) : new Set([namespace]);
    return all.filter(({ metadata }) => merged.has(metadata.namespace));
  } catch (error) {
    if (namespace === ALL_NAMESPACES || (error as { code?: unknown }).code !== "OVN_FORBIDDEN") throw error;
    return list(FRR, CONFIGURATION, { namespace });
  }
}

function templateNamespaces({ frrConfigurationSelector }: AdvertisementSpec, all: readonly FrrConfiguration[]): ReadonlySet<string | undefined> {
  const selects = selectorOf(frrConfigurationSelector);
  return new Set(all.filter((object) => !isGenerated(object) && selects(object.metadata)).map(({ metadata }) => metadata.namespace));
}
