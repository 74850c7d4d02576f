import { knownSchema } from "../../../ovsdb-client/schema/known";
import type { Since } from "../../../ovsdb-client/schema/schema";

const never: Since = () => undefined;
const schema = (column: string, limit: number | bigint = 1) => ({
  name: "D",
  version: "1.0.0",
  cksum: "1 2",
  tables: { T: { columns: { [column]: { type: { key: { type: "integer", maxInteger: limit } } } } } },
});

describe("knownSchema", () => {
  it("reads an equal text once", () => {
    const first = knownSchema(schema("a"), never);
    expect(first.table("T").columns.has("a")).toBe(true);
    expect(knownSchema(schema("a"), never)).toBe(first);
  });

  it("goes by the whole text, not by its name, version or checksum", () => {
    const [first, second] = [knownSchema(schema("a"), never), knownSchema(schema("b"), never)];
    expect([...second.table("T").columns.keys()]).toEqual(["b"]);
    expect([...first.table("T").columns.keys()]).toEqual(["a"]);
  });

  it("keeps what is known of releases with the schema", () => {
    const since: Since = () => "release 7";
    knownSchema(schema("a"), never);
    expect(() => knownSchema(schema("a"), since).table("missing")).toThrow(expect.objectContaining({ since: "release 7" }));
    expect(() => knownSchema(schema("a"), never).table("missing")).toThrow(expect.objectContaining({ since: undefined }));
  });

  it("reads integers of 64 bits, and refuses what is no schema each time", () => {
    const large = knownSchema(schema("a", 2n ** 63n - 1n), never);
    expect(large.table("T").column("a").type.key.maxInteger).toBe(2n ** 63n - 1n);
    for (const _time of [1, 2]) expect(() => knownSchema({ name: "D" }, never)).toThrow(expect.objectContaining({ code: "OVSDB_SCHEMA" }));
  });

  it("forgets the oldest of many", () => {
    const first = knownSchema(schema("first"), never);
    for (let index = 0; index < 6; index++) knownSchema(schema(`c${index}`), never);
    expect(knownSchema(schema("first"), never)).not.toBe(first);
  });
});
