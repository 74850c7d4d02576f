import { OutcomeUnknownError, type Operation, type OperationResult, type OvsdbClient, type Row } from "@pulumi-ovn/ovsdb-client";
import fc from "fast-check";
import type { DesiredRow, LocalReference, RowSet } from "@pulumi-ovn/provider";
import type { Extent, Target } from "@pulumi-ovn/provider/rows";
import { COLUMNS_KEY, readNote, staticBindingKey } from "@pulumi-ovn/provider/testing";
import { northboundExcerpt } from "./northbound-excerpt";
import { OvsdbModel } from "./ovsdb-model";

/** Versions of one resource, other writers, and runs that are cut short: what the row engine must stand. */

export const ME = "urn:pulumi:dev::net::ovn:Kind::mine";
export const THEIRS = "00000000-0000-4000-8000-000000000001";
export const extent: Extent = { tables: [...northboundExcerpt.tables.keys()] };

const own = (key: string): LocalReference => ({ table: "Logical_Router", key });
const PORTS = ["p0", "p1", "p2", "p3"];
const ADDRESSES = ["i0", "i1"];

const options = fc.dictionary(fc.constantFrom("own a", "own:b", "own,c"), fc.constantFrom("1", "2"), { maxKeys: 3 });
const networks = fc.uniqueArray(fc.constantFrom("n0", "n1", "n2"), { maxLength: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const columnsOf = (columns: Record<string, unknown>): DesiredRow["columns"] =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as DesiredRow["columns"];

const port = fc.record({
  mac: fc.constantFrom("m0", "m1"),
  networks: maybe(networks),
  peer: maybe(fc.constantFrom("x", "y")),
  options: maybe(options),
  parent: fc.constantFrom("router", "second", "theirs"),
  chassis: fc.boolean(),
  neighbors: fc.subarray(ADDRESSES),
});
const route = fc.record({ nexthop: fc.constantFrom("h0", "h1"), policy: maybe(fc.constantFrom("dst-ip", "src-ip")) });

/** Row sets of a program: two routers, ports in them or in a foreign router, rows inside ports, routes, neighbors. */
export const version: fc.Arbitrary<RowSet> = fc
  .record({
    name: fc.constantFrom("router", "renamed"),
    options,
    second: fc.boolean(),
    ports: fc.dictionary(fc.constantFrom(...PORTS), port, { maxKeys: 4 }),
    routes: fc.dictionary(fc.constantFrom("r0", "r1"), route, { maxKeys: 2 }),
  })
  .map(({ name, options: keys, second, ports, routes }): RowSet => {
    const listed = (table: string, row: DesiredRow["parent"] extends infer P ? (P extends { row: infer R } ? R : never) : never, column: string) => ({
      table,
      row,
      column,
    });
    const rows: DesiredRow[] = [{ ...own("router"), columns: { name, options: { map: keys } } }];
    if (second) rows.push({ ...own("second"), columns: { name: "second" } });
    for (const [key, { parent, chassis, neighbors, options: map, ...rest }] of Object.entries(ports)) {
      const row = parent === "theirs" ? { uuid: THEIRS } : own(parent === "second" && !second ? "router" : parent);
      rows.push({
        table: "Logical_Router_Port",
        key,
        columns: columnsOf({ name: key, ...rest, options: map && { map } }),
        parent: listed("Logical_Router", row, "ports"),
      });
      if (chassis)
        rows.push({
          table: "Gateway_Chassis",
          key,
          columns: { name: `${key}-h`, chassis_name: "h", priority: 1 },
          parent: listed("Logical_Router_Port", { table: "Logical_Router_Port", key }, "gateway_chassis"),
        });
      for (const ip of neighbors)
        rows.push({ table: "Static_MAC_Binding", key: staticBindingKey(key, ip), columns: { logical_port: key, ip, mac: "m", override_dynamic_mac: true } });
    }
    for (const [key, { nexthop, policy }] of Object.entries(routes))
      rows.push({
        table: "Logical_Router_Static_Route",
        key,
        columns: columnsOf({ ip_prefix: key, nexthop, policy }),
        parent: listed("Logical_Router", own("router"), "static_routes"),
      });
    return { database: "OVN_Northbound", rows };
  });

/** Little things that a next version does to rows which stay: it adds a key or a column, or puts a port into another router. */
export type Growth = (set: RowSet) => RowSet;

export const growth: fc.Arbitrary<Growth> = fc
  .array(fc.record({ at: fc.nat(), what: fc.constantFrom("key", "column", "parent") }), { minLength: 1, maxLength: 3 })
  .map(
    (steps): Growth =>
      (set) =>
        steps.reduce(
          (grown, { at, what }) => ({ ...grown, rows: grown.rows.map((row, index) => (index === at % grown.rows.length ? grownRow(row, what) : row)) }),
          set,
        ),
  );

function grownRow(row: DesiredRow, what: "key" | "column" | "parent"): DesiredRow {
  const add = (columns: DesiredRow["columns"]): DesiredRow => ({ ...row, columns: { ...columns, ...row.columns } });
  const keys = (row.columns.options as { map?: Record<string, string> } | undefined)?.map;
  const isPort = row.table === "Logical_Router_Port";
  if (what === "key" && (isPort || row.key === "router")) return { ...row, columns: { ...row.columns, options: { map: { "own,c": "3", ...keys } } } };
  if (what === "parent" && isPort) return { ...row, parent: { ...row.parent!, row: "uuid" in row.parent!.row ? own("router") : { uuid: THEIRS } } };
  if (what === "column" && row.table === "Logical_Router_Static_Route") return add({ policy: "src-ip" });
  return isPort ? add({ peer: "x", networks: ["n3"] }) : row;
}

/** Changes of other writers in the same tables; `n` makes their rows different. */
export type Intrusion = (model: OvsdbModel, n: number) => void;

const named = (name: string) => [["name", "==", name]] as const;
const uuidsOf = (model: OvsdbModel, table: string, name: string) =>
  model
    .rows(table)
    .filter(([, row]) => row.name === name)
    .map(([uuid]) => ["uuid", uuid] as const);
/** Whether a version named the column. A column that no version named is another writer's. */
const ownsPeer = (model: OvsdbModel, name: string): boolean =>
  model
    .rows("Logical_Router_Port")
    .some(([, row]) => row.name === name && row.external_ids instanceof Map && readNote(String(row.external_ids.get(COLUMNS_KEY) ?? "")).has("peer"));
const foreign = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;

const intrusion: fc.Arbitrary<Intrusion> = fc.oneof(
  fc.constantFrom("Logical_Router", "Logical_Router_Port").map(
    (table): Intrusion =>
      (model, n) =>
        void model.execute([{ op: "mutate", table, where: [], mutations: [["options", "insert", ["map", [[`theirs${n}`, "1"]]]]] }]),
  ),
  fc.constantFrom(...PORTS).map(
    (name): Intrusion =>
      (model) =>
        void model.execute([
          { op: "update", table: "Logical_Router_Port", where: named(name), row: { mac: "drifted", ...(ownsPeer(model, name) && { peer: "drifted" }) } },
        ]),
  ),
  fc.constantFrom(...PORTS).map(
    (name): Intrusion =>
      (model) =>
        void model.execute([
          { op: "mutate", table: "Logical_Router", where: [], mutations: [["ports", "delete", ["set", uuidsOf(model, "Logical_Router_Port", name)]]] },
        ]),
  ),
  fc.constant<Intrusion>((model) => void model.execute([{ op: "delete", table: "Logical_Router", where: named("second") }])),
  fc.constantFrom("theirs", "router", "renamed").map(
    (router): Intrusion =>
      (model, n) => {
        if (uuidsOf(model, "Logical_Router", router).length === 0) return;
        model.execute([
          { op: "insert", table: "Logical_Router_Port", uuid: foreign(n), row: { name: `foreign${n}` } },
          { op: "mutate", table: "Logical_Router", where: named(router), mutations: [["ports", "insert", ["set", [["uuid", foreign(n)]]]]] },
        ]);
      },
  ),
  fc.constantFrom(...PORTS).map(
    (name): Intrusion =>
      (model, n) =>
        void model.execute([{ op: "insert", table: "Static_MAC_Binding", uuid: foreign(n), row: { logical_port: name, ip: `foreign${n}` } }]),
  ),
);

/** Outcome of one write. */
export type Fate =
  | { readonly kind: "done" | "killed before" | "killed after" | "lost" | "lost, and written" }
  | { readonly kind: "intruded"; readonly by: Intrusion };

export const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fate>({ kind: "done" }) },
  { weight: 2, arbitrary: intrusion.map((by): Fate => ({ kind: "intruded", by })) },
  { weight: 2, arbitrary: fc.constantFrom<Fate>({ kind: "killed before" }, { kind: "killed after" }, { kind: "lost" }, { kind: "lost, and written" }) },
);

export class Killed extends Error {}

/** A database with a router of others, and a client of it whose writes meet their fates, one after the other; then all is well. */
export class RowsLab {
  readonly model = new OvsdbModel(northboundExcerpt);
  writes = 0;
  #fates: Fate[] = [];
  #intrusions = 0;

  constructor() {
    this.model.execute([{ op: "insert", table: "Logical_Router", uuid: THEIRS, row: { name: "theirs" } }]);
  }

  target(fates: readonly Fate[] = []): Target {
    this.#fates = [...fates];
    this.writes = 0;
    const client = { getSchema: () => this.model.getSchema(), transact: async (operations: readonly Operation[]) => this.#transact(operations) };
    return { client: client as unknown as OvsdbClient, owner: ME };
  }

  intrude(by: Intrusion): void {
    by(this.model, ++this.#intrusions);
  }

  #transact(operations: readonly Operation[]): OperationResult[] {
    if (operations.every(({ op }) => op === "select")) return this.model.execute(operations);
    this.writes++;
    const next = this.#fates.shift() ?? { kind: "done" };
    if (next.kind === "intruded") this.intrude(next.by);
    if (next.kind === "killed before") throw new Killed();
    if (next.kind === "lost") throw new OutcomeUnknownError("no reply");
    const results = this.model.execute(operations);
    if (next.kind === "killed after") throw new Killed();
    if (next.kind === "lost, and written") throw new OutcomeUnknownError("no reply");
    return results;
  }

  /** Rows of others, each with what it holds. */
  foreign(): Map<string, Row> {
    return new Map(
      ["Logical_Router_Port", "Static_MAC_Binding"].flatMap((table) =>
        this.model.rows(table).filter(([uuid]) => uuid.slice(19, 20) === "9" && uuid.startsWith("00000000-0000-4000-9")),
      ),
    );
  }
}
