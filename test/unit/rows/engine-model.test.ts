import type { Row, Value } from "@pulumi-ovn/ovsdb-client";
import fc from "fast-check";
import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, OWNER_KEY, readOwned, readRows, removeOwned, removeRows, rowUuid, setDigest, writtenRows } from "@pulumi-ovn/provider/rows";
import { canonical } from "@pulumi-ovn/provider/testing";
import { defaultValue } from "@pulumi-ovn/provider/tools";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";
import { extent, fate, type Fate, growth, Killed, ME, THEIRS, version, RowsLab } from "../../support/rows-lab";

/** One run of a program: what it asks for, what it knows, what meets its writes. */
const run = fc.record({ set: version, knows: fc.constantFrom("the state", "nothing"), fates: fc.array(fate, { maxLength: 3 }) });
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** Runs as Pulumi does them: what succeeded is the state; a run that was killed leaves the state as it was. */
async function live(lab: RowsLab, runs: readonly Run[], before?: RowSet): Promise<RowSet | undefined> {
  let state = before;
  for (const { set, knows, fates } of runs) {
    const known = state === undefined ? { assume: "absent" as const } : knows === "nothing" ? {} : { previous: state, assume: "unchanged" as const };
    try {
      await ensureRows(lab.target(fates), set, { ...known, extent });
      state = set;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
  return state;
}

const uuidOf = ({ table, key }: { table: string; key: string }) => rowUuid(ME, table, key);
const rowAt = (lab: RowsLab, row: DesiredRow): Row | undefined => lab.model.contents.get(row.table)!.get(uuidOf(row));
const isOurs = (row: Row) => row.external_ids instanceof Map && row.external_ids.get(OWNER_KEY) === ME;

/** UUIDs of all rows that are this resource's: marked, or without marks and with UUIDs that derive. */
function ours(lab: RowsLab): string[] {
  const marked = [...schema.tables.keys()].flatMap((table) =>
    lab.model
      .rows(table)
      .filter(([, row]) => isOurs(row))
      .map(([uuid]) => uuid),
  );
  const bindings = lab.model
    .rows("Static_MAC_Binding")
    .map(([uuid]) => uuid)
    .filter((uuid) => uuid[14] === "8");
  return [...marked, ...bindings].sort();
}

/** Parents that list a row, as `parent column`. */
function holders(lab: RowsLab, uuid: string): string[] {
  return ["Logical_Router", "Logical_Router_Port"].flatMap((table) =>
    lab.model
      .rows(table)
      .flatMap(([holder, row]) =>
        ["ports", "static_routes", "gateway_chassis"]
          .filter((column) => ((row[column] ?? []) as readonly Value[]).includes(uuid))
          .map((column) => `${holder} ${column}`),
      ),
  );
}

/** Whose old rows are known, but for those of interrupted runs, is not looked for neighbours without a mark. */
function expectExactly(lab: RowsLab, set: RowSet, but?: "but for neighbours"): void {
  const wanted = set.rows.map(uuidOf);
  const neighbors = but === undefined ? [] : lab.model.rows("Static_MAC_Binding").filter(([uuid]) => !wanted.includes(uuid));
  const left = new Set(neighbors.map(([uuid]) => uuid));
  expect(ours(lab).filter((uuid) => !left.has(uuid))).toEqual(wanted.sort());
  // One expectation for all of them: each makes hundreds of functions.
  const found: unknown[] = [];
  const desired: unknown[] = [];
  for (const row of set.rows) {
    const values = rowAt(lab, row)!;
    const table = schema.table(row.table);
    const inside = ["ports", "static_routes", "gateway_chassis", "load_balancer"];
    for (const column of table.columns.values()) {
      if (column.name === "external_ids" || inside.includes(column.name)) continue;
      const given = row.columns[column.name];
      const value = values[column.name]!;
      if (value instanceof Map) {
        const mine = Object.fromEntries([...value].filter(([key]) => !String(key).startsWith("theirs")));
        found.push([row.key, column.name, mine]);
        desired.push([row.key, column.name, (given as { map?: object } | undefined)?.map ?? {}]);
      } else {
        // OVN does the same for "dst-ip" and for an empty column.
        const meaning = (one: Value) => (column.name === "policy" && one === "dst-ip" ? "" : canonical(one));
        found.push([row.key, column.name, meaning(value)]);
        desired.push([row.key, column.name, meaning(given === undefined ? defaultValue(column) : (given as Value))]);
      }
    }
    const { parent } = row;
    const holder = parent && `${"key" in parent.row ? uuidOf(parent.row) : THEIRS} ${parent.column}`;
    found.push([row.key, "holders", holders(lab, uuidOf(row))]);
    desired.push([row.key, "holders", holder === undefined ? [] : [holder]]);
  }
  expect(found).toEqual(desired);
}

/** Keys that others put into rows, by row. */
function theirKeys(lab: RowsLab): Map<string, string[]> {
  const rows = ["Logical_Router", "Logical_Router_Port"].flatMap((table) => lab.model.rows(table));
  return new Map(rows.map(([uuid, row]) => [uuid, [...(row.options as ReadonlyMap<string, string>).keys()].filter((key) => key.startsWith("theirs"))]));
}

// OVN_RUNS: the number of runs; use more after a change to the engine. OVN_SEED: repeats the runs of a failure.
const RUNS = { numRuns: Number(process.env.OVN_RUNS ?? 150), ...(process.env.OVN_SEED ? { seed: Number(process.env.OVN_SEED) } : {}) };

describe("after any history", () => {
  it("an update without a state results in exactly the desired rows, and changes no others", () =>
    fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 4 }), version, async (runs, last) => {
        const lab = new RowsLab();
        await live(lab, runs);
        const [foreign, keys] = [lab.foreign(), theirKeys(lab)];
        await ensureRows(lab.target(), last, { extent });
        expectExactly(lab, last);
        expect(lab.foreign()).toEqual(foreign);
        const now = theirKeys(lab);
        for (const [uuid, before] of keys) if (now.has(uuid)) expect(now.get(uuid)).toEqual(before);
        await ensureRows(lab.target(), last, { extent });
        expect(lab.writes).toBe(0);
      }),
      RUNS,
    ));

  it("so does an update that reads despite its state; Static_MAC_Bindings without a mark stay", () =>
    fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), version, async (runs, last) => {
        const lab = new RowsLab();
        const state = await live(lab, runs);
        const foreign = lab.foreign();
        await ensureRows(lab.target(), last, { previous: state ?? last });
        expectExactly(lab, last, "but for neighbours");
        expect(lab.foreign()).toEqual(foreign);
      }),
      RUNS,
    ));

  it("a removal deletes all rows of the resource, and no others", () =>
    fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 4 }), fc.boolean(), async (runs, knowing) => {
        const lab = new RowsLab();
        const state = await live(lab, runs);
        // Rows of others in our routers would be deleted too; this is refused elsewhere.
        for (const [uuid, row] of lab.model.rows("Logical_Router")) {
          const theirs = (row.ports as readonly string[]).filter((port) => lab.foreign().has(port)).map((port) => ["uuid", port] as const);
          if (uuid !== THEIRS)
            lab.model.execute([
              { op: "mutate", table: "Logical_Router", where: [["_uuid", "==", ["uuid", uuid]]], mutations: [["ports", "delete", ["set", theirs]]] },
            ]);
        }
        const foreign = lab.foreign();
        if (knowing && state) await removeRows(lab.target(), state, extent);
        await removeOwned(lab.target(), extent);
        expect(ours(lab)).toEqual([]);
        expect(lab.foreign()).toEqual(foreign);
        await removeOwned(lab.target(), extent);
        expect(lab.writes).toBe(0);
      }),
      RUNS,
    ));
});

it("a key that an interrupted run set in a row without keys is cleared by the next owner", async () => {
  const lab = new RowsLab();
  const router = (...keys: string[]): RowSet => ({
    database: "OVN_Northbound",
    rows: [{ table: "Logical_Router", key: "router", columns: { name: "router", options: { map: Object.fromEntries(keys.map((key) => [key, "1"])) } } }],
  });
  const state = await live(lab, [
    { set: router(), knows: "the state", fates: [] },
    { set: router("own:b"), knows: "the state", fates: [{ kind: "killed after" }] },
    { set: router("own a"), knows: "the state", fates: [] },
  ]);
  expectExactly(lab, router("own a"));
  await ensureRows(lab.target(), router(), { previous: state!, assume: "unchanged", extent });
  expectExactly(lab, router());
});

/** A router with one port. */
const port = (columns: DesiredRow["columns"]): RowSet => ({
  database: "OVN_Northbound",
  rows: [
    { table: "Logical_Router", key: "router", columns: { name: "router" } },
    {
      table: "Logical_Router_Port",
      key: "p3",
      columns: { name: "p3", mac: "m0", ...columns },
      parent: { table: "Logical_Router", row: { table: "Logical_Router", key: "router" }, column: "ports" },
    },
  ],
});

it.each([
  // Removing a map without keys is not a change, so an update that reads nothing does not touch the row.
  ["that an interrupted run set", {}, undefined],
  ["of the version before an interrupted run", { "own a": "1" }, undefined],
  ["of the version before an interrupted run, in an update that reads nothing first,", { "own a": "1" }, "unchanged"],
] as const)("a key %s is taken back with a map that goes, also where that run set a column that the state does not know", async (_whose, options, assume) => {
  const lab = new RowsLab();
  const state = await live(lab, [
    { set: port({ options: { map: options } }), knows: "the state", fates: [] },
    { set: port({ peer: "x", options: { map: { "own a": "1" } } }), knows: "the state", fates: [{ kind: "killed after" }] },
  ]);
  expect(rowAt(lab, state!.rows[1]!)!.options).toEqual(new Map([["own a", "1"]]));
  await ensureRows(lab.target(), port({}), { previous: state!, assume, extent });
  expectExactly(lab, port({}));
});

it("a column that no version named keeps another writer's value, and a formerly named one is cleared", async () => {
  for (const [peer, left] of [
    [undefined, "theirs"],
    ["x", ""],
  ] as const) {
    const lab = new RowsLab();
    const before = port({ mac: "m0", ...(peer && { peer }) });
    await live(lab, [{ set: before, knows: "the state", fates: [] }]);
    lab.model.execute([{ op: "update", table: "Logical_Router_Port", where: [["name", "==", "p3"]], row: { peer: "theirs" } }]);
    const after = port({ mac: "m1" });
    await ensureRows(lab.target(), after, { previous: before });
    const { mac, peer: found } = rowAt(lab, after.rows[1]!)!;
    expect([mac, canonical(found!)]).toEqual(["m1", left === "" ? "" : canonical([left])]);
  }
});

describe("without other writers", () => {
  const knows = fc.constantFrom("the state" as const, "nothing" as const);
  const calm = fc.array(fc.record({ set: version, knows, fates: fc.constant<Fate[]>([]) }), { minLength: 1, maxLength: 2 });
  const killed = fc.array(fc.record({ grown: growth, knows, fate: fc.constantFrom<Fate>({ kind: "killed after" }, { kind: "killed before" }) }), {
    minLength: 1,
    maxLength: 2,
  });

  it("the program before a crash has exactly its rows after a refresh and an update", () =>
    fc.assert(
      fc.asyncProperty(calm, killed, async (runs, crashes) => {
        const lab = new RowsLab();
        const state = (await live(lab, runs))!;
        await live(
          lab,
          crashes.map(({ grown, knows: known, fate: met }): Run => ({ set: grown(state), knows: known, fates: [met] })),
          state,
        );
        const found = await readRows(lab.target(), state, extent);
        // As Pulumi has it: a program that has not changed is updated if the refresh has seen another digest.
        if (found?.digest !== setDigest(state)) await ensureRows(lab.target(), state, { previous: state, extent });
        expectExactly(lab, state, "but for neighbours");
        expect(await readRows(lab.target(), state, extent)).toMatchObject({ present: state.rows.length, digest: setDigest(state), drift: {} });
      }),
      RUNS,
    ));
});

describe("without other writers and interruptions", () => {
  const calm = fc.array(fc.record({ set: version, knows: fc.constantFrom("the state", "nothing"), fates: fc.constant<Fate[]>([]) }), {
    minLength: 1,
    maxLength: 4,
  });

  it("every update results in exactly the desired rows with at most one write, and reads back equal", () =>
    fc.assert(
      fc.asyncProperty(calm, async (runs) => {
        const lab = new RowsLab();
        const state = (await live(lab, runs))!;
        expect(lab.writes).toBeLessThanOrEqual(1);
        expectExactly(lab, state);
        expect(await readRows(lab.target(), state, extent)).toMatchObject({ present: state.rows.length, digest: setDigest(state), drift: {} });
        const written = await writtenRows(lab.target(), state);
        expect(await readOwned(lab.target(), extent, written)).toMatchObject({ present: state.rows.length, digest: setDigest(state), drift: {} });
      }),
      RUNS,
    ));
});
