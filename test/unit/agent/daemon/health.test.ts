import { type Health, listenAddress, NOTHING, type Problem, type Snapshot } from "@pulumi-ovn/agent";
import { type Convergence, type Ended, healthOf, Journal, metricsText, type Work } from "@pulumi-ovn/agent/testing";
import { EMPTY_SNAPSHOT } from "../../../support/agent-input";

const problem = (code: string, subject = "x"): Problem => ({ code, subject, message: "words" });
const route = (destination: string) => ({ table: 1300, destination, device: "br-ex", via: null });
const ROUND: Ended<Convergence> = {
  at: Date.UTC(2026, 0, 2),
  took: 250,
  changed: 3,
  failed: false,
  within: 300,
  problems: [],
  wanted: { ...NOTHING, routes: [route("198.51.100.5/32"), route("10.1.0.0/24")] },
};
const seen = (snapshot: Snapshot | null, told: Problem[], loop: Partial<Work<Convergence>>, problems = told) =>
  healthOf({ current: () => snapshot, problems: () => told }, { last: undefined, lastChange: undefined, ...loop }, problems);

test("health is good after a round without problems", () => {
  expect(seen(EMPTY_SNAPSHOT, [], { last: ROUND, lastChange: Date.UTC(2026, 0, 2, 0, 0, 1) })).toEqual({
    healthy: true,
    chassis: "node1",
    problems: [],
    connections: { openvswitch: true, southbound: true },
    lastConverge: { at: "2026-01-02T00:00:00.000Z", seconds: 0.25, changed: 3 },
    lastChange: "2026-01-02T00:00:01.000Z",
    announced: ["10.1.0.0/24", "198.51.100.5/32"],
  });
});

test("health is bad before the first round and with a problem; problems with a connection's code mark it as lost", () => {
  expect(seen(null, [], {})).toMatchObject({
    healthy: false,
    chassis: null,
    lastConverge: null,
    lastChange: null,
    announced: [],
    connections: { openvswitch: false, southbound: false },
  });
  expect(seen(EMPTY_SNAPSHOT, [], {}).healthy).toBe(false);
  expect(seen(EMPTY_SNAPSHOT, [], { last: ROUND }, [problem("OVN_AGENT_OVERLAP")])).toMatchObject({
    healthy: false,
    connections: { openvswitch: true, southbound: true },
  });
  const connections = (code: string) => seen(EMPTY_SNAPSHOT, [problem(code)], { last: ROUND }).connections;
  expect(connections("OVN_AGENT_SOUTHBOUND")).toEqual({ openvswitch: true, southbound: false });
  expect(connections("OVN_AGENT_NO_REMOTE")).toEqual({ openvswitch: true, southbound: false });
  expect(connections("OVN_AGENT_OPENVSWITCH")).toEqual({ openvswitch: false, southbound: true });
});

test("metrics have one line per value, and problems by code", () => {
  const health: Health = { ...seen(EMPTY_SNAPSHOT, [problem("OVN_B"), problem("OVN_A", "y"), problem("OVN_B", "z")], { last: ROUND }) };
  const lines = metricsText(health, { rounds: 7, failures: 2, changes: 30, took: 1500 }, Date.UTC(2026, 0, 2, 0, 1)).split("\n");
  expect(lines.filter((line) => !line.startsWith("#"))).toEqual([
    "pulumi_ovn_agent_healthy 0",
    "pulumi_ovn_agent_routes_wanted 2",
    'pulumi_ovn_agent_problems{code="OVN_A"} 1',
    'pulumi_ovn_agent_problems{code="OVN_B"} 2',
    "pulumi_ovn_agent_southbound_connected 1",
    "pulumi_ovn_agent_openvswitch_connected 1",
    "pulumi_ovn_agent_converges_total 7",
    "pulumi_ovn_agent_converge_failures_total 2",
    "pulumi_ovn_agent_converge_seconds_total 1.5",
    "pulumi_ovn_agent_changes_total 30",
    "pulumi_ovn_agent_seconds_since_last_converge 60",
    "",
  ]);
  expect(lines.slice(0, 3)).toEqual([
    "# HELP pulumi_ovn_agent_healthy 1: everything that should be announced is.",
    "# TYPE pulumi_ovn_agent_healthy gauge",
    "pulumi_ovn_agent_healthy 0",
  ]);
  expect(
    metricsText({ ...health, lastChange: "2026-01-02T00:00:30.000Z" }, { rounds: 0, failures: 0, changes: 0, took: 0 }, Date.UTC(2026, 0, 2, 0, 1)),
  ).toContain("\npulumi_ovn_agent_seconds_since_last_change 30\n");
  // The clock was set back by a day.
  expect(metricsText(health, { rounds: 1, failures: 0, changes: 0, took: 0 }, Date.UTC(2026, 0, 1))).toContain(
    "\npulumi_ovn_agent_seconds_since_last_converge 0\n",
  );
});

test("the journal logs the first round, the start and end of each problem, and each change", () => {
  const lines: string[] = [];
  const journal = new Journal((line) => lines.push(line));
  journal.round({ ...ROUND, changed: 0 }, []);
  journal.round({ ...ROUND, changed: 0 }, []);
  journal.round(ROUND, [problem("OVN_A")]);
  journal.problems([problem("OVN_A")]);
  journal.round({ ...ROUND, changed: 0 }, [problem("OVN_A"), problem("OVN_B", "a\nb")]);
  journal.round({ ...ROUND, changed: 1 }, []);
  expect(lines).toEqual([
    "0 changes in 250 ms: 2 announced",
    "3 changes in 250 ms: 2 announced",
    "OVN_A x: words",
    expect.stringMatching(/^OVN_B a.+b: words$/),
    "1 change in 250 ms: 2 announced",
    "over: OVN_A x",
    expect.stringMatching(/^over: OVN_B a.+b$/),
  ]);
});

test.each([
  ["127.0.0.1:9475", { host: "127.0.0.1", port: 9475 }],
  ["[::1]:0", { host: "::1", port: 0 }],
  ["localhost:65535", { host: "localhost", port: 65_535 }],
  ["localhost:65536", undefined],
  ["9475", undefined],
  [":9475", undefined],
  ["::1:9475", undefined],
  ["127.0.0.1:", undefined],
  ["http://localhost:80", undefined],
])("the address of health: %j", (text, place) => expect(listenAddress(text)).toEqual(place));
