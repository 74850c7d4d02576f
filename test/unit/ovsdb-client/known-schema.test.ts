import type { Since } from "@pulumi-ovn/ovsdb-client";
import { knownSchema } from "@pulumi-ovn/ovsdb-client/testing";

const never: Since = () => undefined;
const schema = (column: string, limit: number | bigint = 1) => ({
  name: "D",
  version: "1.0.0",
  cksum: "1 2",
  tables: { T: { columns: { [column]: { type: { key: { type: "integer", maxInteger: limit } } } } } },
});

describe("knownSchema", () => {
  it("parses equal texts once", () => {
    const first = knownSchema(schema("a"), never);
    expect(first.table("T").columns.has("a")).toBe(true);
    expect(knownSchema(schema("a"), never)).toBe(first);
  });

  it("compares the whole text, not its name, version or checksum", () => {
    const [first, second] = [knownSchema(schema("a"), never), knownSchema(schema("b"), never)];
    expect([...second.table("T").columns.keys()]).toEqual(["b"]);
    expect([...first.table("T").columns.keys()]).toEqual(["a"]);
  });

  it("keeps the known releases with the schema", () => {
    const since: Since = () => "release 7";
    knownSchema(schema("a"), never);
    expect(() => knownSchema(schema("a"), since).table("missing")).toThrow(expect.objectContaining({ since: "release 7" }));
    expect(() => knownSchema(schema("a"), never).table("missing")).toThrow(expect.objectContaining({ since: undefined }));
  });

  it("reads integers of 64 bits, and refuses an invalid schema each time", () => {
    const large = knownSchema(schema("a", 2n ** 63n - 1n), never);
    expect(large.table("T").column("a").type.key.maxInteger).toBe(2n ** 63n - 1n);
    for (const _time of [1, 2]) expect(() => knownSchema({ name: "D" }, never)).toThrow(expect.objectContaining({ code: "OVSDB_SCHEMA" }));
  });

  it("does not compare parts that another server sends, and that no message may contain", () => {
    const odd = { ...schema("odd"), note: "\u0000\ud800", tiny: 1e-310 };
    const first = knownSchema(odd, never);
    expect(knownSchema(schema("plain"), never).table("T").has("plain")).toBe(true);
    expect(knownSchema({ ...odd }, never)).toBe(first);
  });

  it("parses the columns of a table at the first use, and refuses invalid ones each time", () => {
    const { tables } = schema("a");
    const bad = { columns: { "b c": { type: "integer" } } };
    const read = knownSchema({ name: "D", tables: { ...tables, Bad: bad, None: {} } }, never);
    expect([...read.tables.keys()]).toEqual(["T", "Bad", "None"]);
    expect(read.table("T").column("a").path).toBe("T.a");
    for (const _time of [1, 2]) {
      expect(() => read.table("Bad").has("a")).toThrow(
        expect.objectContaining({ code: "OVSDB_SCHEMA", message: 'schema: "b c" is not a name for a column of Bad' }),
      );
      expect(() => read.table("None").columns).toThrow(expect.objectContaining({ code: "OVSDB_SCHEMA", message: "None.columns: an object was expected" }));
    }
    expect(read.table("T").columns).toBe(read.table("T").columns);
  });

  it("forgets the oldest of many", () => {
    const first = knownSchema(schema("first"), never);
    for (let index = 0; index < 6; index++) knownSchema(schema(`c${index}`), never);
    expect(knownSchema(schema("first"), never)).not.toBe(first);
  });
});
