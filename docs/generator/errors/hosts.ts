import type { Entries } from "./types";

/** Codes of operations on a host's bridges. */
export const hostCodes: Entries = {
  OVN_AGENT_FILE: [
    "The file for [the host's agent](../how-to/vpc-agent.md) can't be written, is damaged or of another release, or another user could write it.",
    "Correct the rights or `agentFolder`; `pulumi up --refresh` rewrites the file. Update agents and stack together.",
  ],
  OVN_BRIDGE_MISSING: ["", ""],
  OVN_BRIDGE_UNREACHABLE: ["The bridge does not answer: ovs-vswitchd is down or hangs, or `protocols` lacks OpenFlow13 and OpenFlow14.", ""],
  OVN_FLOW_REFUSED: ["ovs-ofctl or the switch refuses a flow, or would read it differently (`tcp_dst` without `tcp`). The bridge is unchanged.", ""],
  OVN_FLOW_TAKEN: ["", ""],
  OVN_HOST: ["", ""],
  OVN_HOST_ABORTED: ["", ""],
  OVN_HOST_BUSY: ["", ""],
  OVN_HOST_COMMAND: ["The host's `command`, or `ovs-ofctl` behind it, was not found.", "Install it, or correct `command`."],
  OVN_HOST_UNREACHABLE: [
    "The host's `command` failed or exceeded the host's `timeout` (30 s). Each bridge changed completely or not at all.",
    "Try the command by hand, then run again.",
  ],
  OVN_INTERFACE: [
    "ovs-vswitchd can't create a tunnel (`File exists`: another has its ends and key), or an interface lacks its `ofport_request`. No flow is written.",
    "Choose another key, or delete the other tunnel or port.",
  ],
  OVN_SEQUENCE: ["The host has a later update than the state, or another run is in progress.", "With the newest state, run `pulumi refresh` and `pulumi up`."],
  OVN_SWITCH: ["ovs-vswitchd did not follow its database within 30 s. Rows are written, flows are not.", "Start it, then run again."],
};
