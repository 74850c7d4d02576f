import type { Entries } from "./types";

/** Codes of `npx pulumi-ovn`. */
export const commandCodes: Entries = {
  OVN_APPLY_PARTLY: [
    "An apply is confirmed in some databases, and the connection to others was lost in this moment.",
    "Run `pulumi-ovn confirm` before the deadline. After it those are undone: run `pulumi up --refresh`.",
  ],
  OVN_APPLY_PENDING: [
    "Another `apply --revert-in` is pending in a database or on a host, or the own one was undone meanwhile. Nothing was written.",
    "`pulumi-ovn pending` lists them; `confirm` or `cancel` ends one.",
  ],
  OVN_APPLY_PROBE: ["The probe fails before the change, so it could not judge it. Nothing was changed.", "Correct the probe, or what it tests."],
  OVN_APPLY_STATE: [
    "The state from before an undone apply can't be put back: it is on another machine, or another update has changed the stack.",
    "Follow the message; `pulumi refresh` repairs the state.",
  ],
  OVN_APPLY_TARGET: [
    "`apply --revert-in` of flows on a host without `openvswitch` in the file of targets, or of a target that the preview does not know.",
    "Add the host's database; change the other by an update of its own.",
  ],
  OVN_APPLY_UNKNOWN: ["No target has the apply, or not all targets can be reached, or it is undone in some.", "See `pulumi-ovn pending`."],
  OVN_CONFIG: [
    "The stack's configuration can't be read, names no targets, can't be edited (alias, secret, no map), or was changed during an upgrade.",
    "The message says which.",
  ],
  OVN_EGRESS_NODE: ["No policy has a next hop on the node, and no zone has its name.", ""],
  OVN_LAST_NEXT_HOP: [
    "Draining the node would leave an egress policy without next hop; packets would leave with their own node's address.",
    "Add another egress node, or pass `--force`.",
  ],
  OVN_NOTHING_TO_IMPORT: ["", ""],
  OVN_OUT: ["", ""],
  OVN_INTENT: [
    "The update breaks intents of the program (`simulate`, `diff --intents`, `diff --simulate`), or intents do not hold in the live databases (`simulate --live --intents-only`).",
    "Correct the change, or the intent.",
  ],
  OVN_PLAN: ["The file of `apply --plan` can't be read.", "Write it with `pulumi-ovn diff --save FILE`."],
  OVN_PLAN_DIFFERS: ["The change is not the approved one; the message has the lines that differ. Nothing was changed.", "Review again: `diff --save`."],
  OVN_PLAN_UNKNOWN: ["The preview does not know all rows, so they can't be approved.", "Run `pulumi up` for the resources that they depend on first."],
  OVN_PREVIEW: ["The input of `diff` is not the complete output of `pulumi preview --json`, or Pulumi can't be run.", "Save the whole standard output."],
  OVN_PICTURE_EMPTY: ["", ""],
  OVN_PREVIEW_FAILED: ["", ""],
  OVN_PROGRAMS: [
    "`simulate`, and `diff --intents` of a Layer2Network, need ovsdb-server, ovsdb-tool, ovn-northd and ovn-trace of OVN 25.03 or newer, and found none; or intents of a Vpc found no Open vSwitch.",
    "Install them; see [programs](../how-to/simulate.md#programs).",
  ],
  OVN_SIMULATE: ["", ""],
  OVN_STATE: ["The stack's state can't be read, or has a secret or an older format in a needed argument.", "Run `pulumi up` once with this release."],
  OVN_TRACE: ["`trace` can't be asked: no such VPC, workload or address, or the sending interface is unknown.", ""],
  OVN_UPGRADE_BATCH: ["", ""],
  OVN_UPGRADE_ENGINE: ["Pulumi failed; its messages follow. The network is between two stages, and works.", "Correct the cause, and run again."],
  OVN_UPGRADE_LOCKED: ["Another upgrade of the network is in progress.", "Wait, then run again: it continues from the current stage."],
  OVN_UPGRADE_LOG: ["The file of `--log` can't be written. A rollout completes its stage, then ends.", "Free space or name another file, and run again."],
  OVN_UPGRADE_NETWORK: ["The stack has no such network, has several, or has not created it.", "Run `pulumi up`, or name one."],
  OVN_UPGRADE_NODES: ["", ""],
  OVN_UPGRADE_PROJECT: ["No `Pulumi.yaml` in the folder or above.", "Pass `--cwd`."],
  OVN_UPGRADE_STACK: ["No stack is selected, or Pulumi can't use it.", "Pass `--stack`."],
  OVN_UPGRADE_STATE: ["Topologies and stage in the configuration form no valid state.", "Use one of [the states](upgrade-rows.md)."],
  OVN_USAGE: ["", ""],
};
