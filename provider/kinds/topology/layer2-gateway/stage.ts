import type { Failure } from "../../../kit/arguments/errors";
import { listed } from "../../../kit/text/listed";
import { sortedEntries } from "../../../kit/entries";

/**
 * Topology of a node's zone. `gateway`: every node's gateway router is on the switch and is the default gateway of its own workloads. `transit`:
 * one transit router over all zones is.
 */
export type Topology = "gateway" | "transit";
export const TOPOLOGIES = ["gateway", "transit"] as const satisfies readonly Topology[];

/** See docs/reference/upgrade-rows.md. */
export type UpgradeStage = "move" | "follow" | "announce" | "settle" | "shield";
export const STAGES = ["move", "follow", "announce", "settle", "shield"] as const satisfies readonly UpgradeStage[];

/** The topology that all nodes must have in a stage. */
const ONLY: Partial<Record<UpgradeStage, Topology>> = { follow: "transit", settle: "transit", shield: "gateway" };

/** Nodes by name, as far as stages are concerned. */
export type StagedNodes = Readonly<Record<string, { readonly topology: Topology }>>;

/** Stages that do not fit the topologies of the nodes. Each of them would disconnect workloads. */
export function stageFailures(nodes: StagedNodes, stage: UpgradeStage | undefined): Failure[] {
  const of = (topology: Topology) => sortedEntries(nodes).flatMap(([name, node]) => (node.topology === topology ? [name] : []));
  const [gateway, transit] = [of("gateway"), of("transit")];
  const mixed = gateway.length > 0 && transit.length > 0;
  const split = `${listed(gateway, MOST_NAMED)} ${has(gateway)} topology "gateway", ${listed(transit, MOST_NAMED)} "transit"`;
  if (stage === undefined) return mixed ? [{ path: "upgrade", code: "required", message: `must be "move" while nodes differ: ${split}` }] : [];
  if (stage === "announce" && mixed) return [{ path: "upgrade", code: "stage", message: `can't be "announce" while nodes differ: ${split}` }];
  const only = ONLY[stage];
  const others = only === undefined ? [] : only === "gateway" ? transit : gateway;
  if (others.length === 0) return [];
  return [
    {
      path: "upgrade",
      code: "stage",
      message: `can be "${stage}" only when every node has topology "${only}", and ${listed(others, MOST_NAMED)} ${has(others)} not`,
    },
  ];
}

const MOST_NAMED = 5;

function has(names: readonly string[]): string {
  return names.length === 1 ? "has" : "have";
}

/** Effects of a stage on the rows of a zone. */
export interface StageRows {
  /** A network on its way: the idle transit router, aliases, what answers for join addresses. */
  readonly upgrading: boolean;
  /** Transit topology: the upgrade port and the remote ports of the switch. */
  readonly intermediate: boolean;
  /** Whether other nodes' gateway routers are reached over the switch, by their join addresses. */
  readonly byJoin: boolean;
  /** Whether the default gateway's MAC is announced. */
  readonly announced: boolean;
  /**
   * Whether router advertisements give the transit router preference over others, from the first one that workloads
   * receive: Linux follows a new router, but not always a router whose preference has increased. "often": advertised
   * more often, so that all workloads receive it soon.
   */
  readonly advertised: "often" | "preferred" | undefined;
  /** Whether the announcements of other zones' gateway routers are blocked. */
  readonly shielded: boolean;
}

export function stageRows(stage: UpgradeStage | undefined, topology: Topology): StageRows {
  const transit = topology === "transit";
  const announced = stage === "announce";
  return {
    upgrading: stage !== undefined,
    intermediate: transit && (stage === "move" || stage === "follow" || announced),
    byJoin: stage === "move",
    announced,
    advertised: !transit || stage === undefined ? undefined : announced ? "often" : "preferred",
    shielded: !transit && (announced || stage === "shield"),
  };
}
