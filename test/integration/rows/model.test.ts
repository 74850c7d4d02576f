import { OperationError, type Operation, type OperationResult, type WireRow } from "@pulumi-ovn/ovsdb-client";
import fc from "fast-check";
import { Northbound } from "../../support/northbound";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";
import { OvsdbModel, shown } from "../../support/ovsdb-model";

// Compares the model of a server, used by the property tests of the row engine, with a real server.

let nb: Northbound;
beforeAll(async () => {
  nb = await Northbound.start();
});
afterAll(() => nb?.[Symbol.asyncDispose]());

const TABLES = [...schema.tables.keys()];
/** UUIDs of a table's rows. (A server takes a reference to a row that is not there when a new row of another table has that UUID.) */
const uuid = (name: string, index: number) => `00000000-0000-4000-8000-000000000${TABLES.indexOf(name)}0${index}`;

const id = (name: string) => fc.integer({ min: 1, max: 6 }).map((index) => ["uuid", uuid(name, index)] as const);
const ids = (name: string) => fc.uniqueArray(id(name), { maxLength: 3, selector: ([, one]) => one }).map((all) => ["set", all] as const);
const words = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
const texts = words.map((all) => ["set", all] as const);
const map = words.chain((keys) =>
  fc.tuple(...keys.map(() => fc.constantFrom("1", "2"))).map((values) => ["map", keys.map((key, index) => [key, values[index]!] as const)] as const),
);
const word = fc.constantFrom("a", "b");

const values: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  Logical_Router: { name: word, ports: ids("Logical_Router_Port"), static_routes: ids("Logical_Router_Static_Route"), options: map, external_ids: map },
  Logical_Router_Port: { name: word, mac: word, networks: texts, peer: fc.oneof(word, fc.constant(["set", []])), options: map },
  Logical_Router_Static_Route: { ip_prefix: word, policy: fc.constantFrom("dst-ip", ["set", []]), external_ids: map },
  Load_Balancer: { name: word, vips: map },
  Static_MAC_Binding: { logical_port: word, ip: word, override_dynamic_mac: fc.boolean() },
};
const table = fc.constantFrom(...Object.keys(values));
const rowOf = (name: string) => fc.record(values[name]!, { requiredKeys: [] }) as fc.Arbitrary<WireRow>;
const condition = (name: string) =>
  fc.oneof(
    id(name).map((one) => ["_uuid", "==", one] as const),
    id(name).map((one) => ["_uuid", "!=", one] as const),
    fc
      .constantFrom(...Object.keys(values[name]!))
      .chain((column) => fc.tuple(fc.constant(column), fc.constantFrom("==", "!=", "includes"), values[name]![column]!)),
  );
const where = (name: string) => fc.array(condition(name), { maxLength: 2 });
const mutation = (name: string) => {
  const columns = ["ports", "static_routes", "networks", "options", "external_ids", "vips"].filter((column) => column in values[name]!);
  if (columns.length === 0) return undefined;
  return fc
    .constantFrom(...columns)
    .chain((column) =>
      fc.oneof(
        fc.tuple(fc.constant(column), fc.constantFrom("insert", "delete"), values[name]![column]!),
        ...(["options", "external_ids", "vips"].includes(column) ? [fc.tuple(fc.constant(column), fc.constant("delete"), texts)] : []),
      ),
    );
};
const operation = table.chain((name): fc.Arbitrary<Operation> => {
  const shared = { table: fc.constant(name), where: where(name) };
  const columns = fc.uniqueArray(fc.constantFrom("_uuid", ...Object.keys(values[name]!)), { minLength: 1 });
  const mutations = mutation(name);
  return fc.oneof(
    fc.record({ op: fc.constant("insert"), table: shared.table, uuid: id(name).map(([, one]) => one), row: rowOf(name) }),
    fc.record({ op: fc.constant("select"), ...shared, columns }),
    fc.record({ op: fc.constant("update"), ...shared, row: rowOf(name) }),
    fc.record({ op: fc.constant("delete"), ...shared }),
    fc.record({
      op: fc.constant("wait"),
      ...shared,
      columns: fc.constant(["_uuid"]),
      until: fc.constantFrom("==", "!="),
      rows: fc.constant([]),
      timeout: fc.constant(0),
    }),
    fc.record({
      op: fc.constant("wait"),
      ...shared,
      columns: fc.constant(["name" in values[name]! ? "name" : Object.keys(values[name]!)[0]!]),
      until: fc.constantFrom("==", "!="),
      rows: fc.array(rowOf(name), { maxLength: 2 }),
      timeout: fc.constant(0),
    }),
    ...(mutations ? [fc.record({ op: fc.constant("mutate"), ...shared, mutations: fc.array(mutations, { minLength: 1, maxLength: 2 }) })] : []),
  ) as fc.Arbitrary<Operation>;
});

async function outcome(run: () => Promise<OperationResult[]> | OperationResult[]): Promise<unknown> {
  try {
    return (await run()).map(({ rows, ...rest }) => (rows ? { rows: rows.map((row) => JSON.stringify(sortedSets(row))).sort() } : rest));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // Which of two rows an index complains about first differs.
    return { error: error.error, at: error.operationIndex };
  }
}

function sortedSets(row: WireRow): unknown {
  return Object.fromEntries(
    Object.entries(row)
      .sort()
      .map(([name, value]) => [
        name,
        Array.isArray(value) && (value[0] === "set" || value[0] === "map")
          ? [value[0], [...(value[1] as unknown[])].map((item) => JSON.stringify(item)).sort()]
          : value,
      ]),
  );
}

async function dump(): Promise<unknown> {
  const results = await nb.client.transact(
    TABLES.map((name) => ({ op: "select" as const, table: name, where: [], columns: ["_uuid", ...schema.table(name).columns.keys()] })),
  );
  const tables = results.map(({ rows = [] }, index) => {
    const definition = schema.table(TABLES[index]!);
    return [
      TABLES[index]!,
      Object.fromEntries(rows.map((wire) => [(wire._uuid as readonly ["uuid", string])[1], shown(definition, definition.decodeRow(wire))])),
    ] as const;
  });
  return Object.fromEntries(tables.filter(([, rows]) => Object.keys(rows).length > 0));
}

const MADE: Operation = { op: "insert", table: "Static_MAC_Binding", uuid: "00000000-0000-4000-8000-000000000505", row: {} };
const GONE: Operation = { op: "delete", table: "Static_MAC_Binding", where: [] };

it("equals a real server in results, errors, garbage collection and contents", async () => {
  const transaction = fc.array(operation, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 12 }), async (transactions) => {
      await nb.client.transact(TABLES.filter((name) => schema.table(name).isRoot).map((name) => ({ op: "delete" as const, table: name, where: [] })));
      const model = new OvsdbModel(schema);
      for (const operations of transactions) {
        expect(await outcome(() => model.execute(operations))).toEqual(await outcome(() => nb.client.transact(operations)));
        expect(model.dump()).toEqual(await dump());
      }
    }),
    { numRuns: 300, examples: [[[[MADE, GONE, MADE]]], [[[MADE], [GONE, MADE]]]] },
  );
});

it("removes weak references to deleted rows, and refuses strong references to missing ones", async () => {
  const model = new OvsdbModel(schema);
  const [balancer, router, port] = ["Load_Balancer", "Logical_Router", "Logical_Router_Port"].map((name) => uuid(name, 9)) as [string, string, string];
  await nb.clear("Logical_Router", "Load_Balancer", "Static_MAC_Binding");
  const steps: Operation[][] = [
    [
      { op: "insert", table: "Load_Balancer", uuid: balancer, row: { name: "lb" } },
      { op: "insert", table: "Logical_Router", uuid: router, row: { name: "r", load_balancer: ["uuid", balancer] } },
    ],
    [{ op: "delete", table: "Load_Balancer", where: [] }],
    [{ op: "mutate", table: "Logical_Router", where: [], mutations: [["ports", "insert", ["set", [["uuid", port]]]]] }],
  ];
  for (const operations of steps) {
    expect(await outcome(() => model.execute(operations))).toEqual(await outcome(() => nb.client.transact(operations)));
    expect(model.dump()).toEqual(await dump());
  }
  expect(model.dump()).toEqual({ Logical_Router: { [router]: { name: "r" } } });
});
