import {
  agentFacts,
  type BridgeFacts,
  problemsOf,
  seenBy,
  statusJson,
  type StatusSeen as Seen,
  statusText,
  type Table,
  type TunnelFacts,
  type VpcFacts,
  vpcTables,
} from "@pulumi-ovn/cli/testing";
import { Connections } from "@pulumi-ovn/provider/targets";

const seen = (name: string, problems: number, ...tables: Table[]): Seen => ({ name, facts: { of: name }, problems, tables: () => tables });
const table: Table = {
  title: "Things",
  columns: ["NAME", "STATE"],
  rows: [
    { cells: ["a", "up"], error: false },
    { cells: ["longer", "down\n\u001b[31m"], error: true },
  ],
  note: "and 3 more",
};

it("aligns columns, marks errors, and shows control characters as text", () => {
  expect(statusText([seen("one", 1, table), seen("two", 0, { title: "None", columns: ["X"], rows: [] })], { all: false }, false)).toBe(
    ["Things", "   NAME    STATE", "   a       up", "!  longer  down\\u{a}\\u{1b}[31m", "   and 3 more", "", "None", ""].join("\n"),
  );
});

it("has errors in red", () => {
  expect(
    statusText([seen("one", 1, table)], { all: false }, true)
      .split("\n")
      .filter((line) => line.includes("\u001b")),
  ).toEqual(["\u001b[31m!  longer  down\\u{a}\\u{1b}[31m\u001b[0m"]);
});

it("has one object for programs, with a member for each section", () => {
  const both = [seen("one", 1), seen("two", 2)];
  expect(statusJson({ project: "net", stack: "dev" }, both)).toEqual({
    version: 1,
    project: "net",
    stack: "dev",
    problems: 3,
    one: { of: "one" },
    two: { of: "two" },
  });
  expect(statusJson({ project: undefined, stack: undefined }, [])).toEqual({ version: 1, project: null, stack: null, problems: 0 });
  expect([problemsOf(both), problemsOf([])]).toEqual([3, 0]);
});

const LOOK = { agent: { host: "127.0.0.1", port: 9475 }, vpcAgent: { host: "127.0.0.1", port: 9476 } };

it("omits a section without objects", async () => {
  const section = {
    name: "x",
    observe: ({ stack }: { stack: string | undefined }) => Promise.resolve(stack === "dev" ? [1, 2] : undefined),
    tables: (facts: number[]) => [{ ...table, title: String(facts.length) }],
    problems: (facts: number[]) => facts.length,
  };
  const state = { project: "net", source: "the state", resources: [] };
  expect(await seenBy(section, { ...state, stack: "other" }, new Connections({}), LOOK)).toBeUndefined();
  const found = await seenBy(section, { ...state, stack: "dev" }, new Connections({}), LOOK);
  expect([found?.name, found?.problems, found?.facts, found?.tables({ all: false })[0]?.title]).toEqual(["x", 2, [1, 2], "2"]);
});

describe("a VPC", () => {
  const bridge = (state: BridgeFacts["state"], detail?: string): BridgeFacts => ({
    host: "h1",
    tier: "web",
    bridge: "br-t1",
    state,
    ...(detail !== undefined && { detail }),
  });
  const tunnel = (state: TunnelFacts["state"], detail?: string): TunnelFacts => ({
    tier: "web",
    state,
    ends: [
      { host: "h1", interface: "t1-h2", state, ...(detail !== undefined && { detail }) },
      { host: "h2", interface: "t1-h1", state: "up" },
    ],
  });
  const facts: VpcFacts = {
    name: "blue",
    virtualRouter: "h2",
    tiers: ["web"],
    hosts: [
      { host: "h1", reached: true },
      { host: "h2", reached: true },
      { host: "h3", reached: false, detail: "OVN_HOST_UNREACHABLE: gone" },
    ],
    bridges: [bridge("up"), bridge("flows", "2 missing"), bridge("unknown")],
    tunnels: [tunnel("up"), tunnel("error", "File exists")],
    routers: [
      { host: "h1", bridge: "lr-blue", state: "fallback", detail: "t1-h2: File exists" },
      { host: "h3", bridge: "lr-blue", state: "unknown" },
    ],
    drops: [],
    agents: [],
  };
  const cells = (tables: Table[]) => tables.map(({ rows }) => rows.map((row) => [row.error ? "!" : "", ...row.cells].join("|")));

  it("shows its hosts, errors of bridges, and tunnels by pair and tier", () => {
    const tables = vpcTables(facts, { all: false });
    expect(tables.map(({ title }) => title)).toEqual(["VPC blue: 3 hosts, 1 tier", "VPC blue: bridges", "VPC blue: tunnels"]);
    expect(cells(tables)).toEqual([
      ["!|h1|yes|1 of 2 up|fallback|t1-h2: File exists", "|h2|yes|1 of 2 up|virtual router|", "!|h3|no|0 of 0 up|unknown|OVN_HOST_UNREACHABLE: gone"],
      ["!|h1|web|br-t1|flows|2 missing"],
      ["|h1 - h2|web|up|", "!|h1 - h2|web|error|t1-h2 on h1: File exists"],
    ]);
    expect(tables.map(({ note }) => note)).toEqual([undefined, "2 more bridges: 1 not known, 1 up; --all shows them", undefined]);
  });

  it("shows all parts on request", () => {
    const tables = vpcTables(facts, { all: true });
    expect([cells(tables)[1], tables[1]?.note]).toEqual([["|h1|web|br-t1|up|", "!|h1|web|br-t1|flows|2 missing", "|h1|web|br-t1|unknown|"], undefined]);
  });

  it("shows dropped packets if there are any, and all counters on request; none is an error", () => {
    const drops = [
      { host: "h1", tier: "app", portSecurity: 0, egressAcl: 0, ingressAcl: 0 },
      { host: "h1", tier: "web", portSecurity: 12, egressAcl: 0, ingressAcl: 3 },
      { host: "h2", tier: "web", portSecurity: 1 },
      { host: "h3", tier: "web", egressAcl: 0, ingressAcl: 7 },
    ];
    const table = (all: boolean) => vpcTables({ ...facts, drops }, { all })[3]!;
    const some = ["|h1|web|12|0|3", "|h2|web|1|-|-", "|h3|web|-|0|7"];
    expect([table(false).title, table(false).columns, cells([table(false)])[0]]).toEqual([
      "VPC blue: dropped packets",
      ["HOST", "TIER", "PORT SECURITY", "EGRESS ACL", "INGRESS ACL"],
      some,
    ]);
    expect(cells([table(true)])[0]).toEqual(["|h1|app|0|0|0", ...some]);
    expect(vpcTables({ ...facts, drops: drops.slice(0, 1) }, { all: false })).toHaveLength(3);
  });

  it("shows its agents with their repairs, and silent ones as errors", () => {
    const health = { problems: [], resources: [], busySince: null, lastChange: "2026-11-23T10:00:00.000Z", changes: 7 };
    const problem = { code: "OVN_AGENT_FALLBACK", subject: "urn", message: "packets go through the virtual router: t1-h2: BFD is down" };
    const agents = [
      agentFacts("h1", health),
      agentFacts("h2", { ...health, problems: [problem] }),
      agentFacts("h3", "no agent answers at 127.0.0.1:9476"),
      agentFacts("h4", new Error("not reached")),
    ];
    const table = vpcTables({ ...facts, agents }, { all: false })[3]!;
    expect([table.title, cells([table])[0]]).toEqual([
      "VPC blue: agents",
      [
        "|h1|running|7|2026-11-23T10:00:00.000Z|",
        `!|h2|problems|7|2026-11-23T10:00:00.000Z|OVN_AGENT_FALLBACK: ${problem.message}`,
        "!|h3|silent|-|-|no agent answers at 127.0.0.1:9476",
        "|h4|unknown|-|-|",
      ],
    ]);
  });

  it("shows only erroneous ones of many tunnels", () => {
    const many = { ...facts, tunnels: [...Array.from({ length: 40 }, () => tunnel("up")), tunnel("missing")] };
    const [, , tunnels] = vpcTables(many, { all: false });
    expect([cells([tunnels!])[0], tunnels?.note]).toEqual([["!|h1 - h2|web|missing|t1-h2 on h1: missing"], "40 more tunnels: 40 up; --all shows them"]);
    expect(vpcTables(many, { all: true })[2]?.rows).toHaveLength(41);
    expect(vpcTables({ ...many, tunnels: many.tunnels.slice(0, 40) }, { all: false })[2]?.rows).toHaveLength(40);
  });
});
