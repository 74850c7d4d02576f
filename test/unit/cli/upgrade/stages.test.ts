import fc from "fast-check";
import {
  planStages,
  type Position,
  positionOf,
  type Route,
  type Settings,
  settingsAfter,
  settleSeconds,
  type Stage,
  STAGES,
  UpgradeError,
} from "@pulumi-ovn/cli/upgrade";

const all = (topology: "gateway" | "transit", count = 3) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`node${index + 1}`, topology]));
const order = ["node1", "node2", "node3"];
const OLD: Settings = { upgrade: undefined, nodes: all("gateway") };
const NEW: Settings = { upgrade: undefined, nodes: all("transit") };
const route = (change: Partial<Route> = {}): Route => ({ order, batch: 1, ...change });

const shown = (stages: readonly Stage[]) => stages.map(({ place, moves }) => [place, ...moves].join(" "));
const states = (from: Settings, stages: readonly Stage[]) => stages.reduce<Settings[]>((list, stage) => [...list, settingsAfter(list.at(-1)!, stage)], [from]);

/** Transitions between states that docs/reference/upgrade-rows.md allows, in either direction. */
const NEIGHBOURS: Readonly<Record<Position, readonly Position[]>> = {
  old: ["move"],
  move: ["old", "move", "follow", "shield"],
  follow: ["move", "announce", "settle"],
  announce: ["follow", "settle"],
  settle: ["announce", "follow", "new"],
  new: ["settle"],
  shield: ["move", "announce-old"],
  "announce-old": ["shield"],
};

/** Any settings that a network can have. */
const legal = fc
  .record({
    upgrade: fc.option(fc.constantFrom(...STAGES), { nil: undefined }),
    nodes: fc.array(fc.constantFrom("gateway" as const, "transit" as const), { minLength: 1, maxLength: 9 }),
  })
  .map(({ upgrade, nodes }): Settings => ({ upgrade, nodes: Object.fromEntries(nodes.map((topology, index) => [`n${index}`, topology])) }))
  .filter((settings) => {
    try {
      return positionOf(settings) !== undefined;
    } catch {
      return false;
    }
  });

it("has the stages of docs/reference/upgrade-rows.md", () => {
  const stages = planStages(OLD, route());
  expect(shown(stages)).toEqual(["move", "move node1", "move node2", "move node3", "follow", "announce", "settle", "new"]);
  expect(stages.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(states(OLD, stages).at(-1)).toEqual(NEW);
  expect(stages.map((stage) => settleSeconds(stage, false))).toEqual([0, 0, 0, 0, 0, 5, 0, 0]);
  expect(stages.map((stage) => settleSeconds(stage, true))).toEqual([0, 0, 0, 0, 0, 75, 0, 0]);
});

it("ends before workloads that remember the old topology lose their help, on request", () => {
  expect(shown(planStages(OLD, route({ keep: true, batch: 3 })))).toEqual(["move", "move node1 node2 node3", "follow", "announce", "settle"]);
  expect(planStages({ upgrade: "settle", nodes: all("transit") }, route({ keep: true }))).toEqual([]);
  expect(shown(planStages({ upgrade: "settle", nodes: all("transit") }, route()))).toEqual(["new"]);
});

it("goes back, with and without the alias", () => {
  expect(shown(planStages(NEW, route({ back: true })))).toEqual([
    "settle",
    "follow",
    "move",
    "move node1",
    "move node2",
    "move node3",
    "shield",
    "announce-old",
    "shield",
    "move",
    "old",
  ]);
  const kept = planStages(NEW, route({ back: true, keep: true }));
  expect(shown(kept)).toEqual(["settle", "follow", "move", "move node1", "move node2", "move node3"]);
  expect(states(NEW, kept).at(-1)).toEqual({ upgrade: "move", nodes: all("gateway") });
});

it("describes each stage, in both directions", () => {
  const titles = (stages: readonly Stage[]) => stages.map(({ title }) => title);
  expect(titles(planStages(OLD, route({ batch: 3 })))).toEqual([
    "prepare: both topologies side by side",
    "move node1, node2, node3 to the transit topology",
    "reach other nodes over transit links",
    "announce the transit router's MAC to workloads",
    "remove what is left of the gateway topology",
    "end the upgrade: the transit topology alone",
  ]);
  expect(titles(planStages(NEW, route({ back: true, batch: 3 })))).toEqual([
    "answer for what workloads may remember",
    "bring back the rows of the gateway topology",
    "reach other nodes over the switch",
    "move node1, node2, node3 to the gateway topology",
    "keep announcements of other zones from workloads",
    "announce the MACs of gateway routers to workloads",
    "end the announcements",
    "let announcements of other zones through again",
    "end the upgrade: the gateway topology alone",
  ]);
});

it("moves nodes in batches, in the given order", () => {
  expect(shown(planStages(OLD, route({ order: ["node3", "node1", "node2"], batch: 2 })))).toEqual([
    "move",
    "move node3 node1",
    "move node2",
    "follow",
    "announce",
    "settle",
    "new",
  ]);
  expect(shown(planStages(OLD, route({ batch: 99 })))[1]).toBe("move node1 node2 node3");
});

it("turns around at any stage", () => {
  const middle: Settings = { upgrade: "move", nodes: { ...all("gateway"), node2: "transit" } };
  expect(shown(planStages(middle, route()))).toEqual(["move node1", "move node3", "follow", "announce", "settle", "new"]);
  expect(shown(planStages(middle, route({ back: true, keep: true })))).toEqual(["move node2"]);
  expect(shown(planStages({ upgrade: "announce", nodes: all("gateway") }, route()))).toEqual([
    "shield",
    "move",
    "move node1",
    "move node2",
    "move node3",
    "follow",
    "announce",
    "settle",
    "new",
  ]);
  expect(shown(planStages({ upgrade: "announce", nodes: all("transit") }, route({ back: true, keep: true })))).toEqual([
    "follow",
    "move",
    "move node1",
    "move node2",
    "move node3",
  ]);
});

it("has no stages at the goal", () => {
  expect(planStages(NEW, route())).toEqual([]);
  expect(planStages(OLD, route({ back: true }))).toEqual([]);
  expect(planStages({ upgrade: "move", nodes: all("gateway") }, route({ back: true, keep: true }))).toEqual([]);
});

it("refuses settings that no network can have", () => {
  for (const upgrade of [undefined, "follow", "settle", "shield", "announce"] as const) {
    expect(() => planStages({ upgrade, nodes: { node1: "gateway", node2: "transit" } }, route())).toThrow(UpgradeError);
  }
  expect(() => positionOf({ upgrade: "shield", nodes: all("transit") })).toThrow("no state of an upgrade");
});

const anyRoute = fc.record({ back: fc.boolean(), keep: fc.boolean(), batch: fc.integer({ min: 1, max: 10 }) });

it("contains only legal states, each a neighbour of the previous one, and reaches the goal from anywhere", () => {
  fc.assert(
    fc.property(legal, anyRoute, (from, options) => {
      const names = Object.keys(from.nodes);
      const stages = planStages(from, { ...options, order: names });
      const visited = states(from, stages);
      const places = visited.map(positionOf); // throws for one that is not legal
      places.slice(1).forEach((place, index) => expect(NEIGHBOURS[places[index]!]).toContain(place));
      const goal = !options.back ? (options.keep && places[0] !== "new" ? "settle" : "new") : options.keep && places[0] !== "old" ? "move" : "old";
      expect(places.at(-1)).toBe(goal);
      expect(new Set(Object.values(visited.at(-1)!.nodes))).toEqual(new Set([options.back ? "gateway" : "transit"]));
    }),
  );
});

it("reaches the goal after an interruption at any stage, and after turning around there", () => {
  fc.assert(
    fc.property(legal, anyRoute, fc.nat(), (from, options, at) => {
      const names = Object.keys(from.nodes);
      const visited = states(from, planStages(from, { ...options, order: names }));
      const interrupted = visited[at % visited.length]!;
      for (const back of [true, false]) {
        const resumed = states(interrupted, planStages(interrupted, { back, order: [...names].reverse(), batch: 2 }));
        expect(positionOf(resumed.at(-1)!)).toBe(back ? "old" : "new");
      }
    }),
  );
});

it("moves every node exactly once, in batches of limited size", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 45 }), (count, batch) => {
      const from: Settings = { upgrade: undefined, nodes: all("gateway", count) };
      const stages = planStages(from, { order: Object.keys(from.nodes), batch });
      expect(stages.flatMap(({ moves }) => moves)).toEqual(Object.keys(from.nodes));
      expect(Math.max(...stages.map(({ moves }) => moves.length))).toBe(Math.min(batch, count));
      expect(stages.filter(({ moves }) => moves.length > 0)).toHaveLength(Math.ceil(count / batch));
    }),
  );
});

it("moves nodes of several stacks: each moves its own, waits for the others, and reaches the goal", () => {
  fc.assert(
    fc.property(legal, anyRoute, fc.nat(), (from, options, cut) => {
      const names = Object.keys(from.nodes);
      const stacks = [names.slice(0, cut % names.length), names.slice(cut % names.length)].map((order) => ({ order, settings: from }));
      const whole = states(from, planStages(from, { ...options, order: names })).at(-1)!;
      const target = options.back ? "gateway" : "transit";
      for (const stack of stacks) {
        const others = names.filter((name) => !stack.order.includes(name));
        const stages = planStages(from, { ...options, order: stack.order });
        expect(stages.flatMap(({ moves }) => moves).filter((name) => others.includes(name))).toEqual([]);
        const reached = states(from, stages).at(-1)!;
        expect(stack.order.every((name) => reached.nodes[name] === target)).toBe(true);
        if (others.some((name) => from.nodes[name] !== target)) expect(positionOf(reached)).toBe("move");
        // The others have moved, and the configuration says so.
        const moved = { ...reached, nodes: { ...reached.nodes, ...Object.fromEntries(others.map((name) => [name, target] as const)) } };
        expect(states(moved, planStages(moved, { ...options, order: stack.order })).at(-1)).toEqual(whole);
      }
    }),
  );
});
