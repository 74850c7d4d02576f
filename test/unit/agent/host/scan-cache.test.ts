import * as fc from "fast-check";
import { type LiveFlows, type LiveHost, plan, ScanCache } from "@pulumi-ovn/agent/testing";
import { type HostState, NOTHING, type Problem } from "@pulumi-ovn/provider/agent";
import { HostModel } from "../../../support/agent-host-model";

const route = (destination: string, via: string | null = null, device = "br-ex") => ({ table: 1087, destination, device, via });
const base: HostState = {
  ...NOTHING,
  devices: ["br-ex"],
  addresses: [{ device: "br-ex", address: "169.254.1.1/32" }],
  routes: [route("198.51.100.5/32")],
  rules: [{ family: 4, priority: 32000, table: 1087 }],
  flows: [{ bridge: "br-ex", flows: ["priority=900,ip,in_port=p,actions=NORMAL"] }],
  bgp: { asNumber: 64513, routerId: null, table: 1087 },
};
const more: HostState = {
  ...base,
  routes: [...base.routes, route("198.51.100.6/32"), route("10.1.0.0/24", "198.51.100.6")],
  neighbors: [{ device: "br-ex", address: "198.51.100.6", mac: "0a:00:00:00:00:01" }],
};

const PROBLEM = { code: "OVN_AGENT_TAKEN", subject: "route", message: "taken" };
/** Keeps the result of a look during which nothing happened. */
const keep = (it: ScanCache, state: HostState, live: LiveHost, problems: readonly Problem[] = []) => it.keep(state, live, it.begin(state), problems);

/** A cache for a host that matches the state and reports its changes. */
function cache(state = base) {
  const model = new HostModel(["br-ex", "br-two"]);
  expect(model.converge(state)).toBe(0);
  const it = new ScanCache();
  it.eventsStarted();
  keep(it, state, model.read(state));
  return { it, model };
}
const lines = (it: ScanCache, state: HostState) => it.plan(state)?.steps.map((step) => (step.kind === "ip" ? step.line : step.kind));

test("changed routes and neighbours are planned from the cache, state after state, with the same result as from a scan", () => {
  const { it, model } = cache();
  for (const state of [
    more,
    { ...more, routes: [route("198.51.100.6/32"), route("10.1.0.0/24", "198.51.100.6", "br-ex"), route("198.51.100.7/32")] },
    { ...base, routes: [] },
    more,
    base,
  ]) {
    const planned = it.plan(state)!;
    expect(planned.steps.length).toBeGreaterThan(0);
    expect(planned.steps).toEqual(plan(state, model.read(state)).steps);
    planned.steps.forEach((step) => model.take(step));
    it.applied(planned);
    expect(lines(it, state)).toEqual([]);
    expect(model.converge(state, 1)).toBe(0);
  }
  expect(model.refused).toEqual([]);
});

test("proxies, too", () => {
  const { it, model } = cache();
  const proxied = { ...more, proxies: [{ device: "br-ex", address: "2001:db8::" }] };
  for (const [state, expected] of [
    [proxied, ["neighbour add proxy 2001:db8:: dev br-ex protocol 87"]],
    [more, ["neighbour del proxy 2001:db8:: dev br-ex"]],
  ] as const) {
    const planned = it.plan(state)!;
    expect(planned.steps.map((step) => (step.kind === "ip" ? step.line : step.kind)).filter((line) => line.includes("proxy"))).toEqual(expected);
    planned.steps.forEach((step) => model.take(step));
    it.applied(planned);
    expect(plan(state, model.read(state)).steps).toEqual([]);
    expect(lines(it, state)).toEqual([]);
  }
});

describe("changed flows", () => {
  const flows = (...ports: string[]) => ports.map((port) => `priority=900,ip,in_port=${port},actions=NORMAL`);
  const states: HostState[] = [
    { ...more, flows: [{ bridge: "br-ex", flows: flows("p", "q") }] },
    {
      ...base,
      flows: [
        { bridge: "br-ex", flows: flows("q") },
        { bridge: "br-two", flows: flows("r") },
      ],
    },
    { ...base, flows: [{ bridge: "br-two", flows: flows("r") }] },
    base,
  ];

  test("are planned after a scan of their bridges only, together with routes", () => {
    const { it, model } = cache();
    const toScan = [["br-ex"], ["br-ex", "br-two"], ["br-ex"], ["br-two", "br-ex"]];
    for (const [index, state] of states.entries()) {
      expect(it.flowsToScan(state)!.map(({ bridge }) => bridge)).toEqual(toScan[index]);
      expect(it.plan(state)).toBeUndefined();
      const planned = it.plan(state, model.read(state).flows)!;
      expect(planned.steps).toEqual(plan(state, model.read(state)).steps);
      planned.steps.forEach((step) => model.take(step));
      it.applied(planned);
      expect(it.flowsToScan(state)).toEqual([]);
      expect(lines(it, state)).toEqual([]);
      expect(model.converge(state, 1)).toBe(0);
    }
    expect(model.refused).toEqual([]);
  });

  test("of others with the same match, and a bridge that can't be read, need a scan of the host", () => {
    const { it, model } = cache();
    const [state] = states as [HostState];
    const foreign = model.read(state).flows;
    const { difference } = foreign["br-ex"] as Extract<LiveFlows, { difference: object }>;
    const taken = difference.wanted.map((flow) => ({ ...flow, foreign: flow.flow }));
    expect(it.plan(state, { "br-ex": { difference: { ...difference, wanted: taken } } })).toBeUndefined();
    expect(it.plan(state, { "br-ex": { problem: PROBLEM } })).toBeUndefined();
    it.forget();
    expect([it.flowsToScan(state), it.plan(state, model.read(state).flows)]).toEqual([undefined, undefined]);
  });

  test("end the validity of a scan that began before them", () => {
    const { it, model } = cache();
    const look = it.begin(base);
    const live = model.read(base);
    const planned = it.plan(states[0]!, model.read(states[0]!).flows)!;
    planned.steps.forEach((step) => model.take(step));
    it.applied(planned);
    expect(it.confirms(look, live)).toBeUndefined();
    expect(it.confirms(it.begin(states[0]!), model.read(states[0]!))).toBe(true);
  });
});

test("other changes need a scan: addresses, rules, ports, devices, the instance, and a new family", () => {
  const { it } = cache();
  const others: Partial<HostState>[] = [
    { addresses: [] },
    { rules: [] },
    { taggedPorts: [{ name: "bgp7-x", bridge: "br-ex", tag: 7, mac: "0a:00:00:00:00:01" }] },
    { devices: ["br-ex", "br-two"] },
    { bgp: { ...base.bgp!, table: 1088 } },
    { routes: [route("198.51.100.5/32", null, "br-two")] },
    { routes: [{ ...route("198.51.100.5/32"), table: 1088 }] },
    { neighbors: [{ device: "br-two", address: "198.51.100.6", mac: "0a:00:00:00:00:01" }] },
    { routes: [route("2001:db8::5/128")] },
  ];
  for (const other of others) expect([other, lines(it, { ...base, ...other })]).toEqual([other, undefined]);
  expect(lines(it, more)).toHaveLength(3);
});

test("routes that another state lacks are removed without a scan, whatever else differs; all others stay", () => {
  const { it, model } = cache();
  const planned = it.plan(more)!;
  planned.steps.forEach((step) => model.take(step));
  it.applied(planned);
  const other: HostState = { ...NOTHING, routes: [route("198.51.100.5/32", null, "br-two"), route("198.51.100.9/32", null, "br-two")], bgp: base.bgp };
  expect(it.plan(other)).toBeUndefined();
  const withdrawals = it.withdrawals(other)!;
  expect(withdrawals.steps.map((step) => (step.kind === "ip" ? step.line : step.kind)).sort()).toEqual([
    "route del 10.1.0.0/24 via 198.51.100.6 dev br-ex onlink table 1087 protocol 87",
    "route del 198.51.100.6/32 dev br-ex scope link table 1087 protocol 87",
  ]);
  withdrawals.steps.forEach((step) => model.take(step));
  it.applied(withdrawals);
  expect(it.withdrawals(other)!.steps).toEqual([]);
  expect(it.withdrawals(more)!.steps).toEqual([]);
  expect(lines(it, more)).toHaveLength(2);
  it.forget();
  expect(it.withdrawals(other)).toBeUndefined();
});

/** Few destinations, so that states have some of them in common. */
const place = fc.record({
  table: fc.constant(1087),
  destination: fc.constantFrom("198.51.100.5/32", "198.51.100.6/32", "10.1.0.0/24", "10.1.0.0/25", "10.1.0.128/25"),
  device: fc.constant("br-ex"),
  via: fc.constantFrom(null, "198.51.100.5", "198.51.100.6"),
});
const states = fc.array(
  fc.uniqueArray(place, { selector: ({ destination }) => destination }).map((routes): HostState => ({ ...base, routes })),
  { minLength: 1, maxLength: 6 },
);
const FOREIGN = { ...route("10.1.0.0/25"), metric: null, plain: true, own: false };

test("a plan from the differing routes has the steps and problems of a full plan, also with conflicting routes of others", () => {
  fc.assert(
    fc.property(states, fc.boolean(), fc.boolean(), (list, foreign, same) => {
      const model = new HostModel(["br-ex", "br-two"]);
      model.converge(base);
      if (foreign) model.routes.push(FOREIGN);
      const it = new ScanCache();
      it.eventsStarted();
      keep(it, base, model.read(base), foreign ? [PROBLEM] : []);
      const objects = new Map<string, HostState["routes"][number]>();
      for (const one of list) {
        // Unchanged routes of a state may be the same objects, or equal copies.
        const state = same
          ? { ...one, routes: one.routes.map((own) => objects.get(JSON.stringify(own)) ?? (objects.set(JSON.stringify(own), own), own)) }
          : structuredClone(one);
        const [planned, whole] = [it.plan(state)!, plan(state, model.read(state))];
        const sorted = (steps: typeof whole.steps) => steps.map((step) => JSON.stringify(step)).sort();
        expect(sorted(planned.steps)).toEqual(sorted(whole.steps));
        expect(planned.problems).toEqual(whole.problems);
        planned.steps.forEach((step) => model.take(step));
        it.applied(planned);
        expect(plan(state, model.read(state)).steps).toEqual([]);
      }
      expect(model.refused).toEqual([]);
    }),
  );
});

test("a change is planned from the differing routes only, or from all routes if there is a problem", () => {
  const { it, model } = cache();
  const first = it.plan(more)!;
  expect([...first.part!].sort()).toEqual(["10.1.0.0/24", "198.51.100.6/32"]);
  it.applied(first);
  expect([...it.plan({ ...more, routes: more.routes.slice(0, 2) })!.part!]).toEqual(["10.1.0.0/24"]);
  // Instead of one that is not wanted yet.
  model.routes.push({ ...route("198.51.100.9/32"), metric: null, plain: true, own: false });
  it.forget();
  keep(it, base, model.read(base));
  const inTheWay = route("198.51.100.9/32");
  const taken = it.plan({ ...base, routes: [...base.routes, inTheWay] })!;
  expect([taken.part, taken.problems.map(({ code }) => code)]).toEqual([undefined, ["OVN_AGENT_TAKEN"]]);
  it.applied(taken);
  const after = it.plan({ ...more, routes: [...more.routes, inTheWay] })!;
  expect([after.part, after.problems.map(({ code }) => code)]).toEqual([undefined, ["OVN_AGENT_TAKEN"]]);
});

test("the cache is empty after an event, without events, and after a scan during which an event arrived", () => {
  const { it, model } = cache();
  const kept = (look = it.begin(base)) => (it.keep(base, model.read(base), look, []), it.hasScan);
  expect(it.hasScan).toBe(true);
  it.forget();
  expect([it.hasScan, lines(it, more)]).toEqual([false, undefined]);
  const before = it.begin(base);
  it.forget();
  expect(kept(before)).toBe(false);
  expect(kept()).toBe(true);
  const began = it.begin(base);
  it.eventsLost();
  expect([it.hasScan, kept(), kept(began)]).toEqual([false, false, false]);
  const unheard = it.begin(base);
  it.eventsStarted();
  expect(kept(unheard)).toBe(false);
  const interrupted = it.begin(base);
  it.eventsStarted();
  expect(kept(interrupted)).toBe(true);
});

test("a partly unreadable host is not cached", () => {
  const { it, model } = cache();
  it.forget();
  keep(it, base, { ...model.read(base), problems: [{ code: "OVN_AGENT_SWITCH", subject: "Open vSwitch", message: "gone" }] });
  expect(it.hasScan).toBe(false);
});

test("a host whose VRF has another owner is not cached", () => {
  const model = new HostModel(["br-ex"]);
  const state = { ...base, bgp: { ...base.bgp!, vrf: "bgp" } };
  model.links.set("bgp", true);
  const it = new ScanCache();
  it.eventsStarted();
  keep(it, state, model.read(state));
  expect([it.hasScan, plan(state, model.read(state)).problems.map(({ code }) => code), it.plan(state)]).toEqual([true, ["OVN_AGENT_VRF_TAKEN"], undefined]);
});

test("routes of others stay conflicts", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(base);
  model.routes.push({ ...route("198.51.100.6/32"), metric: null, plain: true, own: false });
  const it = new ScanCache();
  it.eventsStarted();
  keep(it, base, model.read(base), [PROBLEM]);
  for (const state of [more, more]) {
    const planned = it.plan(state)!;
    expect(planned.problems.map(({ subject }) => subject)).toEqual(["route 198.51.100.6/32 of table 1087"]);
    it.applied(planned);
  }
  expect(lines(it, more)).toEqual([]);
});

test("a host without FRR's instance is not cached: the instance may come with other sessions", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(base);
  const it = new ScanCache();
  it.eventsStarted();
  const live = model.read(base);
  keep(it, base, { ...live, frr: { running: false, silent: false, problem: { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "down" } } });
  expect(it.hasScan).toBe(false);
  keep(it, base, { ...live, frr: { ...live.frr, bgp: null } as typeof live.frr });
  expect(it.hasScan).toBe(false);
  keep(it, base, live);
  expect(it.hasScan).toBe(true);
});

describe("a scan in parallel with changes", () => {
  /** Takes the steps to a state. */
  const go = (it: ScanCache, model: HostModel, state: HostState) => {
    const planned = it.plan(state)!;
    planned.steps.forEach((step) => model.take(step));
    it.applied(planned);
  };

  test("confirms the cache, whenever the host was read; the next plan is the same as from a full scan", () => {
    fc.assert(
      fc.property(states, states, states, place, fc.boolean(), (before, during, after, next, foreign) => {
        const { it, model } = cache();
        const problems = foreign ? plan(base, (model.routes.push(FOREIGN), model.read(base))).problems : [];
        if (foreign) keep(it, base, model.read(base), problems);
        for (const state of before) go(it, model, state);
        const look = it.begin(base);
        for (const state of during) go(it, model, state);
        const live = model.read(base);
        for (const state of after) go(it, model, state);
        expect(it.confirms(look, live)).toBe(true);
        it.end(look);
        const state = { ...base, routes: [next], neighbors: more.neighbors };
        const sorted = (steps: readonly object[]) => steps.map((step) => JSON.stringify(step)).sort();
        expect(sorted(it.plan(state)!.steps)).toEqual(sorted(plan(state, model.read(state)).steps));
      }),
    );
  });

  test("keeps the cached neighbour if it was written before or after the host was read", () => {
    for (const early of [true, false]) {
      const { it, model } = cache();
      const look = it.begin(base);
      const before = model.read(base);
      go(it, model, more);
      expect(it.confirms(look, early ? before : model.read(base))).toBe(true);
      it.end(look);
      expect(lines(it, more)).toEqual([]);
      expect(lines(it, base)).toHaveLength(3);
    }
  });

  test("returns the time of the first change during the scan, and ignores changes before and after it", () => {
    const { it, model } = cache();
    go(it, model, more);
    const look = it.begin(base);
    expect(look.written.since).toBeUndefined();
    it.end(look);
    go(it, model, base);
    expect(look.written.since).toBeUndefined();
    const second = it.begin(base);
    go(it, model, more);
    expect(second.written.since).toEqual(expect.any(Number));
  });

  test.each<[string, (model: HostModel) => unknown]>([
    ["a flow less", (model) => (model.flows = [])],
    [
      "a route that was removed without a write of the agent",
      (model) => (model.routes = model.routes.filter(({ destination }) => destination !== "198.51.100.5/32")),
    ],
    ["a neighbour more", (model) => model.neighbors.push({ device: "br-ex", address: "198.51.100.77", mac: "0a:00:00:00:00:01", own: true })],
    ["another problem", (model) => model.routes.push({ ...route("192.0.2.0/24"), metric: null, plain: true, own: false })],
    ["an FRR that has ended", (model) => (model.frrRuns = false)],
  ])("reports %s", (_what, change) => {
    const { it, model } = cache();
    const look = it.begin(base);
    go(it, model, more);
    change(model);
    expect(it.confirms(look, model.read(more))).toBe(false);
  });

  test("returns nothing after an event, or if another scan has found other devices", () => {
    const { it, model } = cache();
    const look = it.begin(base);
    const other = { ...base, rules: [] };
    model.converge(other);
    keep(it, other, model.read(other));
    expect(it.confirms(look, model.read(base))).toBeUndefined();
    const second = it.begin(other);
    it.forget();
    expect(it.confirms(second, model.read(other))).toBeUndefined();
    expect(it.hasScan).toBe(false);
    // Nor of what was looked at again since then.
    keep(it, other, model.read(other));
    expect(it.confirms(second, { ...model.read(other), flows: {} })).toBeUndefined();
    expect(it.hasScan).toBe(true);
  });
});
