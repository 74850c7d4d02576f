import { bgpIn, configure, hasMark, hasTag, importedIn, type LiveBgp, type LiveFrr, originsIn, planFrr, versionIn } from "@pulumi-ovn/agent/testing";
import { NOTHING } from "@pulumi-ovn/provider/agent";

// As FRR 10.3 prints it, with other instances in addition to the tested instance.
const RUNNING = `FRRouting 10.3 (node1) on Linux(6.18).
Building configuration...

Current configuration:
!
frr version 10.3
!
route-map pulumi-ovn-agent permit 10
exit
!
router bgp 64512 vrf blue
 bgp router-id 192.0.2.9
 !
 address-family ipv4 unicast
  redistribute table-direct 9
 exit-address-family
exit
!
router bgp 64513
 bgp router-id 172.18.0.111
 no bgp default ipv4-unicast
 neighbor fabric peer-group
 neighbor fabric remote-as external
 neighbor eth0 interface peer-group fabric
 neighbor 172.18.0.1 remote-as 64512
 neighbor 172.18.0.1 description neighbor 9.9.9.9 remote-as 1
 neighbor fd00::1 peer-group fabric
 !
 address-family ipv4 unicast
  redistribute connected
  redistribute table-direct 1087 route-map pulumi-ovn-agent
  redistribute table-direct 5 metric 3 route-map operators
  neighbor 172.18.0.1 activate
 exit-address-family
 !
 address-family ipv6 unicast
  redistribute table 6
 exit-address-family
 !
 address-family ipv4 vpn
  redistribute table-direct 77
 exit-address-family
exit
!
router bgp 64513 view x
exit
!
end
`;

describe("FRR's running configuration", () => {
  test("contains the instance without VRF, and the redistributed tables with their owner", () => {
    expect(bgpIn(RUNNING)).toEqual({
      asNumber: 64513,
      routerId: "172.18.0.111",
      neighbors: ["172.18.0.1", "fd00::1"],
      redistributed: {
        4: [
          { how: "table-direct", table: 1087, own: true },
          { how: "table-direct", table: 5, own: false },
        ],
        6: [{ how: "table", table: 6, own: false }],
      },
      otherSources: [4],
    });
    expect(versionIn(RUNNING)).toBe(10);
    expect(hasMark(RUNNING)).toBe(true);
  });

  test("AS numbers may be written in two halves, instances may be missing, and older versions end a block by a comment", () => {
    expect(bgpIn("router bgp 1.10 as-notation dot\n bgp router-id 1.1.1.1\n!\nrouter bgp 7 vrf x\n bgp router-id 2.2.2.2\n!\n")).toEqual({
      asNumber: 65_546,
      routerId: "1.1.1.1",
      neighbors: [],
      redistributed: { 4: [], 6: [] },
      otherSources: [],
    });
    expect(bgpIn("router bgp 64513\n!\nrouter ospf\n redistribute table 3\n!")).toEqual({
      asNumber: 64513,
      routerId: null,
      neighbors: [],
      redistributed: { 4: [], 6: [] },
      otherSources: [],
    });
    expect(bgpIn("router bgp 64512 vrf blue\n bgp router-id 192.0.2.9\nexit\n")).toBeNull();
    expect(versionIn("Hello, this is Quagga (version 1.2.4).")).toBeNull();
    expect(hasMark("route-map pulumi-ovn-agents permit 10\n")).toBe(false);
    expect(importedIn("!\nip import-table 87\nip import-table 88 distance 9\n no ip import-table 1\n")).toEqual([87, 88]);
  });
});

const live = (change: Partial<LiveFrr & { running: true }> = {}): LiveFrr & { running: true } => ({
  running: true,
  version: 10,
  mark: false,
  imported: [],
  vrfs: [],
  bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [], 6: [] } },
  ...change,
});
const bgp = { asNumber: 64513, routerId: null, table: 1087 };
const wanted = { ...NOTHING, bgp };
const own = (table: number, how: "table" | "table-direct" = "table-direct") => ({ how, table, own: true });
const lines = (plan: ReturnType<typeof planFrr>) => ({
  made: plan.made.map(({ daemon, lines: all }) => `${daemon}: ${all.join(" / ")}`),
  removed: plan.removed.map(({ daemon, lines: all }) => `${daemon}: ${all.join(" / ")}`),
  problems: plan.problems.map(({ code, message }) => `${code} ${message}`),
});

describe("prefixes that FRR originates from the table", () => {
  const path = (more: object) => ({ sourced: true, peer: { peerId: "0.0.0.0" }, ...more });
  const answer = JSON.stringify({
    routes: {
      "198.51.100.5/32": { paths: [path({ tag: 87 })] },
      "172.18.0.0/24": { paths: [path({})] },
      "203.0.113.0/24": { paths: [path({ local: true })] },
      "10.0.0.0/8": { paths: [{ peer: { peerId: "192.0.2.1" } }] },
    },
  });
  const of = (list: LiveBgp["redistributed"][4], more: Partial<LiveBgp> = {}, text = answer) =>
    originsIn(text, { ...live().bgp!, redistributed: { 4: list, 6: [] }, ...more }, 4);
  const operators = { how: "table-direct", table: 1087, own: false } as const;

  test("are those with the tag of the agent's line, or all redistributed prefixes of an operator's only line", () => {
    expect(of([own(1087)])).toEqual({ prefixes: ["198.51.100.5/32"], filtered: false });
    expect(of([operators])).toEqual({ prefixes: ["198.51.100.5/32", "172.18.0.0/24"], filtered: true });
    expect([of([operators], { otherSources: [4] }), of([]), of([own(1087)], {}, "% Unknown command")]).toEqual([undefined, undefined, undefined]);
  });

  test("the route-map of an earlier release gets the tag", () => {
    expect([hasTag("route-map pulumi-ovn-agent permit 10\nexit\n"), hasTag("route-map pulumi-ovn-agent permit 10\n set tag 87\nexit\n")]).toEqual([
      false,
      true,
    ]);
    const found = live({ mark: true, untagged: true, bgp: { ...live().bgp!, redistributed: { 4: [own(1087)], 6: [own(1087)] } } });
    expect(lines(planFrr(wanted, found)).made).toEqual(["bgpd: route-map pulumi-ovn-agent permit 10 / set tag 87"]);
    expect(lines(planFrr(NOTHING, found)).removed).toContain("bgpd: no route-map pulumi-ovn-agent");
  });

  test("zebra that does not answer is a problem as long as something is to be announced; bgpd is configured all the same", () => {
    const zebra = { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "zebra" };
    const planned = planFrr(wanted, live({ zebra }));
    expect([planned.made.length, planned.problems]).toEqual([3, [zebra]]);
    expect(planFrr(NOTHING, live({ zebra })).problems).toEqual([]);
  });
});

describe("the plan for FRR", () => {
  test("announces the table in both families, marked by a route-map", () => {
    expect(lines(planFrr(wanted, live()))).toEqual({
      made: [
        "bgpd: route-map pulumi-ovn-agent permit 10 / set tag 87",
        "bgpd: router bgp 64513 / address-family ipv4 unicast / redistribute table-direct 1087 route-map pulumi-ovn-agent",
        "bgpd: router bgp 64513 / address-family ipv6 unicast / redistribute table-direct 1087 route-map pulumi-ovn-agent",
      ],
      removed: [],
      problems: [],
    });
  });

  test("is empty if the table is already announced, also by an operator", () => {
    const nothing = { made: [], removed: [], problems: [] };
    expect(
      lines(
        planFrr(
          wanted,
          live({ mark: true, bgp: { asNumber: 64513, routerId: "192.0.2.1", neighbors: [], redistributed: { 4: [own(1087)], 6: [own(1087)] } } }),
        ),
      ),
    ).toEqual(nothing);
    const operators = { how: "table-direct" as const, table: 1087, own: false };
    expect(
      lines(planFrr(wanted, live({ bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [operators], 6: [operators] } } }))),
    ).toEqual(nothing);
    expect(lines(planFrr(NOTHING, live({ bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [operators], 6: [] } } })))).toEqual(
      nothing,
    );
    expect(lines(planFrr(NOTHING, live({ bgp: null })))).toEqual(nothing);
  });

  test("recreates the route-map that the lines need", () => {
    const { made } = lines(
      planFrr(wanted, live({ bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [own(1087)], 6: [own(1087)] } } })),
    );
    expect(made).toEqual(["bgpd: route-map pulumi-ovn-agent permit 10 / set tag 87"]);
  });

  test("announces another table before it withdraws the old one, and leaves what an operator announces", () => {
    const before = live({
      mark: true,
      bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [own(1000), { how: "table-direct", table: 5, own: false }], 6: [own(1087)] } },
    });
    expect(lines(planFrr(wanted, before))).toEqual({
      made: ["bgpd: router bgp 64513 / address-family ipv4 unicast / redistribute table-direct 1087 route-map pulumi-ovn-agent"],
      removed: ["bgpd: router bgp 64513 / address-family ipv4 unicast / no redistribute table-direct 1000"],
      problems: [],
    });
    expect(lines(planFrr(NOTHING, before)).removed).toEqual([
      "bgpd: router bgp 64513 / address-family ipv4 unicast / no redistribute table-direct 1000",
      "bgpd: router bgp 64513 / address-family ipv6 unicast / no redistribute table-direct 1087",
      "bgpd: no route-map pulumi-ovn-agent",
    ]);
  });

  test("sets a missing router id, and changes no existing one", () => {
    const named = { ...wanted, bgp: { ...bgp, routerId: "192.0.2.1" } };
    const announced = { mark: true, bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [own(1087)], 6: [own(1087)] } } };
    expect(lines(planFrr(named, live(announced)))).toEqual({ made: ["bgpd: router bgp 64513 / bgp router-id 192.0.2.1"], removed: [], problems: [] });
    expect(lines(planFrr(named, live({ ...announced, bgp: { ...announced.bgp, routerId: "192.0.2.1" } }))).made).toEqual([]);
    expect(lines(planFrr(named, live({ bgp: { ...announced.bgp, routerId: "192.0.2.2" } })))).toEqual({
      made: [],
      removed: [],
      problems: [
        "OVN_AGENT_FRR_ROUTER_ID FRR has router id 192.0.2.2, and the agent's configuration has 192.0.2.1; another one would end all sessions, so nothing is changed in FRR",
      ],
    });
  });

  test("reports a missing instance, one with another AS, and an unreachable FRR, and changes nothing", () => {
    const only = (problem: string) => ({ made: [], removed: [], problems: [problem] });
    expect(lines(planFrr(wanted, live({ bgp: null })))).toEqual(
      only('OVN_AGENT_FRR_BGP FRR has no BGP instance: configure "router bgp 64513" with its neighbours'),
    );
    expect(
      lines(planFrr(wanted, live({ mark: true, bgp: { asNumber: 64999, routerId: null, neighbors: [], redistributed: { 4: [own(5)], 6: [] } } }))),
    ).toEqual(only("OVN_AGENT_FRR_AS FRR runs AS 64999, and the agent's configuration has 64513; nothing is changed in FRR; make both equal"));
    const down: LiveFrr = { running: false, silent: false, problem: { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "down" } };
    expect(lines(planFrr(wanted, down))).toEqual(only("OVN_AGENT_FRR_DOWN down"));
    expect(lines(planFrr(NOTHING, down))).toEqual({ made: [], removed: [], problems: [] });
    // One that may run all the same keeps what it has.
    const silent: LiveFrr = { ...down, silent: true };
    expect(lines(planFrr(wanted, silent))).toEqual(only("OVN_AGENT_FRR_DOWN down"));
    expect(lines(planFrr(NOTHING, silent))).toEqual(
      only("OVN_AGENT_FRR_DOWN down; what its running configuration has of the agent's (lines with route-map pulumi-ovn-agent) is not withdrawn"),
    );
  });

  // Rendered by the manual of FRR 9; no such version was run.
  test("imports the table into zebra before version 10, and reports that IPv6 routes are not announced", () => {
    const nine = live({ version: 9 });
    const routes = [{ table: 87, destination: "2001:db8::5/128", device: "br-ex", via: null }];
    const desired = { ...wanted, bgp: { ...bgp, table: 87 } };
    expect(lines(planFrr({ ...desired, routes }, nine))).toEqual({
      made: [
        "zebra: ip import-table 87",
        "bgpd: route-map pulumi-ovn-agent permit 10 / set tag 87",
        "bgpd: router bgp 64513 / address-family ipv4 unicast / redistribute table 87 route-map pulumi-ovn-agent",
        "bgpd: router bgp 64513 / address-family ipv6 unicast / redistribute table 87 route-map pulumi-ovn-agent",
      ],
      removed: [],
      problems: ["OVN_AGENT_FRR_OLD FRR 9 announces no IPv6 routes of a table; version 10 does"],
    });
    const after = live({
      version: 9,
      mark: true,
      imported: [87],
      bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [own(87, "table")], 6: [own(87, "table")] } },
    });
    expect(lines(planFrr(desired, after))).toEqual({ made: [], removed: [], problems: [] });
    expect(lines(planFrr(NOTHING, after)).removed).toEqual([
      "bgpd: router bgp 64513 / address-family ipv4 unicast / no redistribute table 87",
      "bgpd: router bgp 64513 / address-family ipv6 unicast / no redistribute table 87",
      "zebra: no ip import-table 87",
      "bgpd: no route-map pulumi-ovn-agent",
    ]);
    expect(lines(planFrr({ ...desired, bgp: { ...bgp, table: 88 } }, after)).removed).toContain("zebra: no ip import-table 87");
  });
});

test("a text with several lines is never passed to vtysh", async () => {
  const problem = await configure(
    { command: [], vtysh: "/bin/true", timeout: 5 },
    { kind: "frr", daemon: "bgpd", lines: ["bgp router-id 10.0.0.1\nneighbor 203.0.113.9 remote-as 666"] },
  );
  expect(problem).toMatchObject({ code: "OVN_AGENT_FRR_REFUSED", message: expect.stringContaining("is more than one line") });
  expect(await configure({ command: [], vtysh: "/bin/true", timeout: 5 }, { kind: "frr", daemon: "bgpd", lines: ["bgp router-id 10.0.0.1"] })).toBeUndefined();
});
