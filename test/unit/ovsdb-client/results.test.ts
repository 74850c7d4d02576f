import { OperationError, ProtocolError, type Operation } from "@pulumi-ovn/ovsdb-client";
import { readResults, writesNothing } from "@pulumi-ovn/ovsdb-client/testing";

const insert: Operation = { op: "insert", table: "T", row: {} };
const select: Operation = { op: "select", table: "T", where: [], columns: ["later"] };
const comment: Operation = { op: "comment", comment: "x" };
const uuid = ["uuid", "u"];
const since = (table: string, column?: string) => (column === "later" || table === "Later" ? "OVN 25.03" : undefined);
const read = (operations: Operation[], result: unknown) => readResults(operations, result, since, "unix:x");

function failure(operations: Operation[], result: unknown): OperationError {
  try {
    read(operations, result);
  } catch (error) {
    expect(error).toBeInstanceOf(OperationError);
    return error as OperationError;
  }
  throw new Error("no error");
}

describe("results of a transaction", () => {
  test("are in the order of the operations", () => {
    expect(read([insert, select, comment], [{ uuid }, { rows: [] }, {}])).toEqual([{ uuid }, { rows: [] }, {}]);
    expect(read([], [])).toEqual([]);
  });

  test("a failed operation keeps its index, and the results before it", () => {
    const results = [{}, { error: "constraint violation", details: "why" }, null];
    expect(failure([comment, insert, comment], results)).toMatchObject({
      code: "OVSDB_OPERATION",
      error: "constraint violation",
      details: "why",
      operationIndex: 1,
      operation: insert,
      results,
      endpoint: "unix:x",
      message: "operation 1: constraint violation: why",
    });
  });

  test("a failed commit", () => {
    expect(failure([insert], [{ uuid }, { error: "referential integrity violation" }])).toMatchObject({
      operationIndex: "commit",
      operation: undefined,
      message: "commit: referential integrity violation",
    });
    // ovsdb-server on a full disk.
    const full = { details: "nb.db: write failed", error: "I/O error", "io-error": "No space left on device" };
    expect(failure([insert], [{ uuid }, full]).message).toBe("commit: I/O error: nb.db: write failed (No space left on device)");
  });

  test.each([
    ["No column later in table T.", "T.later came with OVN 25.03"],
    ["Parsing ovsdb operation 1 of 1 failed: No table named Later.", "table Later came with OVN 25.03"],
    ["later is not a valid column name", "T.later came with OVN 25.03"],
  ])("an old server: %s", (details, hint) => {
    expect(failure([select], [{ error: "unknown column", details }]).message).toBe(`operation 0: unknown column: ${details} (${hint})`);
  });

  test("a column of no release has no hint", () => {
    expect(failure([select], [{ error: "unknown column", details: "No column x in table T." }]).message).toBe(
      "operation 0: unknown column: No column x in table T.",
    );
  });

  test.each<[string, unknown]>([
    ["no array", {}],
    ["too short", [{ uuid }]],
    ["too long", [{ uuid }, { rows: [] }, {}]],
    ["far too long, with an error", [{ uuid }, { rows: [] }, {}, { error: "x" }]],
    ["null where nothing failed", [null, { rows: [] }]],
    ["an error without a name", [{ error: 1 }, null]],
    ["no uuid", [{}, { rows: [] }]],
    ["no rows", [{ uuid }, { count: 1 }]],
    ["not an object", [{ uuid }, 7]],
  ])("%s is not a result", (_name, result) => {
    expect(() => read([insert, select], result)).toThrow(ProtocolError);
  });

  test("counts", () => {
    const operation: Operation = { op: "delete", table: "T", where: [] };
    expect(read([operation], [{ count: 2 }])).toEqual([{ count: 2 }]);
    expect(() => read([operation], [{}])).toThrow("result 0 is not that of delete");
  });

  test("only selects, waits and comments may be sent again", () => {
    const wait: Operation = { op: "wait", table: "T", where: [], columns: [], until: "==", rows: [] };
    expect(writesNothing([select, wait, comment])).toBe(true);
    expect(writesNothing([select, insert])).toBe(false);
    expect(writesNothing([{ op: "assert", lock: "l" }])).toBe(false);
  });
});
