import { COOKIE, type LivePort, planFlows, planPorts } from "@pulumi-ovn/agent/testing";

const wanted = { name: "bgp7-abc", bridge: "br-ex", tag: 7, mac: "0a:00:00:00:00:01" };
const port: LivePort = { ...wanted, uuid: "u1", own: true };
const plan = (ports: readonly LivePort[], bridges = ["br-ex", "br-two"]) => planPorts([wanted], { bridges, ports });
const nothing = { made: [], removed: [], problems: [] };

describe("the plan for ports", () => {
  test("adds a port with its mark in one transaction, and expects its device", () => {
    expect(plan([])).toEqual({
      ...nothing,
      made: [
        {
          kind: "port",
          subject: "bgp7-abc",
          appears: true,
          operations: [
            { op: "insert", table: "Interface", "uuid-name": "interface", row: { name: "bgp7-abc", type: "internal", mac: "0a:00:00:00:00:01" } },
            {
              op: "insert",
              table: "Port",
              "uuid-name": "port",
              row: { name: "bgp7-abc", tag: 7, interfaces: ["named-uuid", "interface"], external_ids: ["map", [["pulumi-ovn-agent", "true"]]] },
            },
            { op: "mutate", table: "Bridge", where: [["name", "==", "br-ex"]], mutations: [["ports", "insert", ["set", [["named-uuid", "port"]]]]] },
          ],
        },
      ],
    });
    expect(plan([port])).toEqual(nothing);
  });

  test("changes tag and MAC in place, and moves a port between bridges in one transaction", () => {
    const update = [
      { op: "update", table: "Port", where: [["_uuid", "==", ["uuid", "u1"]]], row: { tag: 7 } },
      { op: "update", table: "Interface", where: [["name", "==", "bgp7-abc"]], row: { mac: "0a:00:00:00:00:01" } },
    ];
    expect(plan([{ ...port, tag: 8 }]).made).toEqual([{ kind: "port", subject: "bgp7-abc", appears: false, operations: update }]);
    expect(plan([{ ...port, mac: null }]).made).toEqual([{ kind: "port", subject: "bgp7-abc", appears: false, operations: update }]);
    expect(plan([{ ...port, bridge: "br-two" }]).made).toEqual([
      {
        kind: "port",
        subject: "bgp7-abc",
        appears: true,
        operations: [
          ...update,
          { op: "mutate", table: "Bridge", where: [["ports", "includes", ["uuid", "u1"]]], mutations: [["ports", "delete", ["set", [["uuid", "u1"]]]]] },
          { op: "mutate", table: "Bridge", where: [["name", "==", "br-ex"]], mutations: [["ports", "insert", ["set", [["uuid", "u1"]]]]] },
        ],
      },
    ]);
  });

  test("removes only the agent's ports, and names foreign ports with the name, and missing bridges", () => {
    expect(planPorts([], { bridges: ["br-ex"], ports: [port, { ...port, uuid: "u2", name: "eth1", own: false }] })).toEqual({
      ...nothing,
      removed: [
        {
          kind: "port",
          subject: "bgp7-abc",
          appears: false,
          operations: [
            { op: "mutate", table: "Bridge", where: [["ports", "includes", ["uuid", "u1"]]], mutations: [["ports", "delete", ["set", [["uuid", "u1"]]]]] },
          ],
        },
      ],
    });
    expect(plan([{ ...port, own: false, tag: 9 }])).toEqual({
      ...nothing,
      problems: [
        {
          code: "OVN_AGENT_TAKEN",
          subject: "port bgp7-abc",
          message:
            "port bgp7-abc is not written: a port of this name in bridge br-ex exists and is not the agent's; remove it, or the row that requires port bgp7-abc",
        },
      ],
    });
    expect(plan([], ["br-two"])).toEqual({
      ...nothing,
      problems: [{ code: "OVN_AGENT_NO_BRIDGE", subject: "br-ex", message: "there is no bridge br-ex: make it, or correct ovn-bridge-mappings" }],
    });
  });
});

test("the plan for flows adds in one bundle, removes in another one, and keeps a foreign flow with the same match", () => {
  const flow = (rule: string, actions: string, cookie = COOKIE) => ({ rule, actions, cookie, extra: "" });
  const problem = { code: "OVN_AGENT_FLOWS", subject: "br-two", message: "no answer" };
  const difference = {
    wanted: [
      { flow: flow("priority=900,ip", "NORMAL"), own: undefined, foreign: undefined },
      { flow: flow("priority=900,ipv6", "NORMAL"), own: undefined, foreign: flow("priority=900,ipv6", "drop", "0x3e7") },
    ],
    surplus: [flow("priority=9", "drop")],
  };
  expect(planFlows({ "br-ex": { difference }, "br-two": { problem }, "br-three": { difference: { wanted: [], surplus: [] } } })).toEqual({
    made: [{ kind: "flows", bridge: "br-ex", bundle: [`add priority=900,ip cookie=${COOKIE} actions=NORMAL`] }],
    removed: [{ kind: "flows", bridge: "br-ex", bundle: [`delete_strict priority=9 cookie=${COOKIE}/-1`] }],
    problems: [
      {
        code: "OVN_AGENT_TAKEN",
        subject: "flow priority=900,ipv6 of bridge br-ex",
        message:
          "flow priority=900,ipv6 of bridge br-ex is not written: a flow of cookie 0x3e7 exists and is not the agent's; remove it, or the row that requires flow priority=900,ipv6 of bridge br-ex",
      },
      problem,
    ],
  });
});
