import { type DatabaseSchema, type MonitorTables, type OvsdbError, parseSchema, ProtocolError, SchemaError } from "@pulumi-ovn/ovsdb-client";
import { type Answered, type Contents, Copy, Inquiry, NO_TRANSACTION } from "@pulumi-ovn/ovsdb-client/testing";

const schema = (columns: object = { name: { type: "string" } }): DatabaseSchema => parseSchema({ name: "Test", version: "1.0.0", tables: { T: { columns } } });
const TRANSACTION = "11111111-1111-1111-1111-111111111111";
const UNKNOWN = { error: "unknown method" };

/** An inquiry to a server that answers when the test decides. */
function asking(tables: MonitorTables = { T: {} }, readSchema: (reply: unknown) => DatabaseSchema = () => schema()) {
  const open: { method: string; params: readonly unknown[]; answered: Answered; takesParts: boolean }[] = [];
  const contents: Contents[] = [];
  const failed: OvsdbError[] = [];
  const copy = new Copy(tables, schema());
  const inquirer = {
    id: "m",
    database: "Test",
    endpoint: "unix:e",
    readSchema,
    ask: (method: string, params: readonly unknown[], answered: Answered, takesParts = false) => void open.push({ method, params, answered, takesParts }),
    contents: (found: Contents) => void contents.push(found),
    failed: (error: OvsdbError) => void failed.push(error),
  };
  const inquiry = new Inquiry(inquirer, copy);
  /** The oldest question gets this answer. */
  const answer = (result: unknown, error?: unknown) => open.shift()!.answered(result, error);
  return { inquiry, copy, open, contents, failed, answer, asked: () => open.map(({ method }) => method) };
}

test("requests the schema first, unless it is known; rows may arrive in parts", () => {
  const { inquiry, open, answer, contents } = asking();
  inquiry.begin();
  expect(open.map(({ method, takesParts }) => [method, takesParts])).toEqual([
    ["get_schema", false],
    ["monitor_cond_since", true],
  ]);
  answer({});
  answer([true, TRANSACTION, {}]);
  expect(contents).toEqual([{ found: true, transaction: TRANSACTION, updates: {} }]);
  inquiry.begin(true);
  expect(open.map(({ method, params }) => [method, params])).toEqual([["monitor_cond_since", ["Test", "m", { T: [{ columns: ["name"] }] }, NO_TRANSACTION]]]);
});

test("uses older methods with older servers, and fails if the server knows none", () => {
  const { inquiry, asked, answer, failed, contents } = asking();
  inquiry.begin(true);
  for (const next of ["monitor_cond", "monitor"] as const) {
    answer(null, UNKNOWN);
    expect([asked(), inquiry.method]).toEqual([["get_schema", next], next]);
    answer({});
  }
  answer(null, UNKNOWN);
  expect([asked(), failed.map(({ message }) => message), contents]).toEqual([[], [expect.stringContaining("unknown method")], []]);
});

test("ends at any other refusal, with every method", () => {
  const { inquiry, asked, answer, failed } = asking();
  inquiry.begin(true);
  answer(null, { error: "syntax error", details: "d" });
  expect([asked(), failed, inquiry.method]).toEqual([[], [expect.objectContaining({ code: "OVSDB_RPC", error: "syntax error" })], "monitor_cond_since"]);
});

test("ends at conditions that a server is too old for", () => {
  const { inquiry, asked, answer, failed } = asking({ T: { where: [["name", "==", "a"]] } });
  inquiry.begin(true);
  answer(null, UNKNOWN);
  answer({});
  answer(null, UNKNOWN);
  expect([asked(), failed]).toEqual([[], [expect.objectContaining({ error: "not supported" })]]);
});

test("requests both after a conversion; a refused monitor is not cancelled", () => {
  jest.useFakeTimers();
  const { inquiry, asked, answer, contents, failed } = asking();
  inquiry.begin(true);
  inquiry.schemaChanged();
  answer([false, TRANSACTION, {}]);
  expect([asked(), contents]).toEqual([["monitor_cancel", "get_schema", "monitor_cond_since"], []]);
  answer({});
  answer({});
  inquiry.schemaChanged();
  answer(null, { error: "syntax error" });
  // The second time within a second.
  expect(asked()).toEqual([]);
  jest.advanceTimersByTime(50);
  jest.useRealTimers();
  expect([asked(), failed]).toEqual([["get_schema", "monitor_cond_since"], []]);
});

test("ends at an invalid schema; an invalid message ends the connection", () => {
  const lacking = asking({ T: {} }, () => {
    throw new SchemaError("lacks");
  });
  lacking.inquiry.begin();
  lacking.answer({});
  expect(lacking.failed.map(({ code }) => code)).toEqual(["OVSDB_SCHEMA"]);
  const garbage = asking({ T: {} }, () => {
    throw new ProtocolError("garbage");
  });
  garbage.inquiry.begin();
  expect(() => garbage.answer({})).toThrow("garbage");
  expect(garbage.failed).toEqual([]);
});

describe("a copy", () => {
  const rows = (names: Record<string, string>) => ({ T: Object.fromEntries(Object.entries(names).map(([uuid, name]) => [uuid, { initial: { name } }])) });
  const names = (copy: Copy) => [...copy.tables.get("T")!].map((row) => row.get("name"));
  const whole = (updates: unknown): Contents => ({ found: false, transaction: TRANSACTION, updates });

  test("reports no changes for its first contents, and only differences after a second read", () => {
    const copy = new Copy({ T: {} }, schema());
    expect(copy.renew(whole(rows({ a: "a", b: "b" })))).toEqual({ first: true, changes: [] });
    expect(copy.since).toBe(TRANSACTION);
    const missed = copy.renew({ found: true, transaction: TRANSACTION, updates: rows({ c: "c" }) });
    expect([missed.first, missed.changes.map(({ uuid }) => uuid), names(copy)]).toEqual([false, ["c"], ["a", "b", "c"]]);
    expect(copy.renew(whole(rows({ a: "a" }))).changes.map(({ uuid }) => uuid)).toEqual(["b", "c"]);
  });

  test("reads everything after an invalid update, and reports the end of this read", () => {
    const copy = new Copy({ T: {} }, schema());
    copy.renew(whole(rows({ a: "a" })));
    expect(() => copy.renew({ found: true, transaction: TRANSACTION, updates: { T: { a: null } } })).toThrow(ProtocolError);
    expect([copy.since, copy.unreadable]).toEqual([NO_TRANSACTION, false]);
    expect(() => copy.renew(whole({ T: { a: null } }))).toThrow(ProtocolError);
    expect([copy.unreadable, names(copy)]).toEqual([true, ["a"]]);
    copy.renew(whole(rows({ a: "a" })));
    expect(() => copy.update(TRANSACTION, { T: { a: null } })).toThrow(ProtocolError);
    expect(copy.since).toBe(NO_TRANSACTION);
    copy.update(TRANSACTION, { T: { a: { modify: { name: "b" } } } });
    expect([copy.since, names(copy)]).toEqual([TRANSACTION, ["b"]]);
  });

  test("of another schema: requests for other columns, or since earlier rows, are discarded", () => {
    const text = { type: "string" };
    const named = new Copy({ T: { columns: ["name"] } }, schema());
    expect(named.convert(schema({ name: text, more: text }))).toBe(false);
    expect(named.convert(schema({ name: { type: "integer" } }))).toBe(false);
    named.renew(whole({}));
    expect(named.convert(schema())).toBe(true);
    expect(named.since).toBe(NO_TRANSACTION);
    expect(new Copy({ T: {} }, schema()).convert(schema({ name: text, more: text }))).toBe(true);
    expect(() => named.convert(schema({ more: text }))).toThrow(SchemaError);
  });
});
