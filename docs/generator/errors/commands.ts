import type { Entries } from "./types";

/** Codes of `npx pulumi-ovn`. */
export const commandCodes: Entries = {
  OVN_APPLY_PARTLY: [
    "Only some databases confirmed the apply; connections were lost.",
    "Run `pulumi-ovn confirm` before the deadline, `pulumi up --refresh` after it.",
  ],
  OVN_APPLY_PENDING: [
    "Another `apply --revert-in` is pending at a target, or this one was undone. Nothing was written.",
    "`pulumi-ovn pending` lists them; `confirm` or `cancel` ends one.",
  ],
  OVN_APPLY_PROBE: ["The probe fails before the change. Nothing was written.", "Correct the probe, or what it tests."],
  OVN_APPLY_STATE: [
    "The state before an undone apply can't be restored: it is on another machine, or another update changed the stack.",
    "Follow the message; `pulumi refresh` repairs the state.",
  ],
  OVN_APPLY_TARGET: [
    "`apply --revert-in` of a host without `openvswitch`, or of a target that the preview does not know.",
    "Add the host's database; change the other by an update of its own.",
  ],
  OVN_APPLY_UNKNOWN: ["No target has the apply, or not all targets can be reached, or it is undone in some.", "See `pulumi-ovn pending`."],
  OVN_CONFIG: [
    "The stack's configuration can't be read or edited (alias, secret, no map), names no targets, or changed during an upgrade.",
    "The message says which.",
  ],
  OVN_EGRESS_NODE: ["", ""],
  OVN_LAST_NEXT_HOP: ["Draining the node would leave an egress policy without next hop.", "Add another egress node, or pass `--force`."],
  OVN_NOTHING_TO_IMPORT: ["", ""],
  OVN_OUT: ["", ""],
  OVN_INTENT: [
    "The update breaks intents of the program, or they do not hold in the live databases (`simulate --live --intents-only`).",
    "Correct the change, or the intent.",
  ],
  OVN_PLAN: ["", ""],
  OVN_PLAN_DIFFERS: ["The change is not the approved one. Nothing was written.", "Review again: `diff --save`."],
  OVN_PLAN_UNKNOWN: ["", ""],
  OVN_PREVIEW: ["The input of `diff` is not the complete output of `pulumi preview --json`, or Pulumi can't be run.", "Save the whole standard output."],
  OVN_PICTURE_EMPTY: ["", ""],
  OVN_PREVIEW_FAILED: ["", ""],
  OVN_PROGRAMS: [
    "OVN's programs (25.03 or newer) or, for intents of a Vpc, Open vSwitch's are missing.",
    "Install them; see [programs](../how-to/simulate.md#programs).",
  ],
  OVN_SIMULATE: ["A program of OVN or Open vSwitch failed on the copies.", "Report the message."],
  OVN_STATE: ["The stack's state can't be read, or has a secret or an older format in a needed argument.", "Run `pulumi up` once with this release."],
  OVN_TRACE: ["", ""],
  OVN_UPGRADE_BATCH: ["", ""],
  OVN_UPGRADE_ENGINE: ["Pulumi failed. The network is between two stages, and works.", "Correct the cause, and run again."],
  OVN_UPGRADE_LOCKED: ["", ""],
  OVN_UPGRADE_LOG: ["The file of `--log` can't be written. A rollout completes its stage, then ends.", "Free space or name another file, and run again."],
  OVN_UPGRADE_NETWORK: ["", ""],
  OVN_UPGRADE_NODES: ["", ""],
  OVN_UPGRADE_PROJECT: ["", ""],
  OVN_UPGRADE_STACK: ["", ""],
  OVN_UPGRADE_STATE: ["Topologies and stage in the configuration form no valid state.", "Use one of [the states](upgrade-rows.md)."],
  OVN_USAGE: ["", ""],
};
