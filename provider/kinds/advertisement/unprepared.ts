import type { Failure } from "../../kit/arguments/errors";
import type { ClusterFacts } from "./facts";
import type { SelectedNetwork } from "./networks/network";
import type { AdvertisementSpec } from "./spec";

/** Warnings about changes of nodes that only ovn-kubernetes makes, and only for networks that a RouteAdvertisements selects. */
export function unprepared(
  { advertisements, nodesPrepared }: AdvertisementSpec,
  networks: readonly SelectedNetwork[],
  { controller }: ClusterFacts,
): Failure[] {
  if (nodesPrepared) return [];
  const ofCluster = advertisements.includes("PodNetwork") ? networks.filter(({ serves }) => serves !== undefined) : [];
  return [
    ...ofCluster.map(({ label, path }) => ({
      path,
      code: "OVN_WARN_NODES_NOT_PREPARED",
      message: `${label}: mode "generate" announces the network and does not change the nodes: they still replace the source of everything that its pods send out of the cluster with their own address, also of replies, and do not isolate it from other announced networks; use mode "controller", or change the nodes and set nodesPrepared: true`,
    })),
    ...(controller
      ? [
          {
            path: "mode",
            code: "OVN_WARN_CONTROLLER",
            message:
              "the cluster has RouteAdvertisements (k8s.ovn.org/v1): ovn-kubernetes' controller does not change, delete or copy the FRRConfigurations of this announcement, and does not change the nodes for it; nodesPrepared: true turns this warning off",
          },
        ]
      : []),
  ];
}
