import {
  type AgentHealth,
  bgpSection,
  type ChassisFacts,
  exposedTablesOf,
  exposureFacts,
  type ExposureInState,
  type LiveChassis,
} from "@pulumi-ovn/cli/testing";

const ovn: ExposureInState = { name: "exposure", zone: "z", mode: "ovn", announced: { h1: ["198.51.100.5/32", "10.1.0.0/24"] }, tables: { h1: [1201] } };
const agent: ExposureInState = { name: "exposure", zone: "z", mode: "agent", announced: {}, tables: { h1: [1200] } };
const health: AgentHealth = { healthy: true, chassis: "h1", problems: [], announced: ["10.1.0.0/24", "198.51.100.5/32"] };

const originated = (...prefixes: string[]) => new Map(prefixes.map((prefix) => [prefix, { byAgent: false }]));

/** A chassis on which everything works. */
const working = (change: Partial<LiveChassis> = {}): LiveChassis => ({
  kernel: new Map([
    [1201, ["10.1.0.0/24", "198.51.100.5/32"]],
    [1200, ["10.1.0.0/24", "198.51.100.5/32"]],
  ]),
  frr: originated("10.1.0.0/24", "198.51.100.5/32", "192.0.2.0/24"),
  agent: undefined,
  ...change,
});
const judged = (exposure: ExposureInState, live: LiveChassis | Error): ChassisFacts => exposureFacts(exposure, new Map([["h1", live]])).chassis[0]!;
const routes = (facts: ChassisFacts) => facts.routes.map(({ prefix, state }) => `${prefix} ${state}`);
const errors = (exposure: ExposureInState, live: LiveChassis | Error) => bgpSection.problems([exposureFacts(exposure, new Map([["h1", live]]))]);

it.each([
  ["ovn", ovn, working()],
  ["agent", agent, working({ agent: health })],
])("mode %s: all prefixes are announced, and an operator's prefixes are no errors", (_, exposure, live) => {
  expect(judged(exposure, live)).toEqual({
    chassis: "h1",
    tables: exposure.tables["h1"],
    reached: true,
    problems: [],
    routes: [
      { prefix: "10.1.0.0/24", state: "announced" },
      { prefix: "198.51.100.5/32", state: "announced" },
    ],
  });
  expect(errors(exposure, live)).toBe(0);
});

it.each<[string, Partial<LiveChassis>, string[]]>([
  ["not in the table", { kernel: new Map([[1201, ["10.1.0.0/24"]]]) }, ["10.1.0.0/24 announced", "198.51.100.5/32 missing"]],
  [
    "only in another exposure's table",
    {
      kernel: new Map([
        [1201, ["10.1.0.0/24"]],
        [1202, ["198.51.100.5/32"]],
      ]),
    },
    ["10.1.0.0/24 announced", "198.51.100.5/32 missing"],
  ],
  ["not taken by FRR", { frr: originated("10.1.0.0/24") }, ["10.1.0.0/24 announced", "198.51.100.5/32 not-originated"]],
  [
    "more than should be",
    { kernel: new Map([[1201, ["10.1.0.0/24", "198.51.100.5/32", "198.51.100.9/32"]]]) },
    ["10.1.0.0/24 announced", "198.51.100.5/32 announced", "198.51.100.9/32 unexpected"],
  ],
])("mode ovn: %s", (_, change, expected) => {
  expect(routes(judged(ovn, working(change)))).toEqual(expected);
  expect(errors(ovn, working(change))).toBe(1);
});

it("mode agent: the agent's answer has the expected prefixes, not the state", () => {
  const live = working({ agent: { ...health, announced: ["198.51.100.7/32"] } });
  expect(routes(judged({ ...agent, announced: { h1: ["192.0.2.1/32"] } }, live))).toEqual([
    "10.1.0.0/24 unexpected",
    "198.51.100.5/32 unexpected",
    "198.51.100.7/32 missing",
  ]);
});

it("mode agent: a tagged prefix that neither the table nor the agent has is unexpected; it is ignored without the agent's answer", () => {
  const frr = new Map([...originated("10.1.0.0/24", "198.51.100.5/32", "192.0.2.0/24"), ["198.51.100.9/32", { byAgent: true }]]);
  expect([routes(judged(agent, working({ frr, agent: health }))), errors(agent, working({ frr, agent: health }))]).toEqual([
    ["10.1.0.0/24 announced", "198.51.100.5/32 announced", "198.51.100.9/32 unexpected"],
    1,
  ]);
  expect(routes(judged(agent, working({ frr, agent: new Error("no answer") })))).toEqual(["10.1.0.0/24 unknown", "198.51.100.5/32 unknown"]);
});

it("shows each of an agent's problems with its code", () => {
  const problems = [
    { code: "OVN_AGENT_NOT_MAPPED", subject: "blue", message: "no bridge of this host is mapped" },
    { code: "OVN_AGENT_OVERLAP", subject: "a and b", message: "both have it" },
  ];
  const live = working({ agent: { ...health, healthy: false, problems } });
  expect(judged(agent, live).problems).toEqual([
    { source: "agent", code: "OVN_AGENT_NOT_MAPPED", message: "no bridge of this host is mapped" },
    { source: "agent", code: "OVN_AGENT_OVERLAP", message: "both have it" },
  ]);
  expect(errors(agent, live)).toBe(2);
});

it("reports an agent that does not answer, and unknown announcements", () => {
  const facts = judged(agent, working({ agent: new Error("no agent answers at 127.0.0.1:9475") }));
  expect(facts.problems).toEqual([{ source: "agent", code: null, message: "no agent answers at 127.0.0.1:9475" }]);
  expect(routes(facts)).toEqual(["10.1.0.0/24 unknown", "198.51.100.5/32 unknown"]);
  expect(errors(agent, working({ agent: new Error("no") }))).toBe(1);
});

it.each([
  ["has not compared the host yet", { ...health, healthy: false, announced: [] }, "the agent has just started: it has not compared the host yet"],
  ["is another chassis's", { ...health, chassis: "h2" }, "the agent of chassis h2 answers: the host of this name in the file of targets is another one"],
])("an agent that %s", (_, one, message) => {
  expect(judged(agent, working({ agent: one })).problems).toEqual([{ source: "agent", code: null, message }]);
});

it("ignores the agent for an exposure of the other mode on the same chassis", () => {
  expect(judged(ovn, working({ agent: new Error("no agent answers") })).problems).toEqual([]);
});

it("reports an unreachable chassis as one problem with its reason, and unknown announcements", () => {
  const unreached = Object.assign(new Error('host "h1" is not configured'), { code: "OVN_HOST" });
  expect(judged(ovn, unreached)).toEqual({
    chassis: "h1",
    tables: [1201],
    reached: false,
    detail: 'OVN_HOST: host "h1" is not configured',
    problems: [],
    routes: [
      { prefix: "10.1.0.0/24", state: "unknown" },
      { prefix: "198.51.100.5/32", state: "unknown" },
    ],
  });
  expect(errors(ovn, unreached)).toBe(1);
});

it.each([
  ["kernel", "10.1.0.0/24 unknown,198.51.100.5/32 unknown"],
  ["frr", "10.1.0.0/24 unknown,198.51.100.5/32 unknown"],
] as const)("%s that does not answer is a problem, and hides nothing of the rest", (part, expected) => {
  const facts = judged(ovn, working({ [part]: new Error("it failed") }));
  expect(facts.problems).toEqual([{ source: part, code: null, message: "it failed" }]);
  expect(routes(facts).join()).toBe(expected);
  expect(errors(ovn, working({ [part]: new Error("it failed") }))).toBe(1);
});

it("reports a route that the kernel lacks as missing, also without an answer of FRR", () => {
  expect(routes(judged(ovn, working({ frr: new Error("it failed"), kernel: new Map([[1201, []]]) })))).toEqual([
    "10.1.0.0/24 missing",
    "198.51.100.5/32 missing",
  ]);
});

it("asks a chassis of several exposures once, for all their tables", () => {
  const second = { ...ovn, tables: { h1: [1199, 1201], h2: [7] } };
  expect([...exposedTablesOf([ovn, agent, second])]).toEqual([
    ["h1", { tables: [1199, 1200, 1201], agent: true }],
    ["h2", { tables: [7], agent: false }],
  ]);
});
