import { ColumnSchema, parseSchema, SchemaError } from "@pulumi-ovn/ovsdb-client";
import { testSchema } from "../../support/ovsdb-schema";

const caught = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("database schema", () => {
  const schema = parseSchema(testSchema, (table, column) => (table === "Later" || column === "later" ? "OVN 25.03" : undefined));

  test("names, versions, tables", () => {
    expect([schema.name, schema.version, schema.cksum]).toEqual(["Test", "1.2.3", "12345 678"]);
    expect([...schema.tables.keys()]).toEqual(["Types", "Parent", "Child", "Holder", "Few"]);
    expect([...schema.tables.values()].map((table) => table.isRoot)).toEqual([true, true, false, true, true]);
    expect(schema.table("Few").maxRows).toBe(2);
    expect(schema.table("Parent").maxRows).toBe(Infinity);
    expect(schema.table("Parent").indexes).toEqual([["name"]]);
  });

  test.each([
    ["name", "scalar"],
    ["maybe_count", "optional"],
    ["names", "set"],
    ["pair", "set"],
    ["options", "map"],
  ])("%s is a %s", (name, kind) => {
    const column = schema.table("Types").column(name);
    const kinds = { scalar: column.isScalar, optional: column.isOptional, set: column.isSet, map: column.isMap };
    expect(
      Object.entries(kinds)
        .filter(([, is]) => is)
        .map(([is]) => is),
    ).toEqual([kind]);
  });

  test("types, references, mutability", () => {
    expect(schema.table("Parent").column("children").type).toEqual({ key: { type: "uuid", refTable: "Child", refType: "strong" }, min: 0, max: Infinity });
    expect(schema.table("Parent").column("friends").type.key.refType).toBe("weak");
    expect(schema.table("Types").column("color").type.key.enum).toEqual(["red", "green"]);
    expect(schema.table("Types").column("fixed").mutable).toBe(false);
    expect(schema.table("Types").column("passing").ephemeral).toBe(true);
    expect(schema.table("Types").column("_uuid")).toBeInstanceOf(ColumnSchema);
    expect(schema.table("Types").has("_version")).toBe(true);
    expect(schema.table("Types").has("nothing")).toBe(false);
  });

  test("a missing table or column is named, with the release that brought it", () => {
    const table = caught(() => schema.table("Later")) as SchemaError;
    expect(table).toMatchObject({ code: "OVSDB_SCHEMA", table: "Later", since: "OVN 25.03" });
    expect(table.message).toBe("the server's database Test has no table Later (it came with OVN 25.03)");
    const column = caught(() => schema.table("Types").column("later")) as SchemaError;
    expect(column).toMatchObject({ code: "OVSDB_SCHEMA", table: "Types", column: "later", since: "OVN 25.03" });
    expect(column.message).toBe("the server's table Types has no column later (it came with OVN 25.03)");
    const unknown = caught(() => schema.table("Types").column("x")) as SchemaError;
    expect([unknown.message, unknown.since]).toEqual(["the server's table Types has no column x", undefined]);
  });

  test("a schema without root tables has only root tables", () => {
    const old = parseSchema({ name: "Old", tables: { A: { columns: {} } } });
    expect([old.table("A").isRoot, old.version]).toEqual([true, "0.0.0"]);
  });

  test.each<[unknown, string]>([
    [null, "schema: an object was expected"],
    [{ tables: {} }, "schema: the name is missing"],
    [{ name: "X", tables: { A: { columns: { b: { type: "text" } } } } }, 'A.b: unknown type "text"'],
    [{ name: "X", tables: { A: { columns: { b: { type: { key: "string", min: 2, max: 3 } } } } } }, 'A.b: "min" must be 0 or 1'],
    [{ name: "X", tables: { A: { columns: { b: { type: { key: "string", max: 0 } } } } } }, 'A.b: "max" must be a number from 1, or "unlimited"'],
    [{ name: "X", tables: { A: { columns: { b: { type: { key: { type: "string", minLength: "1" } } } } } } }, "A.b.key: minLength must be a number"],
    [{ name: "X", tables: JSON.parse('{"__proto__":{"columns":{}}}') }, 'schema: "__proto__" is not a name for a table'],
    [{ name: "X", tables: { A: { columns: JSON.parse('{"__proto__":{"type":"string"}}') } } }, 'schema: "__proto__" is not a name for a column of A'],
  ])("%j is not a schema", (json, problem) => {
    const error = caught(() => parseSchema(json));
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as Error).message).toBe(problem);
  });
});
