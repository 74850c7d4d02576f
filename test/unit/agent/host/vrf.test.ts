import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isVrfName } from "@pulumi-ovn/agent";
import {
  apply,
  frrVrfsIn as instancesIn,
  groupsOf,
  kernelVrfsIn as vrfsIn,
  type LiveFrr,
  type LiveKernel,
  type LiveVrf,
  type LiveVrfBgp,
  plan,
  planFrr,
  planVrf,
  type Step,
} from "@pulumi-ovn/agent/testing";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type HostState, NOTHING } from "@pulumi-ovn/provider/agent";
import { HostModel } from "../../../support/agent-host-model";

const NAME = "bgp-vrf";
const TABLE = 1087;
const bgp = { asNumber: 64513, routerId: null, table: TABLE, vrf: NAME };
const wanted: HostState = { ...NOTHING, bgp };
const device = (change: Partial<LiveVrf> = {}): LiveVrf => ({ name: NAME, table: TABLE, up: true, own: true, ...change });
const text = (step: Step): string =>
  step.kind === "ip" ? step.line : step.kind === "vrf" ? `make ${step.name} ${step.table}` : step.kind === "frr" ? step.lines.join(" / ") : step.kind;

describe("VRF devices", () => {
  test("are read from ip(8), which prints an empty object for other devices, also with a kernel without VRF", () => {
    const printed =
      '[{},{"ifname":"bgp-vrf","flags":["NOARP","MASTER","UP","LOWER_UP"],"group":"87","linkinfo":{"info_kind":"vrf","info_data":{"table":1087}}},{"ifname":"blue","flags":["NOARP","MASTER"],"group":"0","linkinfo":{"info_kind":"vrf","info_data":{"table":10}}},{}]';
    expect(vrfsIn(printed)).toEqual([device(), { name: "blue", table: 10, up: false, own: false }]);
    expect([vrfsIn("[{},{}]\n"), vrfsIn("")]).toEqual([[], []]);
  });

  const planned = (state: HostState, vrfs: readonly LiveVrf[], links: LiveKernel["links"] = {}) => {
    const { made, ready, removed, fresh, problem } = planVrf(state, { vrfs, links });
    return {
      made: made.map(text),
      ready: ready.map(text),
      removed: removed.map(text),
      fresh,
      ...(problem && { problem: `${problem.code} ${problem.message}` }),
    };
  };

  test("are created on request, set up after their routes, and removed on request", () => {
    expect(planned(wanted, [])).toEqual({ made: ["make bgp-vrf 1087"], ready: ["link set dev bgp-vrf up"], removed: [], fresh: true });
    expect(planned(wanted, [device({ up: false })])).toEqual({ made: [], ready: ["link set dev bgp-vrf up"], removed: [], fresh: true });
    expect(planned(wanted, [device()])).toEqual({ made: [], ready: [], removed: [], fresh: false });
    const gone = { made: [], ready: [], removed: ["link del dev bgp-vrf"], fresh: false };
    expect(planned(NOTHING, [device()])).toEqual(gone);
    expect(planned({ ...NOTHING, bgp: { asNumber: 64513, routerId: null, table: TABLE } }, [device()])).toEqual(gone);
  });

  test("with another table or name are removed before the new one is created; foreign ones stay", () => {
    const others = device({ name: "blue", table: 10, own: false });
    expect(planned(wanted, [device({ table: 5 }), others]).made).toEqual(["link del dev bgp-vrf", "make bgp-vrf 1087"]);
    expect(planned(wanted, [device({ name: "old" }), others]).made).toEqual(["link del dev old", "make bgp-vrf 1087"]);
    expect(planned(wanted, [device(), device({ name: "old", table: 5 })])).toEqual({ made: [], ready: [], removed: ["link del dev old"], fresh: false });
    expect(planned(NOTHING, [others])).toEqual({ made: [], ready: [], removed: [], fresh: false });
  });

  test("of others with the name or table are a problem, and nothing is created", () => {
    const refused = (problem: string) => ({ made: [], ready: [], removed: [], fresh: false, problem });
    const name =
      "OVN_AGENT_VRF_TAKEN VRF bgp-vrf is not made, and nothing new is announced: a device of this name exists and is not the agent's; choose another name";
    expect(planned(wanted, [device({ own: false })], { [NAME]: { up: true, index: 8 } })).toEqual(refused(name));
    expect(planned(wanted, [], { [NAME]: { up: true, index: 8 } })).toEqual(refused(name));
    expect(planned(wanted, [device(), device({ name: "blue", own: false })], { [NAME]: { up: true, index: 8 } })).toEqual(
      refused(
        "OVN_AGENT_VRF_TAKEN VRF bgp-vrf is not made, and nothing new is announced: table 1087 is that of VRF blue, which is not the agent's; give the exposures another table",
      ),
    );
  });

  test("have only names that ip(8) and vtysh do not read as something else", () => {
    const good = ["bgp-vrf", "v", "VRF_1.2", "123456789012345"];
    const bad = ["", "1234567890123456", "-x", ".", "..", ".x", "a b", "a/b", "a\nb", "a;b", "a%d", "ä", "default", "all", "route-map"];
    expect([good.filter(isVrfName), bad.filter(isVrfName)]).toEqual([good, []]);
  });
});

// As FRR 10.3 and 8.4.4 print them.
const TEN = `router bgp 64513
 no bgp default ipv4-unicast
 neighbor 10.0.0.2 remote-as 64512
 !
 address-family ipv4 unicast
  neighbor 10.0.0.2 activate
  import vrf bgp-vrf
  import vrf blue
  import vrf route-map some
 exit-address-family
 !
 address-family ipv6 unicast
  import vrf bgp-vrf
 exit-address-family
exit
!
router bgp 64513 vrf bgp-vrf
 !
 address-family ipv4 unicast
  redistribute kernel route-map pulumi-ovn-agent
 exit-address-family
 !
 address-family ipv6 unicast
  redistribute kernel route-map pulumi-ovn-agent
 exit-address-family
exit
!
router bgp 1.5 vrf green as-notation dot
 neighbor 10.0.0.3 remote-as 64512
 !
 address-family ipv4 unicast
  redistribute kernel route-map pulumi-ovn-agent
  redistribute kernel route-map pulumi-ovn-agents
 exit-address-family
exit
!
end
`;

const instance = (change: Partial<LiveVrfBgp> = {}): LiveVrfBgp => ({
  vrf: NAME,
  asNumber: 64513,
  redistributed: [4, 6],
  foreign: false,
  imported: [4, 6],
  ...change,
});

test("FRR's instances of VRFs: which lines are the agent's, and where they are imported", () => {
  expect(instancesIn(TEN)).toEqual([
    instance(),
    { vrf: "green", asNumber: 65541, redistributed: [4], foreign: true, imported: [] },
    { vrf: "blue", asNumber: null, redistributed: [], foreign: false, imported: [4] },
  ]);
  expect(instancesIn("router bgp 64513 vrf bgp-vrf\n!\nend\n")).toEqual([instance({ redistributed: [], imported: [] })]);
  expect(instancesIn("router bgp 64513\n address-family ipv4 unicast\n  import vrf blue\n")).toEqual([
    { vrf: "blue", asNumber: null, redistributed: [], foreign: false, imported: [4] },
  ]);
});

describe("the plan for FRR with a VRF", () => {
  const own = { how: "table-direct" as const, table: TABLE, own: true };
  const live = (change: Partial<LiveFrr & { running: true }> = {}): LiveFrr => ({
    running: true,
    version: 8,
    mark: false,
    imported: [],
    vrfs: [],
    bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [], 6: [] } },
    ...change,
  });
  const planned = (state: HostState, frr: LiveFrr) => {
    const { made, removed, problems } = planFrr(state, frr);
    return { made: made.map(text), removed: removed.map(text), problems: problems.map(({ code, message }) => `${code} ${message}`) };
  };
  const made = [
    "route-map pulumi-ovn-agent permit 10 / set tag 87",
    "router bgp 64513 vrf bgp-vrf / address-family ipv4 unicast / redistribute kernel route-map pulumi-ovn-agent",
    "router bgp 64513 vrf bgp-vrf / address-family ipv6 unicast / redistribute kernel route-map pulumi-ovn-agent",
    "router bgp 64513 / address-family ipv4 unicast / import vrf bgp-vrf",
    "router bgp 64513 / address-family ipv6 unicast / import vrf bgp-vrf",
  ];
  const removed = [
    "router bgp 64513 / address-family ipv4 unicast / no import vrf bgp-vrf",
    "router bgp 64513 / address-family ipv6 unicast / no import vrf bgp-vrf",
    "no router bgp 64513 vrf bgp-vrf",
  ];

  test("announces both families from the VRF by the instance without a VRF, in any version, and is then empty", () => {
    const routes = [{ table: TABLE, destination: "2001:db8::5/128", device: "br-ex", via: null }];
    expect(planned({ ...wanted, routes }, live())).toEqual({ made, removed: [], problems: [] });
    expect(planned({ ...wanted, routes }, live({ mark: true, vrfs: [instance()] }))).toEqual({ made: [], removed: [], problems: [] });
    expect(planned(wanted, live({ vrfs: [instance({ redistributed: [4], imported: [6] })] })).made).toEqual([made[0], made[2], made[3]]);
    expect(planned({ ...wanted, bgp: { ...bgp, routerId: "192.0.2.1" } }, live({ mark: true, vrfs: [instance()] })).made).toEqual([
      "router bgp 64513 / bgp router-id 192.0.2.1",
    ]);
  });

  test("replaces the table's own line before its removal, and in the other direction", () => {
    const direct = live({ version: 10, mark: true, bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: { 4: [own], 6: [] } } });
    expect(planned(wanted, direct)).toEqual({
      made: made.slice(1),
      removed: ["router bgp 64513 / address-family ipv4 unicast / no redistribute table-direct 1087"],
      problems: [],
    });
    const back = planned({ ...NOTHING, bgp: { asNumber: 64513, routerId: null, table: TABLE } }, live({ version: 10, mark: true, vrfs: [instance()] }));
    expect(back).toEqual({
      made: [4, 6].map((family) => `router bgp 64513 / address-family ipv${family} unicast / redistribute table-direct 1087 route-map pulumi-ovn-agent`),
      removed,
      problems: [],
    });
  });

  test("removes an instance with only the agent's lines, and only these lines from another instance", () => {
    expect(planned(NOTHING, live({ mark: true, vrfs: [instance()] })).removed).toEqual([...removed, "no route-map pulumi-ovn-agent"]);
    expect(planned(NOTHING, live({ mark: true, vrfs: [instance({ foreign: true, redistributed: [6] })] })).removed).toEqual([
      "router bgp 64513 vrf bgp-vrf / address-family ipv6 unicast / no redistribute kernel",
      "no route-map pulumi-ovn-agent",
    ]);
    const others = [instance({ redistributed: [] }), instance({ vrf: "blue", asNumber: null, redistributed: [] })];
    expect(planned(NOTHING, live({ vrfs: others })).removed).toEqual([]);
    expect(planned(NOTHING, live({ bgp: null, mark: true, vrfs: [instance({ imported: [] })] })).removed).toEqual([
      removed[2],
      "no route-map pulumi-ovn-agent",
    ]);
    expect(planned({ ...wanted, bgp: { ...bgp, vrf: "new" } }, live({ mark: true, vrfs: [instance()] })).removed).toEqual(removed);
  });

  test("changes nothing if the instance has foreign lines, or another AS", () => {
    const only = (problem: string) => ({ made: [], removed: [], problems: [problem] });
    expect(planned(wanted, live({ vrfs: [instance({ foreign: true })] }))).toEqual(
      only(
        "OVN_AGENT_FRR_VRF FRR's BGP instance of VRF bgp-vrf has lines that are not the agent's: choose another VRF, or remove them; nothing is changed in FRR",
      ),
    );
    expect(planned(wanted, live({ vrfs: [instance({ asNumber: 64999 })] }))).toEqual(
      only("OVN_AGENT_FRR_AS FRR runs AS 64999 in VRF bgp-vrf, and the agent's configuration has 64513; nothing is changed in FRR; make both equal"),
    );
    for (const how of ["table-direct", "table"] as const) {
      for (const family of [4, 6]) {
        const redistributed = { 4: [], 6: [], [family]: [{ how, table: TABLE, own: false }] };
        expect(planned(wanted, live({ bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed } }))).toEqual(
          only(
            `OVN_AGENT_FRR_VRF FRR redistributes table 1087 by a line of others ("redistribute ${how} 1087"), whose route-map a VRF would go past: remove it, or run the agent without --vrf; nothing is changed in FRR`,
          ),
        );
        const elsewhere = { 4: [], 6: [], [family]: [{ how, table: 5, own: false }] };
        expect(planned(wanted, live({ bgp: { asNumber: 64513, routerId: null, neighbors: [], redistributed: elsewhere } }))).toEqual({
          made,
          removed: [],
          problems: [],
        });
      }
    }
    expect(planned(wanted, live({ bgp: null })).problems).toEqual([
      'OVN_AGENT_FRR_BGP FRR has no BGP instance: configure "router bgp 64513" with its neighbours',
    ]);
  });

  test("reports that sessions in an operator's VRF are not supported, if there is no other instance; the agent's own VRF does not count", () => {
    const served = (vrfs: LiveVrfBgp[], state = wanted) => planned(state, live({ bgp: null, vrfs })).problems;
    const inVrf =
      'OVN_AGENT_FRR_BGP FRR has no BGP instance but that of VRF tenants, and sessions in a VRF are not served: configure "router bgp 64513" with its neighbours';
    const plain = 'OVN_AGENT_FRR_BGP FRR has no BGP instance: configure "router bgp 64513" with its neighbours';
    const tenants = instance({ vrf: "tenants", foreign: true });
    expect(served([tenants])).toEqual([inVrf]);
    expect(served([instance({}), tenants], { ...wanted, bgp: { ...wanted.bgp!, vrf: undefined } })).toEqual([
      'OVN_AGENT_FRR_BGP FRR has no BGP instance but that of VRF bgp-vrf, and sessions in a VRF are not served: configure "router bgp 64513" with its neighbours',
    ]);
    expect([served([instance({})]), served([instance({ vrf: "imported", asNumber: null })])]).toEqual([[plain], [plain]]);
  });
});

const route = (destination: string, table = TABLE) => ({ table, destination, device: "br-ex", via: null });
const state = (...destinations: string[]): HostState => ({
  ...wanted,
  devices: ["br-ex"],
  routes: destinations.map((destination) => route(destination)),
  rules: [{ family: 4, priority: 32000, table: TABLE }],
});

test("a removed device is created again, its routes are added again for FRR, and then it is set up", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(state("198.51.100.5/32", "2001:db8::5/128"));
  model.take({ kind: "ip", family: 4, line: "link del dev bgp-vrf", subject: "" });
  const { steps } = plan(state("198.51.100.5/32", "2001:db8::5/128"), model.read(wanted));
  expect(steps.map(text)).toEqual([
    "make bgp-vrf 1087",
    "route del 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87",
    "route add 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87",
    "route del 2001:db8::5/128 dev br-ex table 1087 metric 1024 protocol 87",
    "route add 2001:db8::5/128 dev br-ex table 1087 protocol 87",
    "link set dev bgp-vrf up",
  ]);
});

test("a device is set up only after all routes of both families, also if steps of a family are grouped", () => {
  const model = new HostModel(["br-ex"]);
  model.converge(state("198.51.100.5/32", "2001:db8::5/128"));
  model.take({ kind: "ip", family: 4, line: "link del dev bgp-vrf", subject: "" });
  const groups = groupsOf(plan(state("198.51.100.5/32", "2001:db8::5/128"), model.read(wanted)).steps).map((group) =>
    group.map((step) => text(step).split(" ").slice(0, 3).join(" ")),
  );
  expect(groups).toEqual([
    ["make bgp-vrf 1087"],
    ["route del 198.51.100.5/32", "route add 198.51.100.5/32"],
    ["route del 2001:db8::5/128", "route add 2001:db8::5/128"],
    ["link set dev"],
  ]);
});

test("steps of a device stay after its activation, although they could share a run with earlier steps of their family", () => {
  const ip = (family: 4 | 6, line: string): Step => ({ kind: "ip", family, line, subject: "" });
  const steps = [
    ip(6, "route del a"),
    ip(4, "link set dev br-ex up"),
    ip(4, "address add b"),
    ip(6, "address add c"),
    ip(4, "address add d"),
    ip(6, "route add e"),
  ];
  expect(groupsOf(steps).map((group) => group.map(text))).toEqual([
    ["route del a"],
    ["link set dev br-ex up"],
    ["address add b", "address add d"],
    ["address add c", "route add e"],
  ]);
  expect(groupsOf([ip(6, "route del a"), ip(4, "link set dev br-ex up"), ip(6, "address add c")]).map((group) => group.map(text))).toEqual([
    ["route del a"],
    ["link set dev br-ex up"],
    ["address add c"],
  ]);
});

test("while a foreign VRF prevents it, nothing is added, and removed routes are still withdrawn", () => {
  const model = new HostModel(["br-ex"]);
  const before = { ...state("198.51.100.5/32", "198.51.100.6/32"), bgp: { asNumber: 64513, routerId: null, table: TABLE } };
  model.converge(before);
  model.vrfs = [device({ name: "blue", own: false })];
  const { steps, problems } = plan(state("198.51.100.6/32", "198.51.100.7/32"), model.read(wanted));
  expect(steps.map(text)).toEqual(["route del 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87"]);
  expect(problems.map(({ code, subject }) => [code, subject])).toEqual([["OVN_AGENT_VRF_TAKEN", NAME]]);
});

test("with another table, a moved route keeps its old path until the device is created", () => {
  const model = new HostModel(["br-ex"]);
  const old = {
    ...state(),
    bgp: { asNumber: 64513, routerId: null, table: 5 },
    routes: ["198.51.100.5/32", "198.51.100.6/32"].map((destination) => route(destination, 5)),
  };
  model.converge(old);
  const words = plan(state("198.51.100.6/32"), model.read(wanted)).steps.map(text);
  expect(words.slice(0, 2)).toEqual(["route del 198.51.100.5/32 dev br-ex scope link table 5 protocol 87", "make bgp-vrf 1087"]);
  expect(words.indexOf("route del 198.51.100.6/32 dev br-ex scope link table 5 protocol 87")).toBeGreaterThan(words.indexOf("link set dev bgp-vrf up"));
});

test("on a kernel without VRF, the problem has a remedy, removed routes are withdrawn, and nothing is partly written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agent-vrf-"));
  const said = join(folder, "said");
  const ip = (line: string) =>
    writeFileSync(join(folder, "ip"), `#!/bin/sh\n{ echo "$*"; case "$*" in *-batch*) cat;; esac; } >> ${said}\n${line}\n`, { mode: 0o755 });
  const model = new HostModel(["br-ex"]);
  model.converge({ ...state("198.51.100.5/32"), bgp: { asNumber: 64513, routerId: null, table: TABLE } });
  const { steps } = plan(state("198.51.100.6/32"), model.read(wanted));
  expect(steps.map(({ kind }) => kind)).toEqual(["ip", "vrf", "ip", "ip", "frr", "frr", "frr", "frr", "frr", "frr"]);
  const place = { command: ["env", `PATH=${folder}:${process.env["PATH"]}`], vtysh: "/bin/false", timeout: 10 };
  const asked = [
    "-force -4 -batch -",
    "route del 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87",
    "link add name bgp-vrf group 87 type vrf table 1087",
  ];
  try {
    ip('case "$*" in link*) echo "Error: Unknown device type." >&2; exit 2;; esac');
    expect(await apply(place, undefined as unknown as OvsdbClient, steps)).toEqual([
      {
        code: "OVN_AGENT_VRF",
        subject: NAME,
        message:
          "the kernel makes no VRF device bgp-vrf (Unknown device type.), and nothing new is announced: load its module vrf, or run the agent without --vrf, which FRR 10 and later do not need",
      },
    ]);
    expect(readFileSync(said, "utf8").trim().split("\n")).toEqual(asked);
    rmSync(said);
    ip('case "$*" in link*) sleep 60;; esac');
    expect((await apply({ ...place, timeout: 0.5 }, undefined as unknown as OvsdbClient, steps)).map(({ code, subject }) => [code, subject])).toEqual([
      ["OVN_AGENT_PROGRAM", "vrf"],
    ]);
    expect(readFileSync(said, "utf8").trim().split("\n")).toEqual(asked);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
