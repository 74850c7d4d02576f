import type { Entries } from "./types";

/** Codes of warnings in previews and updates. */
export const warningCodes: Entries = {
  OVN_WARN_CHANGED: [
    "Another writer changed rows or bridges of a VPC, or ovs-vswitchd does not run.",
    "Start ovs-vswitchd; the same `pulumi up` repairs the rest.",
  ],
  OVN_WARN_CHASSIS: ["", ""],
  OVN_WARN_CONTROLLER: [
    "The cluster's RouteAdvertisements controller ignores objects of mode `generate`.",
    "See [both modes](../how-to/route-advertisement.md#clusters-with-ovn-kubernetes-controller).",
  ],
  OVN_WARN_FALLBACK: ["A tunnel or bridge of a host failed. Packets use the virtual router.", "Repair it, then run `pulumi up`."],
  OVN_WARN_GONE: ["", ""],
  OVN_WARN_INTERFACE: ["An existing interface stopped working.", "See the host's `ovs-vswitchd` log."],
  OVN_WARN_LEARNED_ROUTES: [
    "A gateway router stops learning routes or changes the interface, but OVN keeps learned ones.",
    "[Set an empty `table` first](../how-to/advertised-networks.md#routes-that-the-fabric-announces).",
  ],
  OVN_WARN_MATCH_SET: ["A match names a missing address set or port group. Until it exists, OVN ignores the row.", ""],
  OVN_WARN_MERGE_CONFLICT: [
    "A local preference has another family than the session (refused by frr-k8s 0.0.20 and newer), or an earlier announcement contradicts a template.",
    "Remove the prefix from `withLocalPref`, or update the other announcement.",
  ],
  OVN_WARN_MOVED: [
    "Rows have new UUIDs: the database was [restored from a backup](../how-to/operations.md#a-database-was-restored-from-a-backup).",
    "After an update, run `pulumi refresh`.",
  ],
  OVN_WARN_MTU: ["Workloads receive a new MTU with the next router advertisement or lease.", "Lower it in workloads first; raise it there last."],
  OVN_WARN_NEXT_HOP: ["", ""],
  OVN_WARN_NODES_NOT_PREPARED: [
    "Nodes still translate what pods send.",
    "Use mode `controller`, or [prepare the nodes](../how-to/route-advertisement.md#clusters-with-ovn-kubernetes-controller) and set `nodesPrepared: true`.",
  ],
  OVN_WARN_NOT_ANNOUNCED: ["Part of the selection is not announced: a node lacks a template, session, subnet or egress address.", "Ignore if intended."],
  OVN_WARN_OBSERVED_EARLIER: ["", ""],
  OVN_WARN_OUTPUTS_EARLIER: ["The resource was written. Its outputs could not be read.", "Run `pulumi refresh` when the database is readable."],
  OVN_WARN_PORT_ADDRESS: ["", ""],
  OVN_WARN_ROUTER_ADDRESS: ["A router port loses an address that may be a gateway or next hop.", "Add the new address first."],
  OVN_WARN_ROUTER_MAC: ["A router port changes its MAC; neighbors keep the old one.", "Set `mac` to the old one."],
  OVN_WARN_SCHEMA: ["The known schema lacks the table, column or value, and the zone can't be read.", "Ignore if the database is newer."],
  OVN_WARN_SEQUENCE: [
    "A host has one update more than the state: a run was killed, or the state is old. It is overwritten.",
    "Check that the program is the newest.",
  ],
  OVN_WARN_SILENT: ["", ""],
  OVN_WARN_SUBNET: ["", ""],
  OVN_WARN_TUNNEL_KEY: ["A tunnel key changes; zones with different keys lose packets.", "Keep keys: use a `TunnelKeyPool`, or `fixed`."],
};
