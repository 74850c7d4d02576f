import * as fc from "fast-check";
import { destinationText, type LiveRoute, plan } from "@pulumi-ovn/agent/testing";
import { type HostState, NOTHING } from "@pulumi-ovn/provider/agent";
import { HostModel, ownOf } from "../../../support/agent-host-model";

const BRIDGES = ["br-ex", "br-two"];
const devices = ["br-ex", "br-two", "br-ex.7"];
const some = <T>(list: readonly T[]) => fc.subarray([...list]);

const sites = devices.map((device, index) => ({
  device,
  addresses: [
    { device, address: `169.254.${index}.1/32` },
    { device, address: `fd53:d91e:400:7f17::${index}:1/128` },
  ],
  neighbors: [`198.51.10${index}.2`, `2001:db8:${index}::2`],
}));

/** A state as the pure half makes them: what routes lead through is there. */
const state: fc.Arbitrary<HostState> = fc
  .record({
    used: some(sites),
    table: fc.constantFrom(1087, 1088),
    mac: fc.constantFrom("0a:00:00:00:00:01", "0a:00:00:00:00:02"),
    tag: fc.integer({ min: 1, max: 3 }),
    home: fc.constantFrom(...BRIDGES),
    hosts: some([5, 6, 7, 8]),
    second: fc.boolean(),
    proxied: fc.boolean(),
    announced: fc.boolean(),
    vrf: fc.constantFrom(undefined, "bgp-vrf", "two-vrf"),
  })
  .map(({ used, table, mac, tag, home, hosts, second, proxied, announced, vrf }): HostState => {
    if (used.length === 0) return NOTHING;
    const [first] = used;
    return {
      taggedPorts: used.some(({ device }) => device === "br-ex.7") ? [{ name: "br-ex.7", bridge: home, tag, mac }] : [],
      devices: used.map(({ device }) => device),
      silent: [],
      addresses: used.flatMap(({ addresses }) =>
        second ? [...addresses, { device: addresses[0]!.device, address: addresses[0]!.address.replace(".1/32", ".2/32") }] : addresses,
      ),
      neighbors: used.flatMap(({ device, neighbors }) => neighbors.map((address) => ({ device, address, mac }))),
      proxies: proxied ? used.map(({ device }) => ({ device, address: "2001:db8::1" })) : [],
      routes: hosts.flatMap((host) => [
        { table, destination: `203.0.113.${host}/32`, device: first!.device, via: host % 2 === 0 ? first!.neighbors[0]! : null },
        { table, destination: `2001:db8:9::${host}/128`, device: used.at(-1)!.device, via: host % 2 === 0 ? used.at(-1)!.neighbors[1]! : null },
      ]),
      rules: [
        { family: 4, priority: 32000, table },
        { family: 6, priority: 32000, table },
      ],
      flows: used
        .filter(({ device }) => BRIDGES.includes(device))
        .map(({ device }) => ({ bridge: device, flows: [`priority=900,ip,in_port=p,actions=mod_dl_dst:${mac},NORMAL`] })),
      bgp: announced ? { asNumber: 64513, routerId: null, table, ...(vrf !== undefined && { vrf }) } : null,
    };
  });

/** Objects of other writers, some where the agent would write. */
const others = fc.record({
  routes: some([
    { table: 1087, destination: "203.0.113.5/32", device: "br-two", via: "192.0.2.1", metric: null, plain: true, own: false },
    { table: 1087, destination: "2001:db8:9::6/128", device: "br-two", via: null, metric: 5, plain: true, own: false },
    { table: 1088, destination: "192.0.2.0/24", device: "br-two", via: null, metric: null, plain: false, own: false },
  ]),
  rules: some([
    { family: 4 as const, priority: 32000, table: 99, plain: true, own: false },
    { family: 6 as const, priority: 32000, table: 1087, plain: true, own: false },
    { family: 4 as const, priority: 100, table: 1087, plain: false, own: false },
  ]),
  addresses: some([
    { device: "br-ex", address: "169.254.0.1/32", own: false },
    { device: "br-two", address: "169.254.0.2/32", own: false },
  ]),
  neighbors: some([
    { device: "br-ex", address: "198.51.100.2", mac: "0a:00:00:00:00:99", own: false },
    { device: "br-two", address: "198.51.100.9", mac: "0a:00:00:00:00:98", own: false },
  ]),
  proxies: some([{ device: "br-ex", address: "2001:db8::1", own: false }]),
  flows: some([
    { bridge: "br-ex", rule: "priority=900,ip,in_port=p", actions: "drop", cookie: "0x0" },
    { bridge: "br-two", rule: "priority=1", actions: "NORMAL", cookie: "0x1" },
  ]),
});

function hostWith(foreign: (typeof others extends fc.Arbitrary<infer T> ? T : never) | undefined): HostModel {
  const model = new HostModel(BRIDGES);
  if (foreign) Object.assign(model, structuredClone(foreign));
  return model;
}

const foreignOf = (model: HostModel) =>
  [model.routes, model.rules, model.addresses, model.neighbors, model.proxies].map((list) => (list as { own: boolean }[]).filter(({ own }) => !own));

test("after an interruption at any step, the host reaches the desired state, and the next round changes nothing", () => {
  fc.assert(
    fc.property(state, state, fc.nat(60), fc.nat(60), (before, desired, first, second) => {
      const model = hostWith(undefined);
      plan(before, model.read(before))
        .steps.slice(0, first)
        .forEach((step) => model.take(step));
      plan(desired, model.read(desired))
        .steps.slice(0, second)
        .forEach((step) => model.take(step));
      expect(model.converge(desired)).toBe(0);
      const { devices: _, ...wanted } = desired;
      const sorted = Object.fromEntries(
        Object.entries(wanted).map(([name, value]) => [
          name,
          Array.isArray(value) ? (value as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
        ]),
      );
      expect(ownOf(model)).toEqual(sorted);
      if (desired.bgp?.vrf !== undefined) expect(desired.routes.filter(({ table, destination }) => !model.seen.has(`${table} ${destination}`))).toEqual([]);
      for (const device of desired.devices) {
        expect([device, model.links.get(device)]).toEqual([device, true]);
        const families = new Set<string>(
          desired.routes.filter((route) => route.device === device).map(({ destination }) => (destination.includes(":") ? "ipv6/" : "ipv4/")),
        );
        expect(
          [...model.sysctls].filter(
            ([path, value]) => path.includes(`/${device}/`) && families.has(path.slice(0, 5)) && value !== (path.endsWith("proxy_delay") ? "0" : "1"),
          ),
        ).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

test("objects of others are never changed or overwritten; conflicts are reported", () => {
  fc.assert(
    fc.property(others, state, state, fc.nat(60), (foreign, before, desired, first) => {
      const model = hostWith(foreign);
      const theirs = structuredClone([foreignOf(model), model.flows]);
      plan(before, model.read(before))
        .steps.slice(0, first)
        .forEach((step) => model.take(step));
      expect(model.converge(desired)).toBe(0);
      expect(foreignOf(model)).toEqual(theirs[0]);
      expect(model.flows.filter(({ cookie }) => ["0x0", "0x1"].includes(cookie))).toEqual(theirs[1]);
      expect(model.refused).toEqual([]);
      const { problems } = plan(desired, model.read(desired));
      const subjects = problems.map(({ subject }) => subject);
      for (const { table, destination } of desired.routes) {
        const here = model.routes.some((route) => route.own && route.table === table && route.destination === destination);
        expect([destination, here || subjects.includes(`route ${destination} of table ${table}`)]).toEqual([destination, true]);
      }
      // One problem reports all foreign routes that do not conflict, and names the first of them.
      const foreignRoutes = foreign.routes
        .filter(({ table }) => desired.bgp?.table === table)
        .map(({ table, destination }) => `route ${destination} of table ${table}`);
      expect(foreignRoutes.length === 0 || foreignRoutes.some((subject) => subjects.includes(subject))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("at each step of a change, every route has its path, every table its rule, and unchanged routes stay", () => {
  fc.assert(
    fc.property(state, state, (before, desired) => {
      const model = hostWith(undefined);
      model.converge(before);
      const stays = (route: { table: number; destination: string }) =>
        [before, desired].every(({ routes }) => routes.some((other) => other.table === route.table && other.destination === route.destination));
      // With a VRF device routes come again, for FRR to see them.
      const kept =
        desired.bgp?.vrf !== undefined && (desired.bgp.vrf !== before.bgp?.vrf || desired.bgp.table !== before.bgp.table) ? [] : desired.routes.filter(stays);
      const { steps } = plan(desired, model.read(desired));
      // A port that moves to another bridge takes its device with it.
      fc.pre(!steps.some((step) => step.kind === "port" && step.appears && before.taggedPorts.length > 0));
      // One expectation for all moments: each makes hundreds of functions.
      const wrong = steps.flatMap((step, moment) => {
        model.take(step);
        const own = model.routes.filter((route) => route.own);
        const missing = own.flatMap(({ device, via, table, destination }) => [
          ...(model.links.get(device) === true ? [] : [`${moment}: ${destination} without its device`]),
          ...(model.rules.some((rule) => rule.own && rule.table === table) ? [] : [`${moment}: ${destination} without a rule`]),
          ...(via === null || model.neighbors.some((found) => found.device === device && found.address === via)
            ? []
            : [`${moment}: ${destination} without its neighbour`]),
          ...(model.addresses.some((found) => found.device === device) ? [] : [`${moment}: ${destination} without an address`]),
        ]);
        const counts = kept.map((route) => own.filter(({ table, destination }) => route.table === table && route.destination === destination).length);
        return [...missing, ...counts.flatMap((count, index) => (count === 1 ? [] : [`${moment}: ${kept[index]!.destination} ${count} times`]))];
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("routes and neighbours after the steps equal the plan's prediction", () => {
  const sorted = (list: readonly object[]) => list.map((item) => JSON.stringify(item)).sort();
  fc.assert(
    fc.property(others, state, state, (foreign, before, desired) => {
      const model = hostWith(foreign);
      model.converge(before);
      const { steps, after } = plan(desired, model.read(desired));
      // With a device, or its last address, go routes that no step is about.
      fc.pre(!steps.some((step) => step.kind === "port" || (step.kind === "ip" && step.line.startsWith("address del"))));
      if (after === undefined) return;
      steps.forEach((step) => model.take(step));
      expect(sorted(after.neighbors)).toEqual(sorted(model.neighbors));
      // The kernel adds a metric to IPv6 routes without one.
      const known = (list: readonly LiveRoute[]) =>
        sorted(
          list
            .map((route) => ({ ...route, metric: route.own ? null : route.metric, destination: destinationText(route.destination) }))
            .map(({ table, destination, device, via, metric, own }) => ({ table, destination, device, via, metric, own })),
        );
      expect(known(after.routes)).toEqual(known(model.routes));
    }),
    { numRuns: 300 },
  );
});

test("a table with routes of others is not announced until they are removed; existing announcements stay", () => {
  const model = hostWith(undefined);
  const desired = fc.sample(
    state.filter(({ bgp, routes }) => bgp !== null && bgp.vrf === undefined && routes.length > 0),
    { numRuns: 1, seed: 1 },
  )[0]!;
  const foreign = { table: desired.bgp!.table, destination: "192.0.2.0/24", device: "br-two", via: null, metric: null, plain: true, own: false };
  model.routes.push(foreign);
  const first = plan(desired, model.read(desired));
  expect(first.steps.filter(({ kind }) => kind === "frr")).toEqual([]);
  expect(first.problems.map(({ code }) => code)).toEqual(["OVN_AGENT_FOREIGN_ROUTE"]);
  model.routes = [];
  for (const step of plan(desired, model.read(desired)).steps) model.take(step);
  expect(model.redistributed[4]).toHaveLength(1);
  model.routes.push(foreign);
  expect(plan(desired, model.read(desired)).steps).toEqual([]);
});

test("a route that covers an address of FRR's sessions is reported and not added, and an existing one is removed", () => {
  const route = (destination: string, via: string | null = null) => ({ table: 1087, destination, device: "br-ex", via });
  const desired: HostState = {
    ...NOTHING,
    devices: ["br-ex"],
    routes: [
      route("100.64.1.2/32"),
      route("100.64.1.3/32"),
      route("100.64.0.0/16", "198.51.100.2"),
      route("fd64::/64", "fe80::1"),
      route("fd65::/64", "fe80::1"),
    ],
    bgp: { asNumber: 64513, routerId: null, table: 1087 },
  };
  const model = hostWith(undefined);
  model.links.set("br-ex", true);
  model.converge(desired);
  expect(model.routes.filter(({ own }) => own)).toHaveLength(5);
  model.peers = ["100.64.1.2", "fd64::1", "not an address"];
  const { problems } = plan(desired, model.read(desired));
  expect(problems.map(({ code, subject }) => `${code} ${subject}`)).toEqual(
    ["100.64.1.2/32", "100.64.0.0/16", "fd64::/64"].map((destination) => `OVN_AGENT_HOST_NETWORK ${destination}`),
  );
  model.converge(desired);
  expect(model.routes.filter(({ own }) => own).map(({ destination }) => destination)).toEqual(["100.64.1.3/32", "fd65::/64"]);
});

describe("while FRR's sessions are unknown", () => {
  const route = (destination: string) => ({ table: 1087, destination, device: "br-ex", via: null });
  const bgp = { asNumber: 64513, routerId: null, table: 1087 };
  const before: HostState = {
    ...NOTHING,
    devices: ["br-ex"],
    rules: [{ family: 4, priority: 32000, table: 1087 }],
    routes: [route("198.51.100.5/32"), route("198.51.100.6/32")],
    bgp,
  };
  const after: HostState = { ...before, routes: [route("198.51.100.5/32"), route("100.64.1.2/32")] };
  const planned = (model: HostModel, state: HostState) => {
    const { steps, problems, after: ways } = plan(state, model.read(state));
    return {
      steps: steps.map((step) => (step.kind === "ip" ? step.line.split(" ").slice(0, 3).join(" ") : step.kind)),
      problems: problems.map(({ code, subject }) => `${code} ${subject}`),
      known: ways !== undefined,
    };
  };

  test("the last known sessions count", () => {
    const model = hostWith(undefined);
    model.converge(before);
    model.peers = ["100.64.1.2"];
    model.frrRuns = false;
    expect(planned(model, after)).toEqual({
      steps: ["route del 198.51.100.6/32"],
      problems: ["OVN_AGENT_HOST_NETWORK 100.64.1.2/32", "OVN_AGENT_FRR_DOWN FRR"],
      known: true,
    });
  });

  test("an agent that has not seen them adds no route and reports why; existing routes stay, undesired ones are removed", () => {
    const model = hostWith(undefined);
    model.converge(before);
    Object.assign(model, { frrRuns: false, frrSeen: false });
    expect(planned(model, after)).toEqual({ steps: ["route del 198.51.100.6/32"], problems: ["OVN_AGENT_FRR_DOWN FRR"], known: false });
    Object.assign(model, { frrRuns: true, frrSeen: true });
    expect(planned(model, after)).toEqual({ steps: ["route add 100.64.1.2/32", "route del 198.51.100.6/32"], problems: [], known: true });
  });

  test("it does not report a VRF's routes as added", () => {
    const model = hostWith(undefined);
    const state = { ...before, bgp: { ...bgp, vrf: "bgp-vrf" } };
    Object.assign(model, { frrRuns: false, frrSeen: false });
    expect(planned(model, state).steps).toEqual(["vrf", "sysctl", "sysctl", "sysctl", "rule add priority"]);
  });
});
