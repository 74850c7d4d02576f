import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { OWNER_KEY, setDigest } from "@pulumi-ovn/provider/rows";
import { liveRows as liveState, MOST_OF_TABLE, setLines } from "@pulumi-ovn/provider/testing";
import { type LiveRow, type ResolvedRow, resolveRows, rowDrifts } from "@pulumi-ovn/provider/tools";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";

const ME = "me";
const PORT = "f5e1f1a0-5dd6-4c6c-8f0c-3c2b9b8c0a01";
const port = (columns: DesiredRow["columns"]): DesiredRow => ({
  table: "Logical_Router_Port",
  key: "port",
  columns: { name: "trtor", ...columns },
  parent: { table: "Logical_Router", row: { uuid: PORT }, column: "ports" },
});
const desired = port({ mac: "0a:58:64:58:00:04", networks: ["100.88.0.4/31", "fd97::4/127"], peer: null, options: { map: { a: "1", b: "2" } } });
const same: LiveRow = {
  name: "trtor",
  mac: "0a:58:64:58:00:04",
  networks: ["100.88.0.4/31", "fd97::4/127"],
  peer: null,
  options: new Map([
    ["a", "1"],
    ["b", "2"],
  ]),
  external_ids: new Map([[OWNER_KEY, ME]]),
};

function stateOf(live: LiveRow | undefined, row = desired, change = (resolved: ResolvedRow) => resolved) {
  const set: RowSet = { database: "OVN_Northbound", rows: [row] };
  const rows = resolveRows(set.rows, ME, schema, new Map()).map(change);
  return { set, rows, state: liveState(set, rows, new Map(live ? [[rows[0]!.uuid, live]] : []), schema) };
}

it("of unchanged rows has the lines and digest of a check", () => {
  const { set, state } = stateOf(same);
  expect(state).toEqual({ present: 1, lines: setLines(set), digest: setDigest(set), drift: {} });
});

it("reports a missing row without a line", () => {
  const { rows, state } = stateOf(undefined);
  expect(state).toEqual({
    present: 0,
    lines: {},
    digest: expect.stringMatching(/^drift-/),
    drift: { "Logical_Router_Port trtor": "missing" },
    traces: { "Logical_Router_Port trtor": { row: { table: "Logical_Router_Port", uuid: rows[0]!.uuid, columns: [] } } },
  });
});

it("renders the text of an unchanged row once, for the table's count and the digest", () => {
  const networks = ["100.88.0.4/31", "fd97::4/127"];
  const read = jest.spyOn(networks, "map");
  const set: RowSet = {
    database: "OVN_Northbound",
    rows: Array.from({ length: MOST_OF_TABLE + 1 }, (_, index) => ({ ...port({ ...desired.columns, networks }), key: `port${index}` })),
  };
  const rows = resolveRows(set.rows, ME, schema, new Map());
  const state = liveState(set, rows, new Map(rows.map(({ uuid }) => [uuid, same])), schema, undefined, { folding: "table" });
  expect([state.drift, read.mock.calls.length]).toEqual([{}, rows.length]);
  expect(state.lines).toEqual(setLines(set, "table"));
});

it.each<[string, LiveRow]>([
  ["order of a set", { networks: ["fd97::4/127", "100.88.0.4/31"] }],
  [
    "keys of others",
    {
      options: new Map([
        ["theirs", "x"],
        ["b", "2"],
        ["a", "1"],
      ]),
      external_ids: new Map([
        ["k8s", "x"],
        [OWNER_KEY, ME],
      ]),
    },
  ],
])("ignores %s", (_what, more) => {
  const { set, state } = stateOf({ ...same, ...more });
  expect(state).toEqual({ present: 1, lines: setLines(set), digest: setDigest(set), drift: {} });
});

it.each<[string, LiveRow, string, string]>([
  [
    "a text",
    { mac: "0a:58:64:58:00:05" },
    "mac=0a:58:64:58:00:05 instead of mac=0a:58:64:58:00:04",
    "mac=0a:58:64:58:00:05 networks=100.88.0.4/31,fd97::4/127 options:a=1 options:b=2",
  ],
  [
    "a set that has more",
    { networks: ["100.88.0.4/31", "fd97::4/127", "fd99::1/64"] },
    "networks=100.88.0.4/31,fd97::4/127,fd99::1/64 instead of networks=100.88.0.4/31,fd97::4/127",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::4/127,fd99::1/64 options:a=1 options:b=2",
  ],
  [
    "a set that has another",
    { networks: ["100.88.0.4/31", "fd97::6/127"] },
    "networks=100.88.0.4/31,fd97::6/127 instead of networks=100.88.0.4/31,fd97::4/127",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::6/127 options:a=1 options:b=2",
  ],
  [
    "a set that has less",
    { networks: ["100.88.0.4/31"] },
    "networks=100.88.0.4/31 instead of networks=100.88.0.4/31,fd97::4/127",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31 options:a=1 options:b=2",
  ],
  [
    "a column that is to be empty",
    { peer: "rtotr" },
    "peer=rtotr instead of peer=[]",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::4/127 peer=rtotr options:a=1 options:b=2",
  ],
  [
    "a key",
    {
      options: new Map([
        ["a", "1"],
        ["b", "3"],
      ]),
    },
    "options:b=3 instead of options:b=2",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::4/127 options:a=1 options:b=3",
  ],
  [
    "a missing key",
    { options: new Map([["a", "1"]]) },
    "nothing instead of options:b=2",
    "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::4/127 options:a=1",
  ],
])("reports %s", (_what, more, drift, line) => {
  const { state } = stateOf({ ...same, ...more });
  expect([state.drift, state.lines]).toEqual([{ "Logical_Router_Port trtor": drift }, { "Logical_Router_Port trtor": line }]);
  expect(state.digest).toMatch(/^drift-/);
});

const noted = (note: string, more: LiveRow = {}, owner = ME): LiveRow => ({
  ...same,
  ...more,
  external_ids: new Map([
    [OWNER_KEY, owner],
    ["pulumi-ovn:columns", note],
    ["team", "net"],
  ]),
});
const OWN = "mac networks options:a,b";
const bare = port({ mac: "0a:58:64:58:00:04", networks: ["100.88.0.4/31", "fd97::4/127"], options: { map: { a: "1", b: "2" } } });
const options = (...keys: string[]) => ({ options: new Map(keys.map((key) => [key, key === "b" ? "2" : "1"])) });

const { peer: _peer, ...unread } = noted(`${OWN} peer`);

describe("columns that only the row's note names", () => {
  it.each<[string, LiveRow, string]>([
    ["a column", noted(`${OWN} peer`, { peer: "fd00" }), "peer surplus"],
    ["keys of a map", noted("mac networks options:a,b,own%20c,d", options("a", "b", "own c", "d")), "options:d,own%20c surplus"],
    ["a key of a map that the renderer does not name", noted(`external_ids:team ${OWN}`), "external_ids:team surplus"],
    ["a key next to a differing value", noted("mac networks options:a,b,d", options("a", "d")), "nothing instead of options:b=2, options:d surplus"],
  ])("is surplus: %s", (_what, live, drift) => {
    const { set, state } = stateOf(live, bare);
    expect(state.drift).toEqual({ "Logical_Router_Port trtor": drift });
    expect(state.digest).toMatch(/^drift-/);
    // Without the value, which may have been a secret of the interrupted run.
    expect(JSON.stringify(state)).not.toContain("fd00");
    if (!drift.includes("instead")) expect(state.lines).toEqual(setLines(set));
  });

  it.each<[string, LiveRow]>([
    ["nothing", noted(OWN)],
    ["less", noted("mac")],
    ["already deleted values", noted("external_ids:gone mac networks options:a,b,d peer", { peer: null })],
    ["what was not read", unread],
    ["what an older schema does not have", noted(`${OWN} no_such_column`, { no_such_column: "x" })],
    ["what is whole by now", noted("mac networks:a options:a,b")],
  ])("is not surplus: %s", (_what, live) => {
    const { set, state } = stateOf(live, bare);
    expect(state).toEqual({ present: 1, lines: setLines(set), digest: setDigest(set), drift: {} });
  });

  it("count as another owner's if the mark is", () => {
    const { state } = stateOf(noted(`${OWN} peer`, { peer: "fd00" }, "you"), bare);
    expect(state.drift).toEqual({ "Logical_Router_Port trtor": "the owner's mark is missing" });
  });

  it("also count for resources that use the drift", () => {
    const live = noted(`${OWN} peer`, { peer: "fd00" });
    const [row] = resolveRows([bare], ME, schema, new Map());
    expect(rowDrifts([row!], new Map([[row!.uuid, live]]), schema)[0]!.values).toEqual([{ found: ["peer"], wanted: [] }]);
  });
});

it("reports a row in another row's set, alone and together with differences", () => {
  const drifts = (live: LiveRow | undefined) => {
    const { set, rows } = stateOf(live);
    const known = new Map(live ? [[rows[0]!.uuid, live]] : []);
    return liveState(set, rows, known, schema, undefined, { misplaced: new Set([rows[0]!.uuid]) }).drift["Logical_Router_Port trtor"];
  };
  expect(drifts(same)).toBe(`not in ports of Logical_Router ${PORT}`);
  expect(drifts({ ...same, peer: "rtotr" })).toBe(`peer=rtotr instead of peer=[], not in ports of Logical_Router ${PORT}`);
});

it("reports a deleted mark, and another owner's mark", () => {
  for (const marks of [[], [[OWNER_KEY, "you"]]] as [string, string][][])
    expect(stateOf({ ...same, external_ids: new Map(marks) }).state.drift).toEqual({ "Logical_Router_Port trtor": "the owner's mark is missing" });
});

it("shows the row's content, not the desired one, if another resource decides on a column", () => {
  const { state } = stateOf({ ...same, mac: "0a:58:00:00:00:09" }, desired, ({ columns: { mac: _mac, ...columns }, ...row }) => ({ ...row, columns }));
  expect([state.drift, state.lines]).toEqual([{}, { "Logical_Router_Port trtor": "networks=100.88.0.4/31,fd97::4/127 options:a=1 options:b=2" }]);
});

it("resolves references in a map, and keeps a map without references", () => {
  const map = { a: "1" };
  const [row] = resolveRows(
    [{ table: "Logical_Router", key: "r", columns: { name: "r", options: { map }, external_ids: { map: { at: { uuid: PORT } } } } }],
    ME,
    schema,
    new Map(),
  );
  expect(row!.columns).toEqual({ name: "r", options: { map }, external_ids: { map: { at: PORT, [OWNER_KEY]: ME } } });
  expect(map).toEqual({ a: "1" });
});
