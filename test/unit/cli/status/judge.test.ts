import { hostsOf, isProblem, type LiveHost, type LiveInterface, stateIn, type VpcFacts, vpcFacts, vpcSection, vpcsIn } from "@pulumi-ovn/cli/testing";
import { portNumbers } from "@pulumi-ovn/provider/testing";
import { vpcState } from "../../../support/vpc-state";
import { meetingPorts } from "../../vpc/meeting-ports";
import { changed, SAMPLE } from "../../vpc/sample";

const NONE = ["set", []];
const made: LiveInterface = { ofport: 3, error: NONE, link_state: "up", bfd_status: ["map", []] };
const fine = { missing: 0, surplus: 0 };
const [vpc] = vpcsIn(stateIn(JSON.stringify(vpcState(SAMPLE)), "it"));
const keys = [1001, 1002];

/** A host on which everything works. */
const working = (host: string): LiveHost => ({
  interfaces: Object.fromEntries(
    [
      "lr-blue",
      ...keys.flatMap((key) => [
        `br-t${key}`,
        ...hostsOf(vpc!)
          .filter((other) => other !== host)
          .map((other) => `t${key}-${other}`),
      ]),
    ].map((name) => [name, name.startsWith("br") ? { ...made, link_state: "down" } : made]),
  ),
  rows: { missing: [], changed: {}, taken: [] },
  switching: Object.fromEntries(keys.map((key) => [`br-t${key}`, fine])),
  routing: { enabled: fine, disabled: { missing: 0, surplus: 4 } },
  drops: [{ host, tier: "web", ingressAcl: 2 }],
});

function facts(change: (live: Record<string, LiveHost>) => void = () => {}, of = vpc!): VpcFacts {
  const live = Object.fromEntries(hostsOf(of).map((host) => [host, working(host)]));
  change(live);
  return vpcFacts(of, new Map(Object.entries(live)));
}
const interfaces = (host: LiveHost) => host.interfaces as Record<string, LiveInterface | undefined>;
const wrong = ({ hosts, bridges, tunnels, routers }: VpcFacts) => [
  ...hosts.filter(({ reached }) => !reached),
  ...[...bridges, ...tunnels, ...routers].filter(isProblem),
];

it("reports every host, bridge, tunnel by pair and tier, and logical router", () => {
  const all = facts();
  expect(all).toMatchObject({ name: "blue", virtualRouter: "h3", tiers: ["db", "web"], hosts: ["h1", "h2", "h3"].map((host) => ({ host, reached: true })) });
  expect(all.bridges.map(({ host, bridge, state }) => `${host} ${bridge} ${state}`)).toEqual([
    "h1 br-t1002 up",
    "h1 br-t1001 up",
    "h2 br-t1002 up",
    "h2 br-t1001 up",
    "h3 br-t1002 up",
    "h3 br-t1001 up",
  ]);
  expect(all.tunnels.map(({ tier, state, ends }) => `${ends.map((end) => `${end.host}:${end.interface}`).join(" ")} ${tier} ${state}`)).toEqual([
    "h1:t1002-h2 h2:t1002-h1 db up",
    "h1:t1001-h2 h2:t1001-h1 web up",
    "h1:t1002-h3 h3:t1002-h1 db up",
    "h1:t1001-h3 h3:t1001-h1 web up",
    "h2:t1002-h3 h3:t1002-h2 db up",
    "h2:t1001-h3 h3:t1001-h2 web up",
  ]);
  expect(all.routers).toEqual(["h1", "h2"].map((host) => ({ host, bridge: "lr-blue", state: "enabled" })));
  expect([wrong(all), vpcSection.problems([all])]).toEqual([[], 0]);
  expect(all.drops).toEqual(["h1", "h2", "h3"].map((host) => ({ host, tier: "web", ingressAcl: 2 })));
  expect(facts((live) => (live["h2"] = { ...live["h2"]!, drops: new Error("gone") })).drops.map(({ host }) => host)).toEqual(["h1", "h3"]);
});

it.each([
  ["missing", undefined, { state: "missing" }],
  ["refused by the switch", { ofport: -1, error: "could not add: File exists" }, { state: "error", detail: "could not add: File exists" }],
  ["without a port", { ofport: NONE, error: NONE }, { state: "error", detail: "no port of its bridge" }],
  ["without a link", { ...made, link_state: "down" }, { state: "down", detail: "its link is down" }],
  [
    "down by BFD",
    {
      ...made,
      bfd_status: [
        "map",
        [
          ["forwarding", "false"],
          ["state", "down"],
        ],
      ],
    },
    { state: "down", detail: "BFD is down" },
  ],
  [
    "that BFD has never seen",
    {
      ...made,
      bfd_status: [
        "map",
        [
          ["flap_count", "0"],
          ["state", "init"],
        ],
      ],
    },
    { state: "down", detail: "BFD has never been up" },
  ],
])("one end of a tunnel %s", (_, row, state) => {
  const found = facts((live) => (interfaces(live["h2"]!)["t1002-h3"] = row as LiveInterface));
  const end = { host: "h2", interface: "t1002-h3", ...state };
  expect(wrong(found)).toEqual([{ tier: "db", state: state.state, ends: [end, { host: "h3", interface: "t1002-h2", state: "up" }] }]);
});

it.each([
  [
    "a tunnel's interface",
    { changed: { "Interface t1002-h3": "options:remote_ip=192.0.2.9 instead of options:remote_ip=192.0.2.3" } },
    "tunnel error options:remote_ip=192.0.2.9 instead of options:remote_ip=192.0.2.3",
  ],
  [
    "a bridge",
    { changed: { "Bridge br-t1001": "fail_mode=standalone instead of fail_mode=secure" } },
    "br-t1001 error fail_mode=standalone instead of fail_mode=secure",
  ],
  [
    "a workload's port on another bridge",
    { changed: { "Port vm1": "on bridge other, not on br-t1001" } },
    "br-t1001 ports vm1: on bridge other, not on br-t1001",
  ],
  ["a workload's port on no bridge", { missing: ["vm1"] }, "br-t1001 ports vm1: on no bridge"],
])("a changed row: %s", (_, rows, seen) => {
  const [own] = vpcsIn(
    stateIn(JSON.stringify(vpcState(changed((args) => (args.workloads!["w1"] = { ...args.workloads!["w1"]!, host: "h2", port: "vm1" })))), "it"),
  );
  const found = facts((live) => (live["h2"] = { ...live["h2"]!, rows: { missing: [], changed: {}, taken: [], ...rows } }), own);
  expect([
    ...found.bridges.filter(isProblem).map(({ bridge, state, detail }) => `${bridge} ${state} ${detail}`),
    ...found.tunnels.filter(isProblem).map(({ state, ends }) => `tunnel ${state} ${ends.flatMap(({ detail }) => detail ?? []).join()}`),
  ]).toEqual([seen]);
});

it("counts active BFD as up, and a missing end before one that is down", () => {
  expect(wrong(facts((live) => (interfaces(live["h2"]!)["t1002-h3"] = { ...made, bfd_status: ["map", [["state", "up"]]] })))).toEqual([]);
  const found = facts((live) => ((interfaces(live["h2"]!)["t1002-h3"] = { ...made, link_state: "down" }), (interfaces(live["h3"]!)["t1002-h2"] = undefined)));
  expect(found.tunnels.find(isProblem)?.state).toBe("missing");
});

it.each([
  ["missing", (live: LiveHost) => void (interfaces(live)["br-t1001"] = undefined), { state: "missing" }],
  ["in error", (live: LiveHost) => void (interfaces(live)["br-t1001"] = { ofport: NONE, error: "no device" }), { state: "error", detail: "no device" }],
])("a bridge %s", (_, change, state) => {
  expect(facts((live) => change(live["h1"]!)).bridges.find(({ host, tier }) => host === "h1" && tier === "web")).toEqual({
    host: "h1",
    tier: "web",
    bridge: "br-t1001",
    ...state,
  });
});

it.each([
  [{ missing: 2, surplus: 0 }, "2 missing"],
  [{ missing: 0, surplus: 1 }, "1 too many"],
  [{ missing: 2, surplus: 1 }, "2 missing, 1 too many"],
])("a bridge whose flows differ: %j", (counts, detail) => {
  const found = facts((live) => (live["h1"] = { ...live["h1"]!, switching: { "br-t1002": fine, "br-t1001": counts } }));
  expect(wrong(found)).toEqual([{ host: "h1", tier: "web", bridge: "br-t1001", state: "flows", detail }]);
});

it("reports a bridge whose interface with port security has another number than its flows", () => {
  const [secured] = vpcsIn(
    stateIn(JSON.stringify(vpcState({ ...SAMPLE, workloads: { ...SAMPLE.workloads, w1: { ...SAMPLE.workloads!["w1"]!, portSecurity: true } } })), "it"),
  );
  const number = portNumbers(["tap1"]).get("tap1")!;
  const having = (ofport: unknown) => wrong(facts((live) => (interfaces(live["h1"]!)["tap1"] = { ...made, ofport }), secured));
  expect(having(7)).toEqual([
    {
      host: "h1",
      tier: "web",
      bridge: "br-t1001",
      state: "flows",
      detail: `port security does not know tap1: it has port number 7, not ${number}, which another port of its bridge has`,
    },
  ]);
  expect([having(number), having(NONE), having(-1), wrong(facts(undefined, secured))]).toEqual([[], [], [], []]);
});

it("accepts the requested numbers of interfaces whose numbers collide on two bridges", () => {
  const [first, second] = meetingPorts();
  const { w1, ...others } = SAMPLE.workloads!;
  const workloads = {
    ...others,
    w1: { ...w1!, port: second, portSecurity: true },
    d1: { tier: "db", host: "h1", mac: "0a:00:00:00:02:01", addresses: ["10.1.2.11"], port: first, portSecurity: true },
  };
  const [secured] = vpcsIn(stateIn(JSON.stringify(vpcState({ ...SAMPLE, workloads })), "it"));
  const ofport = portNumbers([first]).get(first)!;
  expect(wrong(facts((live) => Object.assign(interfaces(live["h1"]!), { [first]: { ...made, ofport }, [second]: { ...made, ofport } }), secured))).toEqual([]);
});

it("reports an unreachable host as one problem, and its parts as unknown", () => {
  const away = Object.assign(new Error("refused"), { code: "OVSDB_CONNECTION" });
  const found = facts((live) => (live["h2"] = { interfaces: away, rows: away, switching: away, routing: away, drops: away }));
  expect(wrong(found)).toEqual([{ host: "h2", reached: false, detail: "OVSDB_CONNECTION: refused" }]);
  expect(found.bridges.filter(({ state }) => state === "unknown").map(({ host }) => host)).toEqual(["h2", "h2"]);
  expect(found.tunnels.filter(({ state }) => state === "unknown")).toHaveLength(4);
  expect([found.routers.find(({ host }) => host === "h2")?.state, vpcSection.problems([found])]).toEqual(["unknown", 1]);
});

it("reports the database's facts of a host whose programs are unreachable", () => {
  const away = Object.assign(new Error("ssh ended with status 255"), { code: "OVN_HOST_UNREACHABLE" });
  const found = facts((live) => (live["h2"] = { ...live["h2"]!, switching: away, routing: away }));
  expect(found.hosts[1]).toEqual({ host: "h2", reached: false, detail: "OVN_HOST_UNREACHABLE: ssh ended with status 255" });
  expect([new Set(found.tunnels.map(({ state }) => state)), found.bridges.filter(({ host }) => host === "h2").map(({ state }) => state)]).toEqual([
    new Set(["up"]),
    ["unknown", "unknown"],
  ]);
});

it("reports a switch that does not answer as an error of a reachable host", () => {
  const dead = Object.assign(new Error("bridge does not answer"), { code: "OVN_BRIDGE_UNREACHABLE" });
  const found = facts((live) => (live["h1"] = { ...live["h1"]!, switching: dead, routing: dead }));
  expect([found.hosts[0], found.bridges[0]?.state, found.routers[0]?.state]).toEqual([{ host: "h1", reached: true }, "flows", "flows"]);
});

it("reports a host without its resources after an interrupted update", () => {
  const [cut] = vpcsIn(stateIn(JSON.stringify(vpcState(SAMPLE, { without: ["LogicalRouterBridge h1", "VpcBridges h2", "LogicalRouterBridge h2"] })), "it"));
  const found = facts((live) => (interfaces(live["h1"]!)["t1001-h3"] = undefined), cut);
  expect(found.hosts.map(({ host }) => host)).toEqual(["h1", "h3"]);
  expect(found.routers).toEqual([
    { host: "h1", bridge: "lr-blue", state: "missing", detail: "the stack has no logical router for this host; was an update interrupted?" },
  ]);
});
