import { copyFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type ClientOptions, connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { cluster, type TestCluster } from "../../support/ovsdb-server";
import { until } from "../../support/until";

/** Clusters of one member each: what happens to it is what happens to the cluster. */
let ours: TestCluster;
let other: TestCluster;
const clients: OvsdbClient[] = [];
const unreachable: string[] = [];
/** Whether the last round found another cluster everywhere. */
let otherCluster: boolean | undefined;

beforeEach(async () => {
  [ours, other] = await Promise.all([cluster(1), cluster(1)]);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all([ours.remove(), other.remove()]);
});

async function client(endpoints: string, options: Partial<ClientOptions> = {}): Promise<OvsdbClient> {
  unreachable.length = 0;
  const listener = {
    unreachable: (event: { problem: { message: string }; otherCluster: boolean }) => {
      unreachable.push(event.problem.message);
      otherCluster = event.otherCluster;
    },
  };
  const made = await connect(endpoints, { database: "Test", shuffle: false, reconnect: { initialDelay: 5, maxDelay: 20 }, listener, ...options });
  clients.push(made);
  return made;
}
const insert = (to: OvsdbClient, name: string) => to.transact([{ op: "insert", table: "Parent", row: { name } }]);
const names = async (of: OvsdbClient) =>
  (await of.transact([{ op: "select", table: "Parent", where: [], columns: ["name"] }]))[0].rows.map(({ name }) => name).sort();
const clusterId = async (group: TestCluster) => (await group.members[0]!.appctl("cluster/status", "Test")).match(/^Cluster ID: .*\(([0-9a-f-]+)\)$/m)![1]!;

describe("another cluster", () => {
  test("is not used; the own one is waited for", async () => {
    const session = await client(`${ours.endpoints},${other.endpoints}`);
    await insert(session, "a");
    await ours.members[0]!.stop();
    await until(() => unreachable.length > 2);
    expect(unreachable.at(-1)).toContain(`the server belongs to cluster ${await clusterId(other)}, not to `);
    // One of the two does not answer.
    expect([session.connected, otherCluster]).toEqual([false, false]);
    await ours.members[0]!.start();
    expect(await names(session)).toEqual(["a"]);
    expect(session.endpoint).toBe(ours.endpoints);
    expect(await clusterId(ours)).toBe(unreachable.at(-1)!.match(/not to ([0-9a-f-]+)/)![1]);
  });

  test("is used without the check, or after forgetCluster", async () => {
    const careless = await client(`${ours.endpoints},${other.endpoints}`, { checkMembers: false });
    const careful = await client(`${ours.endpoints},${other.endpoints}`);
    await ours.members[0]!.stop();
    expect(await names(careless)).toEqual([]);
    expect(careless.endpoint).toBe(other.endpoints);
    await until(() => unreachable.length > 0);
    expect(otherCluster).toBe(false);
    // Instead of the own one there is the other one now, too.
    await symlink(other.members[0]!.socket, ours.members[0]!.socket);
    await until(() => otherCluster === true);
    expect(careful.connected).toBe(false);
    careful.forgetCluster();
    expect(await names(careful)).toEqual([]);
    expect(careful.endpoint).toBe(other.endpoints);
  });

  test("is refused at the first connection with a given cluster id", async () => {
    const [wanted, first] = [await clusterId(other), await clusterId(ours)];
    const session = await client(`${ours.endpoints},${other.endpoints}`, { clusterId: wanted });
    expect(session.endpoint).toBe(other.endpoints);
    await expect(connect(ours.endpoints, { database: "Test", clusterId: wanted })).rejects.toMatchObject({
      name: "WrongClusterError",
      code: "OVSDB_CONNECTION",
      message: `${ours.endpoints}: the server belongs to cluster ${first}, not to ${wanted}`,
    });
  });
});

describe("a member with old data", () => {
  /** The session's only server returns with the log as it was before the last writes. */
  async function restored(options: Partial<ClientOptions>): Promise<OvsdbClient> {
    const [member] = ours.members as [TestCluster["members"][0]];
    const [log, copy] = [join(ours.folder, "s0.db"), join(ours.folder, "old.db")];
    const session = await client(ours.endpoints, options);
    // The copy is newer than the connection, so what came with it does not tell that it is old.
    await insert(session, "before");
    await copyFile(log, copy);
    for (const name of ["a", "b", "c", "d", "e", "f"]) await insert(session, name);
    await member.stop();
    await copyFile(copy, log);
    await member.start();
    return session;
  }

  test("is not used", async () => {
    const session = await restored({});
    await until(() => unreachable.some((message) => message.includes("the server's data is old: it is at index ")));
    expect(session.connected).toBe(false);
    session.forgetCluster();
    expect(await names(session)).toEqual(["before"]);
  });

  test("is used without the check", async () => {
    const session = await restored({ checkMembers: false });
    expect(await names(session)).toEqual(["before"]);
    expect(unreachable.filter((message) => message.includes("is old"))).toEqual([]);
  });
});

test("endpoints are tried in random order by default, and errors have the caller's order", async () => {
  const endpoints = `${ours.endpoints},${other.endpoints}`;
  const used = new Set<string>();
  for (let turn = 0; turn < 100 && used.size < 2; turn++) {
    await using session = await connect(endpoints, { database: "Test" });
    used.add(session.endpoint);
  }
  expect([...used].sort()).toEqual(endpoints.split(",").sort());
  for (let turn = 0; turn < 10; turn++) {
    await using session = await connect(endpoints, { database: "Test", shuffle: false });
    expect(session.endpoint).toBe(ours.endpoints);
    const error: Error = await connect("unix:/nowhere/1,unix:/nowhere/2", { database: "Test" }).then(
      () => new Error("none"),
      (problem: Error) => problem,
    );
    expect(error.message).toMatch(/^unix:\/nowhere\/1: .*; unix:\/nowhere\/2: /);
  }
});
