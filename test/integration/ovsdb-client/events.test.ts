import { type ClientListener, type ClientOptions, connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { cluster, standalone, type TestCluster } from "../../support/ovsdb-server";
import { until } from "../../support/until";

const NAMES = ["connected", "disconnected", "unreachable", "leader", "resynced"] as const;
type Told = { readonly name: (typeof NAMES)[number] } & Record<string, unknown>;

function recorder(): { told: Told[]; listener: ClientListener; names: () => string[] } {
  const told: Told[] = [];
  const listener = Object.fromEntries(NAMES.map((name) => [name, (event: object) => void told.push({ name, ...event })])) as ClientListener;
  return { told, listener, names: () => told.map(({ name }) => name) };
}
const quick: ClientOptions = { database: "Test", reconnect: { initialDelay: 5, maxDelay: 20 }, connectTimeout: 20_000 };
const insert = (to: OvsdbClient, name: string) => to.transact([{ op: "insert", table: "Parent", row: { name } }]);

describe("one server", () => {
  let server: Awaited<ReturnType<typeof standalone>>;
  beforeEach(async () => void (server = await standalone()));
  afterEach(() => server.remove());

  test("reports connected, lost, unreachable, connected again, the monitor's update, closed", async () => {
    const { told, listener, names } = recorder();
    const client = await connect(server.endpoint, { ...quick, listener });
    const at = { endpoint: server.endpoint, position: 0 };
    const connected = { name: "connected", ...at, model: "standalone", clusterId: undefined, serverId: undefined };
    expect(told.splice(0)).toEqual([{ ...connected, first: true }]);
    await client.monitor({ Parent: { columns: ["name"] }, Few: {} });
    await insert(client, "a");
    await server.stop();
    await until(() => names().filter((name) => name === "unreachable").length > 2);
    await server.start();
    await until(() => names().at(-1) === "resynced");
    const rounds = told.filter(({ name }) => name === "unreachable");
    expect(rounds.map((event) => event["rounds"])).toEqual(rounds.map((_, index) => index + 1));
    expect(rounds[0]!["problem"]).toEqual({ code: "OVSDB_CONNECTION", message: expect.stringMatching(/^unix:.*ENOENT|^unix:.*ECONNREFUSED/) });
    expect(told.splice(0).filter((event) => !rounds.includes(event))).toEqual([
      { name: "disconnected", ...at, problem: { code: "OVSDB_CONNECTION", message: `${server.endpoint}: the connection was closed` } },
      { ...connected, first: false },
      { name: "resynced", ...at, tables: ["Parent", "Few"], whole: true, changes: 0 },
    ]);
    await client.close();
    expect(told).toEqual([{ name: "disconnected", ...at, problem: { code: "OVSDB_CONNECTION", message: `${server.endpoint}: the client was closed` } }]);
  });

  test("a subscription reports events until it is ended", async () => {
    await using client = await connect(server.endpoint, quick);
    const [before, after] = [recorder(), recorder()];
    const end = client.subscribe(before.listener);
    client.subscribe(after.listener);
    await server.stop();
    await until(() => !client.connected);
    end();
    await server.start();
    await insert(client, "b");
    expect(before.names().filter((name) => name !== "unreachable")).toEqual(["disconnected"]);
    expect(after.names().filter((name) => name !== "unreachable")).toEqual(["disconnected", "connected"]);
  });

  test("no event contains the arguments of an exec: command", async () => {
    const { told, listener } = recorder();
    const secret = 'exec:true "s3cret token"';
    await using client = await connect(`${secret},${server.endpoint}`, { ...quick, shuffle: false, listener });
    expect(told[0]).toMatchObject({ endpoint: server.endpoint, position: 1 });
    await server.stop();
    await until(() => told.some(({ name }) => name === "unreachable"));
    expect(client.connected).toBe(false);
    expect(told.at(-1)!["problem"]).toMatchObject({ message: expect.stringMatching(/^exec:true \.\.\.: .*status 0.*; unix:/) });
    expect(JSON.stringify(told)).not.toContain("s3cret");
  });
});

describe("a cluster", () => {
  let group: TestCluster;
  beforeAll(async () => void (group = await cluster()), 60_000);
  afterAll(() => group.remove());
  const transfer = async (client: OvsdbClient) => {
    const before = client.endpoint;
    await group.member(before).appctl("cluster/failure-test", "transfer-leadership");
    await until(() => client.connected && client.endpoint !== before);
  };
  const ids = async (endpoint: string) => {
    const status = await group.member(endpoint).appctl("cluster/status", "Test");
    return { clusterId: status.match(/^Cluster ID: .*\((.*)\)$/m)![1], serverId: status.match(/^Server ID: .*\((.*)\)$/m)![1] };
  };

  test("reports a moved leader, the connection to the new one, and the monitor's missed changes", async () => {
    const { told, listener } = recorder();
    await using client = await connect(group.endpoints, { ...quick, listener });
    const listed = group.endpoints.split(",");
    const place = (endpoint: string) => ({ endpoint, position: listed.indexOf(endpoint) });
    const [first, firstIds] = [client.endpoint, await ids(client.endpoint)];
    expect(told.splice(0)).toEqual([
      { name: "connected", ...place(first), ...firstIds, model: "clustered", first: true },
      { name: "leader", ...place(first), leader: true, serverId: firstIds.serverId },
    ]);
    const monitor = await client.monitor({ Parent: { columns: ["name"] } });
    await insert(client, "before");
    await transfer(client);
    await until(() => monitor.current);
    const [second, secondIds] = [client.endpoint, await ids(client.endpoint)];
    expect(secondIds.clusterId).toBe(firstIds.clusterId);
    expect(told.filter(({ name }) => name !== "unreachable")).toEqual([
      { name: "leader", ...place(first), leader: false, serverId: firstIds.serverId },
      { name: "disconnected", ...place(first), problem: { code: "OVSDB_CONNECTION", message: `${first}: the server is not the leader of Test` } },
      { name: "connected", ...place(second), ...secondIds, model: "clustered", first: false },
      { name: "leader", ...place(second), leader: true, serverId: secondIds.serverId },
      { name: "resynced", ...place(second), tables: ["Parent"], whole: false, changes: 0 },
    ]);
  });

  test("a follower in use reports that it became the leader", async () => {
    await using leader = await connect(group.endpoints, quick);
    const follower = group.members.find((member) => member.endpoint !== leader.endpoint)!;
    const { told, listener } = recorder();
    await using reader = await connect(follower.endpoint, { ...quick, leaderOnly: false, listener });
    expect(reader.endpoint).toBe(follower.endpoint);
    expect(told.map(({ name }) => name)).toEqual(["connected"]);
    while (leader.endpoint !== follower.endpoint) await transfer(leader);
    await until(() => told.length > 1);
    const { serverId } = await ids(follower.endpoint);
    expect(told.slice(1)).toEqual([{ name: "leader", endpoint: follower.endpoint, position: 0, leader: true, serverId }]);
  });
});
