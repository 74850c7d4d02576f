import { ConnectionError, OperationError, ProtocolError, RpcError, SchemaError } from "@pulumi-ovn/ovsdb-client";

const FORGED = "x\nOVSDB_CONNECTION: forged\u001b[2J\u202e";
const TAMED = "x; OVSDB_CONNECTION: forged\\u001b[2J\\u202e";

describe("errors of a server's reports", () => {
  test("concern the whole request", () => {
    const error = new RpcError("echo", FORGED, FORGED);
    expect([error.message, error.error, error.details]).toEqual([`echo: ${TAMED}: ${TAMED}`, TAMED, TAMED]);
    expect(new RpcError("echo", "e")).toMatchObject({ message: "echo: e", details: undefined });
  });

  test("concern one operation", () => {
    const error = new OperationError({ error: FORGED, details: FORGED, operationIndex: 0, results: [] });
    expect([error.message, error.error, error.details]).toEqual([`operation 0: ${TAMED}: ${TAMED}`, TAMED, TAMED]);
  });

  test("keep the beginning and the end of a long report", () => {
    const details = `identical values ("${"x".repeat(100_000)}") for index.  Second row, with UUID 6d6c4b0e-2cb5-8b4f-9a3e-000000000000, existed in the database`;
    const error = new OperationError({ error: "e".repeat(100_000), details, operationIndex: "commit", results: [] });
    expect(error.message.length).toBeLessThan(2100);
    expect(error.details!.length).toBe(1005);
    expect(error.details).toMatch(
      /^identical values \("x+ \.\.\. x+"\) for index\. {2}Second row, with UUID 6d6c4b0e-2cb5-8b4f-9a3e-000000000000, existed in the database$/,
    );
  });

  test.each([ProtocolError, SchemaError, ConnectionError])("have another form: %p", (kind) => {
    const { message } = new kind(`${FORGED}${"x".repeat(100_000)}`);
    expect(message.startsWith(TAMED)).toBe(true);
    expect(message.length).toBeLessThan(4100);
  });
});

test("name the connection's endpoint once", () => {
  expect(new ConnectionError("lost", { endpoint: "tcp:h:1" }).message).toBe("tcp:h:1: lost");
  expect(new ProtocolError("tcp:h:1: odd", { endpoint: "tcp:h:1" }).message).toBe("tcp:h:1: odd");
  expect(new ConnectionError("lost").message).toBe("lost");
});
