import { STAGES, TOPOLOGIES, type Topology, type UpgradeStage } from "@pulumi-ovn/provider";
import { stageFailures } from "@pulumi-ovn/provider/tools";
import { UpgradeError } from "./errors";

export { STAGES, TOPOLOGIES, type Topology, type UpgradeStage } from "@pulumi-ovn/provider";

/** Settings that decide the rows of a network during an upgrade. All of them are in the stack's configuration, so in Git. */
export interface Settings {
  /** Undefined outside of an upgrade. */
  readonly upgrade: UpgradeStage | undefined;
  /** Topology of every node, by name. */
  readonly nodes: Readonly<Record<string, Topology>>;
}

/** Stage that settings have reached, with the numbers of docs/reference/upgrade-rows.md. */
export type Position =
  | "old" // 0
  | "move" // 1, 2
  | "follow" // 3
  | "announce" // 4
  | "settle" // 5
  | "new" // 6
  | "shield" // 7
  | "announce-old"; // 8

/** Throws an UpgradeError for settings that no network can have. */
export function positionOf({ upgrade, nodes }: Settings): Position {
  const staged = Object.fromEntries(Object.entries(nodes).map(([name, topology]) => [name, { topology }]));
  const [failure] = stageFailures(staged, upgrade);
  if (failure)
    throw new UpgradeError(
      "OVN_UPGRADE_STATE",
      `the network is in no state of an upgrade: ${failure.path} ${failure.message}; set it to one of docs/reference/upgrade-rows.md`,
    );
  const old = Object.values(nodes).includes("gateway");
  if (upgrade === undefined) return old ? "old" : "new";
  return upgrade === "announce" && old ? "announce-old" : upgrade;
}

/** The `upgrade` of a position. */
export function upgradeOf(position: Position): UpgradeStage | undefined {
  if (position === "old" || position === "new") return undefined;
  return position === "announce-old" ? "announce" : position;
}

export function isTopology(value: unknown): value is Topology {
  return TOPOLOGIES.includes(value as Topology);
}

export function isStage(value: unknown): value is UpgradeStage {
  return STAGES.includes(value as UpgradeStage);
}
