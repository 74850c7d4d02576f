import { connect, type OvsdbClient, type OvsdbError } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { testSchema } from "../../support/ovsdb-schema";
import { type Answer, FakeServer, reply } from "../../support/ovsdb-fake";

let fake: FakeServer;
let client: OvsdbClient;

/** A server that knows the schema, and breaks the connection once, at the first call of a method. */
async function start(method: string, when: (params: readonly unknown[]) => boolean = () => true): Promise<void> {
  let broken = false;
  const answer: Answer = (request, socket) => {
    if (request.method === "get_schema") return reply(socket, request.id, testSchema);
    if (broken || request.method !== method || !when(request.params)) return false;
    broken = true;
    socket.destroy();
    return true;
  };
  fake = await FakeServer.start(answer);
  client = await connect(fake.endpoint, { database: "Test", timeout: 5000 });
}
const isWrite = (params: readonly unknown[]) => JSON.stringify(params).includes('"insert"');
afterEach(async () => {
  await client.close();
  await fake.stop();
});

test("a transaction whose reply is lost is neither built nor sent again", async () => {
  await start("transact", isWrite);
  let built = 0;
  const error = await failure(client.transaction((tx) => (built++, tx.insert("Parent", { name: "a" }))));
  expect([error.code, built]).toEqual(["OVSDB_OUTCOME_UNKNOWN", 1]);
  await client.echo();
  expect(fake.of("transact").filter(({ params }) => isWrite(params))).toHaveLength(1);
});

test("its reads are sent again", async () => {
  await start("transact", (params) => !isWrite(params));
  const { attempts } = await client.transaction(async (tx) => {
    expect(await tx.select("Parent", { where: { name: "a" }, columns: ["name"], verify: true })).toEqual([]);
    tx.insert("Parent", { name: "a" });
  });
  expect(attempts).toBe(1);
  expect(fake.of("transact").filter(({ params }) => !isWrite(params))).toHaveLength(2);
  expect(fake.of("transact").at(-1)!.params).toEqual([
    "Test",
    { op: "wait", timeout: 0, table: "Parent", where: [["name", "==", "a"]], columns: ["_uuid", "name"], until: "==", rows: [] },
    { op: "insert", table: "Parent", row: { name: "a" }, "uuid-name": expect.stringMatching(/^row\d+$/) },
  ]);
});

test.each([
  [undefined, "OVSDB_OUTCOME_UNKNOWN", 1],
  [true, undefined, 2],
])("another method, with readOnly %s", async (readOnly, code, sent) => {
  await start("compact");
  const result = await client.call("compact", ["x"], { readOnly }).then(
    () => undefined,
    (error: OvsdbError) => error.code,
  );
  await client.echo();
  expect([result, fake.of("compact").map(({ params }) => params)]).toEqual([code, Array.from({ length: sent }, () => ["x"])]);
});

test("a write that is aborted without a connection is never sent", async () => {
  await start("compact");
  await failure(client.call("compact", []));
  expect(client.connected).toBe(false);
  const controller = new AbortController();
  const write = (signal?: AbortSignal) => client.transact([{ op: "insert", table: "Parent", row: {} }], { signal });
  const [given, kept] = [failure(write(controller.signal)), write()];
  controller.abort(new Error("enough"));
  expect(await given).toMatchObject({ code: "OVSDB_ABORTED" });
  await kept;
  expect(fake.of("transact")).toHaveLength(1);
});

test("a read that is aborted before its reply ends as aborted, whatever the server reports", async () => {
  const controller = new AbortController();
  fake = await FakeServer.start(({ method }) => method === "transact" && (setImmediate(() => controller.abort()), true));
  client = await connect(fake.endpoint, { database: "Test", timeout: 5000 });
  const read = client.transact([{ op: "select", table: "Parent", where: [] }], { signal: controller.signal });
  expect(await failure(read)).toMatchObject({ code: "OVSDB_ABORTED" });
});
