import type { Entries } from "./types";

/** Codes of problems that an agent reports. */
export const agentCodes: Entries = {
  OVN_AGENT_ADDRESS_HELD: [
    "The last IPv4 address of a device stays, because its removal would remove other routes.",
    "Move or remove those routes.",
  ],
  OVN_AGENT_BRIDGE_MAC: ["A router's port uses the MAC of the host's bridge (or `ovn-chassis-mac-mappings` does). The network is not announced.", ""],
  OVN_AGENT_BRIDGE_NAME: ["", ""],
  OVN_AGENT_DEVICE: ["A bridge has no kernel device; what leads through it is not announced.", "Check ovs-vswitchd with `ovs-vsctl show`."],
  OVN_AGENT_EXPOSURE: [
    "An exposure is damaged or of a newer release.",
    "Update the agent, or run `pulumi up --refresh`; delete an unowned entry with `ovn-nbctl remove nb_global . options KEY`.",
  ],
  OVN_AGENT_EXPOSURES_DIFFER: ["Exposures give the chassis different AS numbers, tables or router ids. The first by name applies.", ""],
  OVN_AGENT_EXPOSURE_HELD: [
    "An exposure of the chassis became unreadable. The last readable version applies.",
    "Update the agent, or run `pulumi up --refresh`.",
  ],
  OVN_AGENT_FAILED: ["", ""],
  OVN_AGENT_FALLBACK: [
    "A tunnel of the host failed: its logical router is disabled ([agent of a VPC](../how-to/vpc-agent.md)).",
    "Repair the tunnel; the agent enables the router again.",
  ],
  OVN_AGENT_FLOWS: ["A bridge's flows can't be read or written. A port without a number resolves by itself.", ""],
  OVN_AGENT_FOREIGN_ROUTE: ["FRR would announce foreign routes in the table. Redistribution is not started.", "Move them to another table."],
  OVN_AGENT_FORWARDING: ["The kernel forwards no IPv6.", "`sysctl net.ipv6.conf.all.forwarding=1`"],
  OVN_AGENT_FRR_AS: ["", ""],
  OVN_AGENT_FRR_BGP: ["FRR has no BGP instance outside VRFs.", "Configure `router bgp AS` and its neighbors."],
  OVN_AGENT_FRR_DOWN: [
    "vtysh, bgpd or zebra does not answer. Without bgpd, neighbors withdraw all.",
    "Start FRR; repeat `--withdraw`.",
  ],
  OVN_AGENT_FRR_OLD: ["", ""],
  OVN_AGENT_FRR_REFUSED: ["", ""],
  OVN_AGENT_FRR_ROUTER_ID: ["FRR has another router id, which stays.", "Correct one."],
  OVN_AGENT_FRR_VRF: [
    "FRR's instance of `--vrf` has foreign lines, or the default instance redistributes the table.",
    "Choose another VRF, or remove those lines.",
  ],
  OVN_AGENT_HOST_NETWORK: [
    "Not announced: overlaps a network of the host, a database server, BGP session or tunnel.",
    "Exclude or renumber the network.",
  ],
  OVN_AGENT_KERNEL: ["", ""],
  OVN_AGENT_LISTEN: ["", ""],
  OVN_AGENT_NORTHBOUND: ["The Northbound database can't be read. Known IPv6 floating IPs stay.", "Try `ovn-nbctl --db=ENDPOINT show` on the host."],
  OVN_AGENT_NOT_MAPPED: ["The host has no bridge for the provider network.", "Add it to `ovn-bridge-mappings`, or exclude the network."],
  OVN_AGENT_NOT_ORIGINATED: ["FRR has not originated routes of the table for 10 s.", "Wait a minute after a restart of zebra; then restart bgpd."],
  OVN_AGENT_NOT_ROUTABLE: ["", ""],
  OVN_AGENT_NO_BRIDGE: ["", ""],
  OVN_AGENT_NO_CHASSIS: [
    "`external_ids:system-id` is not set, or has no chassis. The agent keeps its last state.",
    "Start ovn-controller; for a recreated cluster run `ovn-appctl -t ovn-controller sb-cluster-state-reset`.",
  ],
  OVN_AGENT_NO_NEXT_HOP: ["", ""],
  OVN_AGENT_NO_PATCH: ["The bridge has no patch port to br-int yet.", "If it stays, see ovn-controller's log."],
  OVN_AGENT_NO_REMOTE: ["", ""],
  OVN_AGENT_OPENVSWITCH: ["", ""],
  OVN_AGENT_OVERLAP: ["Two networks share an address. Neither tenant network is announced; provider networks win.", ""],
  OVN_AGENT_PROGRAM: ["", ""],
  OVN_AGENT_RUNNING: ["", ""],
  OVN_AGENT_SOUTHBOUND: [
    "The Southbound database can't be read. The last state stays.",
    "Try `ovn-sbctl --db=ENDPOINT show` on the host. If all servers were reset to an older state, restart the agents.",
  ],
  OVN_AGENT_STALE: ["FRR announces a removed prefix.", "If it stays for over a minute, restart zebra and bgpd."],
  OVN_AGENT_SWITCH: ["", ""],
  OVN_AGENT_SYSCTL: [
    "A device setting can't be written.",
    "Allow writes to /proc/sys/net, or set `forwarding`, `proxy_arp`, `proxy_ndp` to 1 and `proxy_delay` to 0 yourself.",
  ],
  OVN_AGENT_TAKEN: [
    "A route, address, neighbor, flow, port or rule of another owner conflicts. The agent writes only the rule.",
    "Remove one of the two.",
  ],
  OVN_AGENT_UPLINK: [
    "A provider bridge has an uplink: the host would answer ARP for other machines. The network is not announced.",
    "Remove the interface, or exclude the network.",
  ],
  OVN_AGENT_VRF: ["The kernel can't create a VRF device.", "`modprobe vrf`, or omit `--vrf` (FRR 10 and newer)."],
  OVN_AGENT_VRF_NAME: ["", ""],
  OVN_AGENT_VRF_TAKEN: ["A device or VRF of others has the name or the table. Only withdrawals happen.", "Choose another name or `table`."],
};
