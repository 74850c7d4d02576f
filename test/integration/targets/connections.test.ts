import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { binaries, type Central, startCentral } from "@pulumi-ovn/sandbox";
import { parseDump } from "../../support/dump";
import { GATEWAY_PEER, TRANSIT_ROUTER, zonePlan } from "../../support/network";
import { oldNorthbound } from "../../support/old-schema";
import { FakeServer } from "../../support/ovsdb-fake";
import { freePort, standalone, temporaryFolder, TestServer } from "../../support/ovsdb-server";
import { checked, disconnect, ownerOf, served } from "../../support/provider";

const plan = zonePlan("node1");
const args = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 };

const NOWHERE = "00000000-0000-4000-8000-000000000001";

let central: Central;
let port: number;
beforeAll(async () => {
  port = await freePort();
  central = await startCentral({ northd: false, northboundRemotes: [`ptcp:${port}:127.0.0.1`] });
  await central.run("ovn-nbctl", ["init"]);
});
afterAll(async () => {
  await disconnect();
  await central?.stop();
});

/** Error of a failing `create`. */
async function refusal(kind: string, given: object, zones: object, name = "it"): Promise<string> {
  const provider = await served(kind, zones);
  const inputs = await checked(kind, name, given, zones);
  return provider.create(inputs).then(
    () => "created",
    (error: Error) => error.message,
  );
}

const dump = async () =>
  new Map(parseDump((await central.run("ovsdb-client", ["--format=json", "dump", central.northbound, "OVN_Northbound"])).stdout, "node1"));

/** Runs an attempt, after which the database is as it was. */
async function unchanged<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await dump();
  const result = await attempt();
  expect(await dump()).toEqual(before);
  return result;
}

/** Both zones are refused, whichever is written first, and nothing is written. */
async function expectShared(zones: { node1: object; node2: object }): Promise<void> {
  for (const [zone, other] of [
    ["node1", "node2"],
    ["node2", "node1"],
  ] as const) {
    const message = await unchanged(() => refusal("Layer2Switch", { ...args, zone }, zones, zone));
    expect(message).toMatch(/^OVN_ZONE: Layer2Switch "node\d" in zone "node\d" \((?:unix|tcp):.*\): its northbound endpoint leads to the database of zone /);
    expect(message).toContain(`its northbound endpoint leads to the database of zone "${other}"; each zone has databases of its own`);
    await disconnect();
  }
}

it("refuses two addresses of one database as two zones before anything is written", () =>
  expectShared({ node1: { northbound: central.northbound }, node2: { northbound: `tcp:127.0.0.1:${port}` } }));

describe("relays", () => {
  let folder: string;
  const relays: TestServer[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const name of ["one", "two"]) {
      const server = new TestServer(folder, name, [], `relay:OVN_Northbound:${central.northbound}`);
      relays.push(server);
      await server.start();
      await central.run("ovsdb-client", ["wait", server.endpoint, "OVN_Northbound", "connected"]);
    }
  });
  afterAll(async () => {
    await disconnect();
    for (const server of relays) await server.stop();
    await rm(folder, { recursive: true });
  });

  it("of one database as two zones, and next to their source, are refused before anything is written", async () => {
    await expectShared({ node1: { northbound: relays[0]!.endpoint }, node2: { northbound: relays[1]!.endpoint } });
    await expectShared({ node1: { northbound: relays[0]!.endpoint }, node2: { northbound: central.northbound } });
  });

  it("next to unreachable zones, and next to a copied database file, are accepted", async () => {
    await copyFile(join(central.folder, "nb.db"), join(folder, "copy.db"));
    const copy = new TestServer(folder, "copy", []);
    await copy.start();
    const zones = { node1: { northbound: central.northbound }, node2: { northbound: copy.endpoint }, gone: { northbound: "unix:/nowhere/nb.sock" } };
    try {
      const provider = await served("Layer2Switch", zones);
      const { id, outs } = await provider.create(await checked("Layer2Switch", "first", args, zones));
      await provider.delete(id!, outs as object);
    } finally {
      await disconnect();
      await copy.stop();
    }
  });
});

describe("unusable endpoints", () => {
  const zone = (northbound: string, more: object = {}) => ({ node1: { northbound, timeout: 0.5, ...more } });

  it("are a missing socket file, and a port that refuses connections", async () => {
    const nobody = await freePort();
    expect(await refusal("Layer2Switch", args, zone("unix:/nowhere/nb.sock"))).toBe(
      'OVSDB_CONNECTION: Layer2Switch "it" in zone "node1" (unix:/nowhere/nb.sock): connect ENOENT: there is no such socket; is the server running, and is the path right?',
    );
    expect(await refusal("Layer2Switch", args, zone(`tcp:127.0.0.1:${nobody}`))).toBe(
      `OVSDB_CONNECTION: Layer2Switch "it" in zone "node1" (tcp:127.0.0.1:${nobody}): connect ECONNREFUSED`,
    );
  });

  it("are TLS to a port without TLS, and TLS without its files", async () => {
    const ssl = `ssl:127.0.0.1:${port}`;
    expect(await unchanged(() => refusal("Layer2Switch", args, zone(ssl)))).toMatch(
      /^OVSDB_CONNECTION: Layer2Switch "it" in zone "node1" \(ssl:127\.0\.0\.1:\d+\): the server /,
    );
    expect(await refusal("Layer2Switch", args, zone(ssl, { tls: { privateKey: "/nowhere/key.pem" } }))).toMatch(
      /^OVSDB_CONNECTION: .*: the TLS private key \/nowhere\/key\.pem can't be read: ENOENT/,
    );
  });

  it("are endpoints of another database", async () => {
    expect(await unchanged(() => refusal("Layer2Switch", args, zone(central.southbound)))).toBe(
      `OVSDB_RPC: Layer2Switch "it" in zone "node1" (${central.southbound}): monitor_cond: unknown database: the server has no database OVN_Northbound; it has OVN_Southbound: is this the endpoint of another database?`,
    );
  });

  it("are read-only servers, such as a backup", async () => {
    const schema = (await binaries()).schema("ovn-nb.ovsschema");
    const backup = await standalone({ schema, remotes: () => Promise.resolve([`--sync-from=${central.northbound}`]) });
    try {
      expect(await refusal("Layer2Switch", args, zone(backup.endpoint, { timeout: 5 }))).toMatch(
        /^OVN_DATABASE: Layer2Switch "it" in zone "node1" .*in read only mode \(use an endpoint that takes writes: this one is read only, as that of a backup server\)$/,
      );
    } finally {
      await backup.remove();
    }
  });

  it("are servers that accept connections and do not answer, from the start or later", async () => {
    const silent: Server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port: mute } = silent.address() as { port: number };
    expect(await refusal("Layer2Switch", args, zone(`tcp:127.0.0.1:${mute}`))).toBe(
      `OVSDB_CONNECTION: Layer2Switch "it" in zone "node1" (tcp:127.0.0.1:${mute}): no answer within 500 ms`,
    );
    silent.close();
    const fake = await FakeServer.start(({ method }) => method === "get_schema", { name: "OVN_Northbound", connected: true, leader: true });
    try {
      expect(await refusal("Layer2Switch", args, zone(fake.endpoint))).toBe(
        `OVSDB_TIMEOUT: Layer2Switch "it" in zone "node1" (${fake.endpoint}): get_schema: no reply within the timeout`,
      );
      expect(fake.of("transact")).toEqual([]);
    } finally {
      await fake.stop();
    }
  });
});

describe("an older schema", () => {
  it("refuses what the release can't do, and names the releases", async () => {
    const old = await oldNorthbound("7.3.0", []);
    try {
      const zones = { node1: { northbound: old.endpoint } };
      await (await served("Layer2Switch", zones)).create(await checked("Layer2Switch", "sw", args, zones));
      expect(await refusal("GatewayPeer", GATEWAY_PEER, zones)).toBe(
        `OVN_VERSION: GatewayPeer "it" in zone "node1" (${old.endpoint}): remote ports of a transit router needs OVN 25.03 or newer (schema 7.11.0 of OVN_Northbound); this database has schema 7.3.0. Upgrade its OVN central components and run ovsdb-client convert, or ovn-ctl's upgrade, on the database`,
      );
    } finally {
      await old.remove();
    }
  });

  it("names the missing column or table, and the release that introduced it", async () => {
    const old = await oldNorthbound("7.11.0", ["NAT.match", "Static_MAC_Binding"]);
    try {
      const zones = { node1: { northbound: old.endpoint } };
      expect(await refusal("GatewayRouter", plan.gatewayRouter, zones)).toBe(
        `OVSDB_SCHEMA: GatewayRouter "it" in zone "node1" (${old.endpoint}): the server's table NAT has no column match (it came with OVN 24.09)`,
      );
      expect(await refusal("GatewayPeer", { ...GATEWAY_PEER, router: NOWHERE, gatewayRouter: NOWHERE }, zones)).toMatch(
        /^OVSDB_SCHEMA: .*no table Static_MAC_Binding \(it came with OVN 22\.06\)$/,
      );
    } finally {
      await old.remove();
    }
  });
});

describe("a tunnel key in use", () => {
  const zones = () => ({ node1: { northbound: central.northbound } });

  it("is refused if a foreign row or another network of the zone has it", async () => {
    await central.run("ovn-nbctl", ["ls-add", "theirs", "--", "set", "logical_switch", "theirs", "other_config:requested-tnl-key=5"]);
    const held = await unchanged(() => refusal("Layer2Switch", args, zones()));
    expect(held).toMatch(
      /^OVN_CLAIMED: Layer2Switch "it" in zone "node1" \(unix:\S+\): Logical_Switch l2: other_config:requested-tnl-key=5 is held by Logical_Switch "theirs" \([0-9a-f-]{36}\) without an owner mark; choose another value, or remove that row$/,
    );
    await central.run("ovn-nbctl", ["ls-del", "theirs"]);
    await (await served("Layer2Switch", zones())).create(await checked("Layer2Switch", "first", args, zones()));
    const router = { ...TRANSIT_ROUTER, tunnelKey: 5, switch: "l2", switchName: "l2" };
    expect(await unchanged(() => refusal("TransitRouter", router, zones()))).toContain(`requested-tnl-key=5 is held by Logical_Switch "l2"`);
    expect(await unchanged(() => refusal("Layer2Switch", { ...args, name: "other" }, zones(), "second"))).toContain(
      `of ${ownerOf("Layer2Switch", "first")}; if the resource was renamed, set its option aliases: [{ name: "first" }]; otherwise choose another value, or remove that row`,
    );
  });

  it("is not shown in the error if it is secret", async () => {
    const message = await unchanged(() => refusal("Layer2Switch", { ...args, name: "other", redact: ["tunnelKey"] }, zones(), "second"));
    expect(message).toContain("other_config:requested-tnl-key=[secret] is held by Logical_Switch");
  });
});
