import { astrayOf, planAstray, Settled } from "../../../../agent/host/astray";
import type { LiveFrr, LiveRoute } from "../../../../agent/host/live";

const bgp = { asNumber: 64513, routerId: null, table: 1087 };
const route = (destination: string) => ({ table: 1087, destination, device: "br-ex", via: null });
const kernel = (...destinations: string[]): LiveRoute[] => destinations.map((destination) => ({ ...route(destination), metric: null, plain: true, own: true }));
const origins = (prefixes: string[], filtered = false) => ({
  4: { prefixes: prefixes.filter((one) => !one.includes(":")), filtered },
  6: { prefixes: prefixes.filter((one) => one.includes(":")), filtered },
});
const frr = (more: object): LiveFrr => ({
  running: true,
  version: 10,
  mark: true,
  imported: [],
  vrfs: [],
  bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [], 6: [] } },
  ...more,
});
const originating = (...prefixes: string[]) => frr({ origins: origins(prefixes) });
const wanted = (...destinations: string[]) => ({ bgp, routes: destinations.map(route) });
const [A, B, C] = ["198.51.100.5/32", "2001:db8::5/128", "198.51.100.6/32"] as const;
const NONE = { stale: [], missing: [] };

test("stale is what FRR originates, and neither the kernel has nor anybody wants; missing is what both have, and FRR does not originate", () => {
  expect(astrayOf(wanted(A), kernel(A), originating(A, B))).toEqual({ stale: [B], missing: [] });
  expect(astrayOf(wanted(A, B), kernel(A, B, C), originating(C))).toEqual({ stale: [], missing: [A, B] });
  // It is on its way out, or in.
  expect(astrayOf(wanted(A), kernel(), originating(A))).toEqual(NONE);
  // An operator's route-map may keep something out.
  expect(astrayOf(wanted(A), kernel(A), frr({ origins: origins([B], true) }))).toEqual({ stale: [B], missing: [] });
  const problem = { code: "", subject: "", message: "" };
  expect(astrayOf(wanted(), kernel(), frr({ origins: origins([A]), zebra: problem }))).toEqual(NONE);
  expect(astrayOf(wanted(A), kernel(A), frr({}))).toEqual(NONE);
  expect(astrayOf(wanted(A), kernel(A), { running: false, silent: true, problem })).toEqual(NONE);
});

test("what FRR has just not taken yet does not count, and what was right in between begins again", () => {
  const settled = new Settled();
  const both = { stale: [A], missing: [B] };
  expect([settled.of(both, 0), settled.waits]).toEqual([NONE, true]);
  expect([settled.of(both, 5_000), settled.waits]).toEqual([{ stale: [A], missing: [] }, true]);
  expect([settled.of(both, 10_000), settled.waits]).toEqual([both, false]);
  expect([settled.of(NONE, 10_100), settled.waits]).toEqual([NONE, false]);
  expect([settled.of(both, 10_200), settled.waits]).toEqual([NONE, true]);
});

test("a stale prefix is added and deleted as a blackhole, but none that has come back; each kind is one problem", () => {
  const { made, problems } = planAstray(wanted(A), kernel(A), { stale: [B, C], missing: [A] });
  expect(made.map(({ family, line }) => `${family} ${line}`)).toEqual([
    "6 route add blackhole 2001:db8::5/128 table 1087 protocol 87",
    "6 route del blackhole 2001:db8::5/128 table 1087 protocol 87",
    "4 route add blackhole 198.51.100.6/32 table 1087 protocol 87",
    "4 route del blackhole 198.51.100.6/32 table 1087 protocol 87",
  ]);
  expect(problems.map(({ code, subject, message }) => `${code} ${subject} ${message.includes(" 2001:db8::5/128 and 1 more,")}`)).toEqual([
    "OVN_AGENT_STALE 2001:db8::5/128 true",
    "OVN_AGENT_NOT_ORIGINATED 198.51.100.5/32 false",
  ]);
  expect(planAstray(wanted(B), kernel(C), { stale: [B, C], missing: [A] })).toEqual({ made: [], problems: [] });
});
