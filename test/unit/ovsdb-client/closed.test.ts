import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { OpenTimers } from "../../support/open-timers";
import { FakeServer } from "../../support/ovsdb-fake";
import { promptly } from "../../support/own-timers";
import { until } from "../../support/until";

afterEach(() => jest.restoreAllMocks());

const write = (client: OvsdbClient) => client.transact([{ op: "insert", table: "T", row: {} }]);

test("calls of a client that was closed while it connected fail immediately, and leave no timer", async () => {
  const fake = await FakeServer.start();
  const timers = new OpenTimers();
  const client = await connect(fake.endpoint, { database: "Test" });
  const { endpoint } = client;
  await fake.stop();
  await until(() => !client.connected);
  const before = failure(write(client));
  await client.close();
  const closed = { code: "OVSDB_CONNECTION", message: `${endpoint}: the client was closed` };
  const calls = [before, ...[write(client), client.echo(), client.getSchema(), client.lock("l")].map((call) => failure(call))];
  expect(await promptly(Promise.all(calls), () => "a call")).toEqual(calls.map(() => expect.objectContaining(closed)));
  expect(timers.end()).toBe(0);
});

test("a lock requested while the client is closed leaves no timer", async () => {
  const fake = await FakeServer.start(({ method }) => method === "lock" || method === "unlock");
  const timers = new OpenTimers();
  const client = await connect(fake.endpoint, { database: "Test" });
  const asked = failure(client.lock("l"));
  await until(() => fake.of("lock").length > 0);
  await client.close();
  expect((await asked).code).toBe("OVSDB_CONNECTION");
  expect(timers.end()).toBe(0);
  await fake.stop();
});
