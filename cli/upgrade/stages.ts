import { listed } from "../texts";
import { type Position, positionOf, type Settings, type Topology, upgradeOf } from "./settings";

/** One state of the stack's configuration after the other: one ordinary update each. */
export interface Stage {
  /** 1 for the first. */
  readonly number: number;
  readonly place: Position;
  /** Nodes that get another topology in this stage; none in stages of the whole network. */
  readonly moves: readonly string[];
  /** The topology that they get. */
  readonly topology: Topology;
  /** For people. */
  readonly title: string;
  /** Seconds to wait before the next stage, for neighbour entries of workloads to be renewed: without and with IPv6 workloads. */
  readonly settle: { readonly ipv4: number; readonly ipv6: number };
}

export interface Route {
  /** Back to the gateway topology. Default: on to the transit topology. */
  readonly back?: boolean;
  /**
   * Stop before the rows go that help workloads which remember the other topology: there in stage "settle", back in stage
   * "move" with every node on the gateway topology. Both are states to stay in. Default: false.
   */
  readonly keep?: boolean;
  /** Every node whose zone the stack writes, in the order in which they move. */
  readonly order: readonly string[];
  /** Number of nodes that move together. */
  readonly batch: number;
}

/** Following stages of the whole network. "move" with nodes that still have to move represents one stage for each batch. */
const FORWARD: Readonly<Record<Position, readonly Position[]>> = {
  "announce-old": ["shield", "move", "follow", "announce", "settle", "new"],
  shield: ["move", "follow", "announce", "settle", "new"],
  old: ["move", "follow", "announce", "settle", "new"],
  move: ["follow", "announce", "settle", "new"],
  follow: ["announce", "settle", "new"],
  announce: ["settle", "new"],
  settle: ["new"],
  new: [],
};

/** The way back as far as the alias: `WITHOUT_ALIAS` follows. */
const BACK: Readonly<Record<Position, readonly Position[]>> = {
  new: ["settle", "follow", "move"],
  settle: ["follow", "move"],
  announce: ["follow", "move"],
  follow: ["move"],
  move: [],
  "announce-old": ["shield", "move"],
  shield: ["move"],
  old: [],
};

const WITHOUT_ALIAS: Readonly<Partial<Record<Position, readonly Position[]>>> = {
  "announce-old": ["shield", "move", "old"],
  shield: ["announce-old", "shield", "move", "old"],
  old: [],
};

/** Description of a stage, for people. On the way back, or after an announcement, the same stage reverts a change. */
function titleOf(position: Position, before: Position): string {
  switch (position) {
    case "move":
      if (before === "follow") return "reach other nodes over the switch";
      return before === "shield" ? "let announcements of other zones through again" : "prepare: both topologies side by side";
    case "follow":
      return before === "move" ? "reach other nodes over transit links" : "bring back the rows of the gateway topology";
    case "announce":
      return "announce the transit router's MAC to workloads";
    case "settle":
      return before === "new" ? "answer for what workloads may remember" : "remove what is left of the gateway topology";
    case "new":
      return "end the upgrade: the transit topology alone";
    case "shield":
      return before === "announce-old" ? "end the announcements" : "keep announcements of other zones from workloads";
    case "announce-old":
      return "announce the MACs of gateway routers to workloads";
    case "old":
      return "end the upgrade: the gateway topology alone";
  }
}

const SETTLE: Readonly<Partial<Record<Position, Stage["settle"]>>> = {
  announce: { ipv4: 5, ipv6: 75 },
  "announce-old": { ipv4: 5, ipv6: 5 },
};

const NO_WAIT = { ipv4: 0, ipv6: 0 };

const targetOf = (back: boolean): Topology => (back ? "gateway" : "transit");

/** Nodes of other stacks that have to move before the stages after the move of the stack's own nodes. */
export function awaitedNodes({ nodes }: Settings, { back = false, order }: Pick<Route, "back" | "order">): string[] {
  const own = new Set(order);
  return Object.keys(nodes).filter((node) => !own.has(node) && nodes[node] !== targetOf(back));
}

/**
 * Every stage between the settings and the goal, in order; while nodes of other stacks have to move, up to the move of the own nodes. The
 * plan depends only on the settings, not on earlier stages: an interrupted rollout is planned again from its configuration. Pure; throws an
 * UpgradeError for settings that no network can have.
 */
export function planStages(from: Settings, { back = false, keep = false, order, batch }: Route): Stage[] {
  const start = positionOf(from);
  const target = targetOf(back);
  const moving = order.filter((node) => from.nodes[node] !== target);
  const stages: Omit<Stage, "number">[] = [];
  const enter = (position: Position) =>
    stages.push({ place: position, moves: [], topology: target, title: titleOf(position, stages.at(-1)?.place ?? start), settle: SETTLE[position] ?? NO_WAIT });
  const moveNodes = () => {
    for (let first = 0; first < moving.length; first += batch) {
      const moves = moving.slice(first, first + batch);
      stages.push({ place: "move", moves, topology: target, title: `move ${listed(moves)} to the ${target} topology`, settle: NO_WAIT });
    }
  };
  const isAwaiting = awaitedNodes(from, { back, order }).length > 0;
  const numbered = () => stages.map((stage, index) => ({ number: index + 1, ...stage }));
  if (start === "move") {
    moveNodes();
    if (isAwaiting) return numbered();
  }
  for (const position of back ? backward(start, keep) : FORWARD[start].filter((position) => !keep || position !== "new")) {
    enter(position);
    if (position !== "move" || start === "move") continue;
    moveNodes();
    if (isAwaiting) return numbered();
  }
  if (back && !keep && !(start in WITHOUT_ALIAS)) for (const position of ["shield", "announce-old", "shield", "move", "old"] as const) enter(position);
  return numbered();
}

/** Number of stages until all zones of the network must have come as far: one, or the moves of the stack's own nodes. */
export function stepOf(stages: readonly Stage[]): number {
  const next = stages.findIndex(({ moves }) => moves.length === 0);
  return Math.max(next === -1 ? stages.length : next, 1);
}

function backward(start: Position, keep: boolean): readonly Position[] {
  return (keep ? undefined : WITHOUT_ALIAS[start]) ?? BACK[start];
}

/** The settings of a stage that follows others. */
export function settingsAfter({ nodes }: Settings, { place: position, moves, topology }: Pick<Stage, "place" | "moves" | "topology">): Settings {
  return { upgrade: upgradeOf(position), nodes: moves.length === 0 ? nodes : { ...nodes, ...Object.fromEntries(moves.map((node) => [node, topology])) } };
}

/** How long to wait after a stage, in seconds. */
export function settleSeconds({ settle }: Pick<Stage, "settle">, ipv6: boolean): number {
  return ipv6 ? settle.ipv6 : settle.ipv4;
}
