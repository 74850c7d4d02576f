import type { DesiredRow } from "@pulumi-ovn/provider";
import { OWNER_KEY } from "@pulumi-ovn/provider/rows";
import { COLUMNS_KEY, plan, type PlanInput } from "@pulumi-ovn/provider/testing";
import { type LiveRow, type ResolvedRow, resolveRows } from "@pulumi-ovn/provider/tools";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";

const ME = "me";
const other = "other";
const router: DesiredRow = { table: "Logical_Router", key: "router", columns: { name: "tr", options: { map: { a: "1" } } } };
const port = (columns: DesiredRow["columns"] = {}): DesiredRow => ({
  table: "Logical_Router_Port",
  key: "p",
  columns: { name: "p", mac: "m", ...columns },
  parent: { table: "Logical_Router", row: { table: "Logical_Router", key: "router" }, column: "ports" },
});
const resolve = (...rows: DesiredRow[]) => resolveRows(rows, ME, schema, new Map());
const [R, P] = resolve(router, port()) as [ResolvedRow, ResolvedRow];
const nothing: PlanInput = {
  schema,
  owner: ME,
  managers: [],
  before: new Map(),
  desired: [],
  live: new Map(),
  removals: [],
  astray: [],
  leaving: [],
  carried: new Set(),
};
const operations = (input: Partial<PlanInput>) => plan({ ...nothing, ...input }).map(({ operation }) => operation);

const is = ({ uuid }: ResolvedRow) => ["_uuid", "==", ["uuid", uuid]];
const exists = (row: ResolvedRow, ...marks: [string, string][]) => ({
  op: "wait",
  table: row.table,
  where: [is(row), ["external_ids", "includes", ["map", [[OWNER_KEY, ME], ...marks]]]],
  columns: ["_uuid"],
  until: "!=",
  rows: [],
  timeout: 0,
});
const marks = (note?: string) => new Map([[OWNER_KEY, ME], ...(note ? [[COLUMNS_KEY, note] as const] : [])]);
const liveRouter: LiveRow = { name: "tr", options: new Map([["a", "1"]]), external_ids: marks("options:a"), ports: [], static_routes: [] };
const livePort: LiveRow = { name: "p", mac: "m", external_ids: marks("mac"), gateway_chassis: [] };

describe("plan", () => {
  it("inserts rows with mark and note, and adds them to their parents", () => {
    expect(operations({ desired: resolve(router, port()) })).toEqual([
      {
        op: "insert",
        table: "Logical_Router",
        uuid: R.uuid,
        row: {
          name: "tr",
          options: ["map", [["a", "1"]]],
          external_ids: [
            "map",
            [
              [OWNER_KEY, ME],
              [COLUMNS_KEY, "options:a"],
            ],
          ],
        },
      },
      {
        op: "insert",
        table: "Logical_Router_Port",
        uuid: P.uuid,
        row: {
          name: "p",
          mac: "m",
          external_ids: [
            "map",
            [
              [OWNER_KEY, ME],
              [COLUMNS_KEY, "mac"],
            ],
          ],
        },
      },
      { op: "mutate", table: "Logical_Router", where: [is(R)], mutations: [["ports", "insert", ["set", [["uuid", P.uuid]]]]] },
    ]);
  });

  it("guards that a foreign parent exists, and that no other row has a claimed value", () => {
    const claimed: DesiredRow = {
      ...port(),
      parent: { ...port().parent!, row: { uuid: R.uuid } },
      claims: [
        { table: "Logical_Router", column: "options", key: "k", value: "7" },
        { table: "Logical_Router_Port", column: "name", value: "p" },
      ],
    };
    expect(operations({ desired: resolve(claimed) }).filter(({ op }) => op === "wait")).toEqual([
      { op: "wait", table: "Logical_Router", where: [is(R)], columns: ["_uuid"], until: "!=", rows: [], timeout: 0 },
      {
        op: "wait",
        table: "Logical_Router",
        where: [
          ["options", "includes", ["map", [["k", "7"]]]],
          ["_uuid", "!=", ["uuid", P.uuid]],
        ],
        columns: ["_uuid"],
        until: "==",
        rows: [],
        timeout: 0,
      },
      {
        op: "wait",
        table: "Logical_Router_Port",
        where: [
          ["name", "==", "p"],
          ["_uuid", "!=", ["uuid", P.uuid]],
        ],
        columns: ["_uuid"],
        until: "==",
        rows: [],
        timeout: 0,
      },
    ]);
  });

  it("writes nothing without a difference, with or without a note", () => {
    const live = new Map<string, LiveRow>([
      [R.uuid, liveRouter],
      [P.uuid, livePort],
    ]);
    expect(operations({ desired: resolve(router, port()), live })).toEqual([]);
    expect(
      operations({
        desired: resolve(router, port()),
        live: new Map<string, LiveRow>([
          [R.uuid, { ...liveRouter, external_ids: marks() }],
          [P.uuid, { ...livePort, external_ids: marks() }],
        ]),
      }),
    ).toEqual([]);
  });

  it("changes differing columns of its own rows, and clears columns that the note names", () => {
    const live = new Map<string, LiveRow>([
      [
        P.uuid,
        {
          ...livePort,
          mac: "x",
          peer: "q",
          options: new Map([
            ["a", "1"],
            ["b", "2"],
            ["theirs", "3"],
          ]),
          external_ids: marks("mac options:a,b peer"),
        },
      ],
    ]);
    expect(operations({ desired: resolve(port({ options: { map: { a: "9" } } })), live })).toEqual([
      exists(P, [COLUMNS_KEY, "mac options:a,b peer"]),
      { op: "update", table: "Logical_Router_Port", where: [is(P)], row: { mac: "m", peer: ["set", []] } },
      {
        op: "mutate",
        table: "Logical_Router_Port",
        where: [is(P)],
        mutations: [
          ["options", "delete", ["set", ["b", "a"]]],
          ["options", "insert", ["map", [["a", "9"]]]],
          ["external_ids", "delete", ["set", [COLUMNS_KEY]]],
          ["external_ids", "insert", ["map", [[COLUMNS_KEY, "mac options:a"]]]],
        ],
      },
    ]);
  });

  it("changes a row without an owner only if it is unchanged since the read", () => {
    const live = new Map<string, LiveRow>([[P.uuid, { ...livePort, external_ids: new Map([["x", "y"]]) }]]);
    expect(operations({ desired: resolve(port()), live })[0]).toEqual({
      op: "wait",
      table: "Logical_Router_Port",
      where: [is(P)],
      columns: ["external_ids"],
      until: "==",
      rows: [{ external_ids: ["map", [["x", "y"]]] }],
      timeout: 0,
    });
  });

  it("removes empty rows, guarded by what was read; dependent rows may be in them", () => {
    const carried = "00000000-0000-4000-8000-000000000009";
    const live = new Map<string, LiveRow>([
      [R.uuid, { ...liveRouter, ports: [P.uuid, carried] }],
      [P.uuid, livePort],
    ]);
    const going = (row: ResolvedRow, sets: object) => ({ ...exists(row), columns: Object.keys(sets), until: "==", rows: [sets] });
    const members = (...uuids: string[]) => ["set", uuids.map((uuid) => ["uuid", uuid])];
    expect(operations({ removals: [R, P], live, carried: new Set([carried]) })).toEqual([
      going(R, { ports: members(P.uuid, carried), static_routes: members() }),
      going(P, { gateway_chassis: members() }),
      { op: "delete", table: "Logical_Router", where: [is(R)] },
      { op: "delete", table: "Logical_Router_Port", where: [is(P)] },
    ]);
  });

  it("removes a row without further rows only while it has its mark", () => {
    const [route] = resolve({ table: "Logical_Router_Static_Route", key: "r", columns: { ip_prefix: "10.0.0.0/8" } });
    const live = new Map<string, LiveRow>([[route!.uuid, { ip_prefix: "10.0.0.0/8", external_ids: marks() }]]);
    expect(operations({ removals: [route!], live })).toEqual([exists(route!), { op: "delete", table: "Logical_Router_Static_Route", where: [is(route!)] }]);
  });

  it("removes a row without an owner only if unchanged, and one that can't have an owner without a guard", () => {
    const [binding] = resolve({ table: "Static_MAC_Binding", key: "p 10.0.0.1", columns: { logical_port: "p", ip: "10.0.0.1" } });
    const live = new Map<string, LiveRow>([
      [P.uuid, { ...livePort, external_ids: new Map([["x", "y"]]) }],
      [binding!.uuid, { logical_port: "p", ip: "10.0.0.1" }],
    ]);
    const wait = { op: "wait", table: "Logical_Router_Port", where: [is(P)], until: "==", timeout: 0 };
    expect(operations({ removals: [P, binding!], live })).toEqual([
      { ...wait, columns: ["external_ids"], rows: [{ external_ids: ["map", [["x", "y"]]] }] },
      { ...wait, columns: ["gateway_chassis"], rows: [{ gateway_chassis: ["set", []] }] },
      { op: "delete", table: "Logical_Router_Port", where: [is(P)] },
      { op: "delete", table: "Static_MAC_Binding", where: [is(binding!)] },
    ]);
  });

  it("refuses foreign rows, rows that contain foreign rows, and immutable values", () => {
    const foreign = new Map<string, LiveRow>([[R.uuid, { ...liveRouter, external_ids: new Map([[OWNER_KEY, other]]) }]]);
    expect(() => operations({ desired: resolve(router), live: foreign })).toThrow(expect.objectContaining({ reason: "foreign", details: [other] }));
    expect(() => operations({ removals: [R], live: foreign })).toThrow(expect.objectContaining({ reason: "foreign", details: [other] }));
    expect(operations({ desired: resolve(router), live: foreign, managers: [other] })).not.toEqual([]);
    expect(() => operations({ removals: [R], live: new Map<string, LiveRow>([[R.uuid, { ...liveRouter, ports: ["a", "b"] }]]) })).toThrow(
      expect.objectContaining({ reason: "not-empty", details: ["a", "b"] }),
    );
  });

  it("moves a row from its current set to the desired one", () => {
    const live = new Map<string, LiveRow>([
      [R.uuid, liveRouter],
      [P.uuid, livePort],
    ]);
    const elsewhere = { table: "Logical_Router", column: "ports", uuid: "00000000-0000-4000-8000-000000000009", label: "" };
    expect(operations({ desired: resolve(router, port()), live, astray: [P], leaving: [{ row: P, parent: elsewhere }] })).toEqual([
      {
        op: "mutate",
        table: "Logical_Router",
        where: [["_uuid", "==", ["uuid", elsewhere.uuid]]],
        mutations: [["ports", "delete", ["set", [["uuid", P.uuid]]]]],
      },
      { op: "mutate", table: "Logical_Router", where: [is(R)], mutations: [["ports", "insert", ["set", [["uuid", P.uuid]]]]] },
    ]);
  });

  it("changes a large set element by element, a small one as a whole", () => {
    const many = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const live = (networks: string[]) => new Map<string, LiveRow>([[P.uuid, { ...livePort, networks, external_ids: marks("mac networks") }]]);
    expect(operations({ desired: resolve(port({ networks: [...many.slice(1), "new"] })), live: live(many) }).slice(1)).toEqual([
      {
        op: "mutate",
        table: "Logical_Router_Port",
        where: [is(P)],
        mutations: [
          ["networks", "insert", "new"],
          ["networks", "delete", "n0"],
        ],
      },
    ]);
    expect(operations({ desired: resolve(port({ networks: ["a", "b"] })), live: live(["a", "c"]) }).slice(1)).toEqual([
      { op: "update", table: "Logical_Router_Port", where: [is(P)], row: { networks: ["set", ["a", "b"]] } },
    ]);
  });
});
