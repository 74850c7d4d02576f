import fc from "fast-check";
import { z } from "zod";
import { once, onceForLasting, recordOfLasting } from "../../../provider/arguments/once";
import { argumentNames, checked } from "../../../provider/arguments/validate";
import { lasting } from "../../../provider/memo/lasting";
import { ip, name } from "../../../provider/topology/fields";

const entry = z.strictObject({ tier: name, at: z.array(ip), size: z.int().optional() });
const plainList = z.record(name, entry);

/** A schema whose entries are counted as they are read. */
function counted() {
  const read: unknown[] = [];
  const list = z.record(
    z.string(),
    entry.transform((value) => (read.push(value), value)),
  );
  return { read, schema: z.strictObject({ list: once(list), own: z.string().optional() }) };
}

const of = (at: string) => ({ a: { tier: "web", at: [at] } });

test("equal content is read once, and is one object that nobody can change", () => {
  const { read, schema } = counted();
  const [first, second] = [schema.parse({ list: of("FD00::1"), own: "x" }), schema.parse({ own: "y", list: of("FD00::1") })];
  expect([first, second]).toEqual([
    { list: of("fd00::1"), own: "x" },
    { list: of("fd00::1"), own: "y" },
  ]);
  expect(first.list).toBe(second.list);
  expect(read).toHaveLength(1);
  expect(() => first.list["a"]!.at.push("fd00::2")).toThrow(TypeError);
  expect(() => Object.assign(first.list["a"]!, { tier: "db" })).toThrow(TypeError);
});

test("other content is never taken for it, whatever differs", () => {
  const { schema } = counted();
  schema.parse({ list: of("10.0.0.1") });
  for (const list of [of("10.0.0.2"), { b: { tier: "web", at: ["10.0.0.1"] } }, { a: { tier: "db", at: ["10.0.0.1"] } }, { a: { tier: "web", at: [] } }, {}])
    expect(schema.parse({ list })).toEqual({ list });
});

test("what has another JSON than it is, is read each time", () => {
  const { read, schema } = counted();
  const list = { a: { tier: "web", at: [], size: undefined } };
  expect([schema.parse({ list }), schema.parse({ list })]).toEqual([{ list }, { list }]);
  expect(read).toHaveLength(2);
  // Each has the JSON of a list that is known.
  schema.parse({ list: of("10.0.0.1") });
  schema.parse({ list: { a: { tier: "web", at: [], size: 0 } } });
  for (const other of [{ a: { tier: { toJSON: () => "web" }, at: ["10.0.0.1"] } }, { a: { tier: "web", at: [new String("10.0.0.1")] } }, new Map([["a", 1]])])
    expect(schema.safeParse({ list: other }).success).toBe(false);
});

test("as many as a few networks have are kept, and no more", () => {
  const { read, schema } = counted();
  for (let address = 1; address <= 65; address++) schema.parse({ list: of(`10.0.0.${address}`) });
  schema.parse({ list: of("10.0.0.65") });
  expect(read).toHaveLength(65);
  schema.parse({ list: of("10.0.0.1") });
  expect(read).toHaveLength(66);
});

test("a schema that asks once says what it says otherwise, also of the same again", () => {
  const [plain, asking] = [z.strictObject({ list: plainList.default({}) }), z.strictObject({ list: once(plainList).default({}) })];
  const value = fc.oneof(
    fc.constantFrom("web", "10.0.0.1", "fd00::1", "", "a b", "\ud800"),
    fc.integer({ min: -1, max: 1 }),
    fc.constant(null),
    fc.constant(undefined),
  );
  const anEntry = fc.oneof(
    fc.record({ tier: fc.constantFrom<unknown>("web", 1), at: fc.array(value, { maxLength: 2 }), size: value, more: value }, { requiredKeys: [] }),
    value,
  );
  const lists = fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "a b"), anEntry, { maxKeys: 2 }), value);
  fc.assert(
    fc.property(lists, (list) => {
      const expected = checked(plain, { list });
      expect(checked(asking, { list })).toEqual(expected);
      expect(checked(asking, { list })).toEqual(expected);
    }),
  );
});

test("a required argument is required, and names inside of it are known", () => {
  const schema = z.strictObject({ list: once(plainList) });
  expect(checked(schema, {}).failures).toEqual([{ path: "list", code: "required", message: "is required" }]);
  expect(argumentNames(schema, ["list", "a"])).toEqual(["tier", "at", "size"]);
  expect(checked(schema, { list: { a: { tier: "web", att: [] } } }).failures).toContainEqual({
    path: "list.a.att",
    code: "unknown-argument",
    message: 'there is no argument "att"; did you mean "at"?',
  });
});

describe("of an object that lasts", () => {
  const counted = () => {
    const read: unknown[] = [];
    return { read, schema: z.record(z.string(), onceForLasting(entry.transform((value) => (read.push(value), value)))) };
  };

  it("is read once, also where it is in another list, and its value lasts", () => {
    const { read, schema } = counted();
    const web = lasting({ tier: "web", at: ["FD00::1"] });
    const [first, second] = [schema.parse({ a: web }), schema.parse({ b: web, c: lasting({ tier: "db", at: [] }) })];
    expect([first, second]).toEqual([{ a: { tier: "web", at: ["fd00::1"] } }, { b: { tier: "web", at: ["fd00::1"] }, c: { tier: "db", at: [] } }]);
    expect(first["a"]).toBe(second["b"]);
    expect(() => first["a"]!.at.push("fd00::2")).toThrow(TypeError);
    expect(read).toHaveLength(2);
  });

  it("is read each time where it may change, or is refused, with the same failures", () => {
    const { read, schema } = counted();
    const web = { tier: "web", at: ["10.0.0.1"] };
    schema.parse({ a: web });
    web.at.push("10.0.0.2");
    expect(schema.parse({ a: web })).toEqual({ a: { tier: "web", at: ["10.0.0.1", "10.0.0.2"] } });
    expect(read).toHaveLength(2);
    const wrong = lasting({ tier: "web", at: ["x"], more: 1 });
    for (const _time of [1, 2])
      expect(checked(z.strictObject({ list: schema }), { list: { a: wrong } })).toEqual(
        checked(z.strictObject({ list: z.record(z.string(), entry) }), { list: { a: { ...wrong } } }),
      );
  });
});

describe("a record of what lasts", () => {
  const counted = () => {
    const read: unknown[] = [];
    return {
      read,
      schema: recordOfLasting(
        name,
        entry.transform((value) => (read.push(value), value)),
      ),
    };
  };

  it("is a list of its own, of values that are read once", () => {
    const { read, schema } = counted();
    const [web, db] = [lasting({ tier: "web", at: ["FD00::1"] }), lasting({ tier: "db", at: [] })];
    const [both, one] = [schema.parse({ b: web, a: db }), schema.parse({ c: web })] as [Record<string, unknown>, Record<string, unknown>];
    expect([both, one]).toEqual([{ b: { tier: "web", at: ["fd00::1"] }, a: { tier: "db", at: [] } }, { c: { tier: "web", at: ["fd00::1"] } }]);
    expect([Object.keys(both), both["b"] === one["c"], Object.isFrozen(both)]).toEqual([["b", "a"], true, false]);
    expect(read).toHaveLength(2);
    expect(schema.parse({})).toEqual({});
  });

  it("says what any record says: of names, of entries that last or do not, of what is no record", () => {
    const good = { tier: "web", at: ["10.0.0.1"] };
    const wrong = { tier: "web", at: ["x"], more: 1 };
    for (const list of [
      { "a b": good },
      { a: wrong },
      { a: good, b: wrong },
      { a: undefined },
      { a: null },
      { "": good },
      [good],
      [],
      new Map([["a", good]]),
      new Date(0),
      "a",
      null,
      undefined,
      1,
    ]) {
      const last =
        typeof list === "object" && list !== null && Object.getPrototypeOf(list) === Object.prototype
          ? Object.fromEntries(Object.entries(list).map(([key, value]) => [key, lasting(structuredClone(value))]))
          : list;
      const [plain, { schema }] = [z.strictObject({ list: plainList }), counted()];
      for (const given of [list, last, last]) expect(checked(z.strictObject({ list: schema }), { list: given })).toEqual(checked(plain, { list: given }));
    }
    expect(argumentNames(z.strictObject({ list: recordOfLasting(name, entry) }), ["list", "a"])).toEqual(["tier", "at", "size"]);
  });
});
