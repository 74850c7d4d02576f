import type { Failures } from "../../kit/arguments/failures";
import { propertyPath } from "../../kit/arguments/path";
import type { ClusterFacts } from "./facts";
import { LONGEST_LABEL, routerVrf } from "./names";
import { isEmptySelector } from "./selector";
import type { AdvertisementSpec } from "./spec";

/** The target VRF as routers of templates have it: `auto`, or a name that is empty for the main VRF. */
export function targetOf(spec: AdvertisementSpec): string {
  return routerVrf(spec.targetVRF);
}

/** Checks errors in the arguments that do not depend on the cluster. */
export function checkSpec(spec: AdvertisementSpec, failures: Failures): void {
  if (spec.name.length > LONGEST_LABEL)
    failures.add("name", "name", `has ${spec.name.length} characters: it becomes a label's value, which has at most ${LONGEST_LABEL}`);
  checkTwins("advertisements", spec.advertisements, failures);
  checkSelectors(spec, failures);
  if (spec.advertisements.includes("PodNetwork") && !isEmptySelector(spec.nodeSelector)) {
    failures.add("nodeSelector", "node-selector", "networks are announced from all nodes: leave the selector empty, or announce EgressIP alone");
  }
  checkEgress(spec, failures);
  if (targetOf(spec) === "auto") {
    for (const [name, { vrf }] of Object.entries(spec.networks ?? {})) {
      if (vrf === undefined)
        failures.add(propertyPath(["networks", name, "vrf"]), "required", `is required with targetVRF "auto", which announces each network over its own VRF`);
    }
  }
}

function checkSelectors({ networkSelectors = [], networks = {} }: AdvertisementSpec, failures: Failures): void {
  if (networkSelectors.length === 0 && Object.keys(networks).length === 0) {
    failures.add("networkSelectors", "no-network", "no network is selected, and none of this stack is named in networks");
  }
  checkTwins(
    "networkSelectors",
    networkSelectors.map(({ networkSelectionType }) => networkSelectionType),
    failures,
  );
  networkSelectors.forEach(({ networkSelectionType, clusterUserDefinedNetworkSelector }, index) => {
    const path = `networkSelectors[${index}].clusterUserDefinedNetworkSelector`;
    const needed = networkSelectionType === "ClusterUserDefinedNetworks";
    if (needed && clusterUserDefinedNetworkSelector === undefined) failures.add(path, "required", "is required for ClusterUserDefinedNetworks");
    if (!needed && clusterUserDefinedNetworkSelector !== undefined) failures.add(path, "value", `has no meaning for ${networkSelectionType}`);
  });
}

function checkTwins(path: string, list: readonly string[], failures: Failures): void {
  list.forEach((value, index) => {
    if (list.indexOf(value) < index) failures.add(`${path}[${index}]`, "duplicate", `${value} is listed twice`);
  });
}

function checkEgress(spec: AdvertisementSpec, failures: Failures): void {
  const at = spec.advertisements.indexOf("EgressIP");
  if (at < 0) return;
  if (targetOf(spec) === "auto") {
    failures.add(`advertisements[${at}]`, "egress-ip", 'egress addresses are not announced with targetVRF "auto": name the VRF, or announce PodNetwork alone');
  }
  const holders = new Map<string, string>();
  for (const [name, { egressIPs = {} }] of Object.entries(spec.networks ?? {})) {
    for (const [node, addresses] of Object.entries(egressIPs)) {
      addresses.forEach((address, index) => {
        const holder = holders.get(address) ?? node;
        holders.set(address, holder);
        if (holder !== node)
          failures.add(
            propertyPath(["networks", name, "egressIPs", node, index]),
            "duplicate",
            `${address} is already on ${holder}: one node holds an egress address`,
          );
      });
    }
  }
}

/** Checks that the cluster has the kinds of ovn-kubernetes that the arguments need. */
export function checkKinds(
  { advertisements, networkSelectors = [] }: AdvertisementSpec,
  { missing = [] }: Pick<ClusterFacts, "missing">,
  failures: Failures,
): void {
  const absent = (kind: string) => `the cluster has no ${kind} (k8s.ovn.org/v1)`;
  if (missing.includes("EgressIP"))
    failures.add(`advertisements[${advertisements.indexOf("EgressIP")}]`, "egress-ip", `${absent("EgressIP")}: ovn-kubernetes' feature egress-ip is off there`);
  const at = networkSelectors.findIndex(({ networkSelectionType }) => networkSelectionType === "ClusterUserDefinedNetworks");
  if (missing.includes("ClusterUserDefinedNetwork"))
    failures.add(
      `networkSelectors[${at}]`,
      "no-network",
      `${absent("ClusterUserDefinedNetwork")}: ovn-kubernetes is missing there, or its feature network-segmentation is off`,
    );
}
