import type { Entries } from "./types";

/** Codes of warnings in previews and updates. */
export const warningCodes: Entries = {
  OVN_WARN_CHANGED: [
    "Rows or bridges of a VPC changed on a host, or ovs-vswitchd does not answer. No argument has changed.",
    "Start ovs-vswitchd; the same `pulumi up` repairs the rest.",
  ],
  OVN_WARN_CHASSIS: ["A gateway moves to another chassis, which does not know its connections.", ""],
  OVN_WARN_CONTROLLER: [
    "Mode `generate` is used in a cluster whose ovn-kubernetes has a RouteAdvertisements controller, which ignores the generated objects.",
    "See [the page](../how-to/route-advertisement.md#clusters-with-ovn-kubernetes-controller); `nodesPrepared: true` disables the warning.",
  ],
  OVN_WARN_FALLBACK: [
    "A tunnel or bridge of a logical router's host is missing or broken. The logical router is disabled; packets use the virtual router.",
    "Repair what the message names; `pulumi up` enables the router again.",
  ],
  OVN_WARN_GONE: ["Bridges, tunnels or ports of a VPC were deleted from a host.", "The same `pulumi up` recreates them."],
  OVN_WARN_INTERFACE: ["An existing interface stopped working.", "See the host's `ovs-vswitchd` log; the next `pulumi up` tries again."],
  OVN_WARN_LEARNED_ROUTES: [
    "A gateway router stops learning routes or uses another interface. OVN keeps the routes that it has learned.",
    "Set an empty `table` first; see [advertised networks](../how-to/advertised-networks.md#routes-that-the-fabric-announces).",
  ],
  OVN_WARN_MATCH_SET: [
    "A written match has an address set or port group that neither the zone nor the program has. OVN ignores the row until the set exists.",
    "",
  ],
  OVN_WARN_MERGE_CONFLICT: [
    "A local preference is set for a prefix of another family than the session's (frr-k8s 0.0.20 and newer refuse it), or an earlier announcement contradicts a template.",
    "Remove the prefix from `withLocalPref`, or update the other announcement.",
  ],
  OVN_WARN_MOVED: [
    "Rows have other UUIDs than in the state: the database was [restored from a backup](../how-to/operations.md#a-database-was-restored-from-a-backup).",
    "After an update, run `pulumi refresh`.",
  ],
  OVN_WARN_MTU: ["Workloads receive another MTU with the next router advertisement or lease.", "Lower it in workloads first; raise it there last."],
  OVN_WARN_NEXT_HOP: ["A template sets one next hop for all announcements to a neighbor that another announcement uses too.", "Use one session per network."],
  OVN_WARN_NODES_NOT_PREPARED: [
    "Mode `generate` does not change the nodes, which still translate what pods send.",
    "Use mode `controller`, or [prepare the nodes](../how-to/route-advertisement.md#clusters-with-ovn-kubernetes-controller) and set `nodesPrepared: true`.",
  ],
  OVN_WARN_NOT_ANNOUNCED: [
    "A part of the selection is not announced: a node lacks a template, session or subnet, or no egress address is on a selected node.",
    "Ignore if intended.",
  ],
  OVN_WARN_OBSERVED_EARLIER: ["The target can't be read, so the preview uses facts of the last update.", ""],
  OVN_WARN_OUTPUTS_EARLIER: ["The resource was written, but its outputs could not be read.", "Run `pulumi refresh` when the database is readable."],
  OVN_WARN_PORT_ADDRESS: ["A port loses a MAC or address that its workload may use.", ""],
  OVN_WARN_ROUTER_ADDRESS: ["A router port loses an address that may be a gateway or next hop.", "Add the new address first."],
  OVN_WARN_ROUTER_MAC: ["A router port changes its MAC; neighbors keep the old one.", "Set `mac` to the old one, or expect loss until the entries expire."],
  OVN_WARN_SCHEMA: ["The known schema lacks the table, column or value, and the zone can't be read now.", "Ignore if the database is newer."],
  OVN_WARN_SEQUENCE: [
    "A host has one update more than the state, which is overwritten: a run was killed, or the state is the previous copy.",
    "Check that the program is the newest one.",
  ],
  OVN_WARN_SUBNET: ["A switch's subnet changes.", "Reconfigure the workloads."],
  OVN_WARN_TUNNEL_KEY: ["A tunnel key changes. Packets between zones with the old and the new key are lost.", "Keep keys: use a `TunnelKeyPool`, or `fixed`."],
};
