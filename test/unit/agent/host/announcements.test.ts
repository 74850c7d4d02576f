import { compareAnnouncements, LastingErrors, type LiveFrr, type LiveRoute, planAnnouncements } from "@pulumi-ovn/agent/testing";

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

test("stale prefixes are originated, not desired and not in the kernel; missing prefixes are desired and in the kernel, not originated", () => {
  expect(compareAnnouncements(wanted(A), kernel(A), originating(A, B))).toEqual({ stale: [B], missing: [] });
  expect(compareAnnouncements(wanted(A, B), kernel(A, B, C), originating(C))).toEqual({ stale: [], missing: [A, B] });
  // It is on its way out, or in.
  expect(compareAnnouncements(wanted(A), kernel(), originating(A))).toEqual(NONE);
  // An operator's route-map may keep something out.
  expect(compareAnnouncements(wanted(A), kernel(A), frr({ origins: origins([B], true) }))).toEqual({ stale: [B], missing: [] });
  const problem = { code: "", subject: "", message: "" };
  expect(compareAnnouncements(wanted(), kernel(), frr({ origins: origins([A]), zebra: problem }))).toEqual(NONE);
  expect(compareAnnouncements(wanted(A), kernel(A), frr({}))).toEqual(NONE);
  expect(compareAnnouncements(wanted(A), kernel(A), { running: false, silent: true, problem })).toEqual(NONE);
});

test("a blackhole of the agent is not a route: its prefix stays stale until FRR has withdrawn it", () => {
  const blackholes = kernel(B).map((route) => ({ ...route, plain: false }));
  expect(compareAnnouncements(wanted(A), [...kernel(A), ...blackholes], originating(A, B))).toEqual({ stale: [B], missing: [] });
});

test("a difference that FRR may not have processed yet is left out, and the time starts again when the difference ends in between", () => {
  const lasting = new LastingErrors();
  const both = { stale: [A], missing: [B] };
  expect([lasting.filter(both, 0), lasting.hasRecent]).toEqual([{ ...NONE, retry: false }, true]);
  expect([lasting.filter(both, 5_000), lasting.hasRecent]).toEqual([{ stale: [A], missing: [], retry: true }, true]);
  expect([lasting.filter(both, 10_000), lasting.hasRecent]).toEqual([{ ...both, retry: true }, false]);
  // Attempts are two seconds apart.
  expect([11_000, 11_999, 12_000].map((now) => lasting.filter(both, now).retry)).toEqual([false, false, true]);
  expect([lasting.filter(NONE, 12_100), lasting.hasRecent]).toEqual([{ ...NONE, retry: false }, false]);
  expect([lasting.filter(both, 12_200), lasting.hasRecent]).toEqual([{ ...NONE, retry: false }, true]);
});

test("a stale prefix is added as a blackhole, unless it is desired or in the table; each kind of error is one problem", () => {
  const retry = { stale: [B, C], missing: [A], retry: true };
  const { made, problems } = planAnnouncements(wanted(A), kernel(A), retry);
  expect(made.map(({ family, line }) => `${family} ${line}`)).toEqual([
    "6 route add blackhole 2001:db8::5/128 table 1087 protocol 87",
    "4 route add blackhole 198.51.100.6/32 table 1087 protocol 87",
  ]);
  expect(problems.map(({ code, subject, message }) => `${code} ${subject} ${message.includes(" 2001:db8::5/128 and 1 more,")}`)).toEqual([
    "OVN_AGENT_STALE 2001:db8::5/128 true",
    "OVN_AGENT_NOT_ORIGINATED 198.51.100.5/32 false",
  ]);
  expect(planAnnouncements(wanted(B), kernel(C), retry)).toEqual({ made: [], problems: [] });
  // Between two attempts, and while the blackhole exists, the problems stay.
  expect(planAnnouncements(wanted(A), kernel(A), { ...retry, retry: false })).toEqual({ made: [], problems });
  const blackholes = kernel(B, C).map((route) => ({ ...route, plain: false }));
  expect(planAnnouncements(wanted(A), [...kernel(A), ...blackholes], retry)).toEqual({ made: [], problems });
});
