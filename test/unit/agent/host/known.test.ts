import * as fc from "fast-check";
import { NOTHING, type HostState } from "../../../../agent/desired/host-state";
import { Known } from "../../../../agent/host/known";
import { plan } from "../../../../agent/host/plan";
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
const more: HostState = { ...base, routes: [...base.routes, route("198.51.100.6/32"), route("10.1.0.0/24", "198.51.100.6")], neighbors: [{ device: "br-ex", address: "198.51.100.6", mac: "0a:00:00:00:00:01" }] };

/** Of a host that is as the state says, and that is heard. */
function known(state = base) {
  const model = new HostModel(["br-ex", "br-two"]);
  expect(model.converge(state)).toBe(0);
  const it = new Known();
  it.hears();
  it.keep(state, model.read(state), it.moment, true);
  return { it, model };
}
const lines = (it: Known, state: HostState) => it.plan(state)?.steps.map((step) => (step.kind === "ip" ? step.line : step.kind));

test("other routes and neighbours follow from what is known, one state after the other, as from another look", () => {
  const { it, model } = known();
  for (const state of [more, { ...more, routes: [route("198.51.100.6/32"), route("10.1.0.0/24", "198.51.100.6", "br-ex"), route("198.51.100.7/32")] }, { ...base, routes: [] }, more, base]) {
    const planned = it.plan(state)!;
    expect(planned.steps.length).toBeGreaterThan(0);
    expect(planned.steps).toEqual(plan(state, model.read(state)).steps);
    planned.steps.forEach((step) => model.take(step));
    it.taken(planned);
    expect(lines(it, state)).toEqual([]);
    expect(model.converge(state, 1)).toBe(0);
  }
  expect(model.refused).toEqual([]);
});

test("what more than that changes needs a look: addresses, rules, flows, ports, devices, proxies, the instance, and a family that is new", () => {
  const { it } = known();
  const others: Partial<HostState>[] = [
    { addresses: [] }, { rules: [] }, { flows: [] }, { taggedPorts: [{ name: "bgp7-x", bridge: "br-ex", tag: 7, mac: "0a:00:00:00:00:01" }] }, { devices: ["br-ex", "br-two"] }, { proxies: [{ device: "br-ex", address: "2001:db8::" }] }, { bgp: { ...base.bgp!, table: 1088 } },
    { routes: [route("198.51.100.5/32", null, "br-two")] }, { routes: [{ ...route("198.51.100.5/32"), table: 1088 }] }, { neighbors: [{ device: "br-two", address: "198.51.100.6", mac: "0a:00:00:00:00:01" }] }, { routes: [route("2001:db8::5/128")] },
  ];
  for (const other of others) expect([other, lines(it, { ...base, ...other })]).toEqual([other, undefined]);
  expect(lines(it, more)).toHaveLength(3);
});

/** Few destinations, so that states have some of them in common. */
const place = fc.record({ table: fc.constant(1087), destination: fc.constantFrom("198.51.100.5/32", "198.51.100.6/32", "10.1.0.0/24", "10.1.0.0/25", "10.1.0.128/25"), device: fc.constant("br-ex"), via: fc.constantFrom(null, "198.51.100.5", "198.51.100.6") });
const states = fc.array(fc.uniqueArray(place, { selector: ({ destination }) => destination }).map((routes): HostState => ({ ...base, routes })), { minLength: 1, maxLength: 6 });
const FOREIGN = { ...route("10.1.0.0/25"), metric: null, plain: true, own: false };

test("from one state to the next by what differs: the steps and problems of a whole plan, also where routes of others are in the way", () => {
  fc.assert(fc.property(states, fc.boolean(), fc.boolean(), (list, foreign, same) => {
    const model = new HostModel(["br-ex", "br-two"]);
    model.converge(base);
    if (foreign) model.routes.push(FOREIGN);
    const it = new Known();
    it.hears();
    it.keep(base, model.read(base), it.moment, !foreign);
    const objects = new Map<string, HostState["routes"][number]>();
    for (const one of list) {
      // Of a state, routes that are there already may be the same objects, or others like them.
      const state = same ? { ...one, routes: one.routes.map((own) => objects.get(JSON.stringify(own)) ?? (objects.set(JSON.stringify(own), own), own)) } : structuredClone(one);
      const [planned, whole] = [it.plan(state)!, plan(state, model.read(state))];
      const sorted = (steps: typeof whole.steps) => steps.map((step) => JSON.stringify(step)).sort();
      expect(sorted(planned.steps)).toEqual(sorted(whole.steps));
      expect(planned.problems).toEqual(whole.problems);
      planned.steps.forEach((step) => model.take(step));
      it.taken(planned);
      expect(plan(state, model.read(state)).steps).toEqual([]);
    }
    expect(model.refused).toEqual([]);
  }));
});

test("what a change is planned by is the routes that differ, not all; all where something is a problem", () => {
  const { it, model } = known();
  const first = it.plan(more)!;
  expect([...first.part!].sort()).toEqual(["10.1.0.0/24", "198.51.100.6/32"]);
  it.taken(first);
  expect([...it.plan({ ...more, routes: more.routes.slice(0, 2) })!.part!]).toEqual(["10.1.0.0/24"]);
  // In the place of one that is not wanted yet.
  model.routes.push({ ...route("198.51.100.9/32"), metric: null, plain: true, own: false });
  it.forget();
  it.keep(base, model.read(base), it.moment, true);
  const inTheWay = route("198.51.100.9/32");
  const taken = it.plan({ ...base, routes: [...base.routes, inTheWay] })!;
  expect([taken.part, taken.problems.map(({ code }) => code)]).toEqual([undefined, ["OVN_AGENT_TAKEN"]]);
  it.taken(taken);
  const after = it.plan({ ...more, routes: [...more.routes, inTheWay] })!;
  expect([after.part, after.problems.map(({ code }) => code)]).toEqual([undefined, ["OVN_AGENT_TAKEN"]]);
});

test("nothing is known after news, while nothing is heard, or of a look in which there was news", () => {
  const { it, model } = known();
  const keep = (moment = it.moment) => (it.keep(base, model.read(base), moment, true), it.stands);
  expect(it.stands).toBe(true);
  it.forget();
  expect([it.stands, lines(it, more)]).toEqual([false, undefined]);
  const before = it.moment;
  it.forget();
  expect(keep(before)).toBe(false);
  expect(keep()).toBe(true);
  const began = it.moment;
  it.deaf();
  expect([it.stands, keep(), keep(began)]).toEqual([false, false, false]);
  const unheard = it.moment;
  it.hears();
  expect(keep(unheard)).toBe(false);
  const heard = it.moment;
  it.hears();
  expect(keep(heard)).toBe(true);
});

test("a host of which a part could not be read is not known", () => {
  const { it, model } = known();
  it.forget();
  it.keep(base, { ...model.read(base), problems: [{ code: "OVN_AGENT_SWITCH", subject: "Open vSwitch", message: "gone" }] }, it.moment, true);
  expect(it.stands).toBe(false);
});

test("nor where nothing can be tried at all, as the VRF is somebody else's", () => {
  const model = new HostModel(["br-ex"]);
  const state = { ...base, bgp: { ...base.bgp!, vrf: "bgp" } };
  model.links.set("bgp", true);
  const it = new Known();
  it.hears();
  it.keep(state, model.read(state), it.moment, true);
  expect([it.stands, plan(state, model.read(state)).problems.map(({ code }) => code), it.plan(state)]).toEqual([true, ["OVN_AGENT_VRF_TAKEN"], undefined]);
});

test("what others have stays in the way", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(base);
  model.routes.push({ ...route("198.51.100.6/32"), metric: null, plain: true, own: false });
  const it = new Known();
  it.hears();
  it.keep(base, model.read(base), it.moment, false);
  for (const state of [more, more]) {
    const planned = it.plan(state)!;
    expect(planned.problems.map(({ subject }) => subject)).toEqual(["route 198.51.100.6/32 of table 1087"]);
    it.taken(planned);
  }
  expect(lines(it, more)).toEqual([]);
});

test("without FRR's instance nothing is known for long: it may come with other sessions", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(base);
  const it = new Known();
  it.hears();
  const live = model.read(base);
  it.keep(base, { ...live, frr: { running: false, silent: false, problem: { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "down" } } }, it.moment, true);
  expect(it.stands).toBe(false);
  it.keep(base, { ...live, frr: { ...live.frr, bgp: null } as typeof live.frr }, it.moment, true);
  expect(it.stands).toBe(false);
  it.keep(base, live, it.moment, true);
  expect(it.stands).toBe(true);
});
