import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, readRows, removeRows, rowLines, rowUuid, setDigest, type Target } from "@pulumi-ovn/provider/rows";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { Proxy as OvsdbProxy, type Pair } from "../../support/ovsdb-proxy";

let central: Central;
let client: OvsdbClient;
const me = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::mine";
const other = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::other";
const target = (owner = me): Target => ({ client, owner });

beforeAll(async () => {
  central = await startCentral({ northd: false });
  client = await connect(central.northbound, { database: "OVN_Northbound" });
});
afterAll(async () => {
  await client?.close();
  await central?.stop();
});
afterEach(async () => {
  for (const table of ["Logical_Router", "Logical_Switch", "Static_MAC_Binding", "Port_Group"]) await nbctl("--all", "destroy", table);
});

async function nbctl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await central.run("ovn-nbctl", ["--timeout=10", ...args]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

function router(options: Record<string, string> = {}, name = "tr"): DesiredRow {
  return { table: "Logical_Router", key: "router", columns: { name, options: { map: { "requested-tnl-key": "16715779", ...options } } } };
}

function port(name: string, mac = "0a:58:64:58:00:04", parent: DesiredRow["parent"] = inRouter): DesiredRow {
  return { table: "Logical_Router_Port", key: name, columns: { name, mac, networks: ["100.88.0.4/31", "fd97::4/127"] }, parent: parent! };
}

const inRouter = { table: "Logical_Router", column: "ports", row: { table: "Logical_Router", key: "router" } };
const set = (...rows: DesiredRow[]): RowSet => ({ database: "OVN_Northbound", rows });
const uuidOf = (table: string, key: string, owner = me) => rowUuid(owner, table, key);

describe("ensureRows", () => {
  it("creates rows with derived UUIDs and owner marks, in one transaction", async () => {
    await ensureRows(target(), set(router(), port("p1"), port("p2", "0a:58:64:58:00:06")));
    expect(await nbctl("get", "logical_router", "tr", "_uuid")).toBe(uuidOf("Logical_Router", "router"));
    expect(await nbctl("get", "logical_router_port", "p1", "_uuid", "networks")).toBe(
      `${uuidOf("Logical_Router_Port", "p1")}\n["100.88.0.4/31", "fd97::4/127"]`,
    );
    expect(await nbctl("get", "logical_router_port", "p2", "external_ids:pulumi-ovn\\:owner")).toBe(`"${me}"`);
    expect((await nbctl("lrp-list", "tr")).split("\n")).toHaveLength(2);
  });

  it("converges with existing rows, and writes nothing the second time", async () => {
    await ensureRows(target(), set(router(), port("p1")));
    const version = () => client.transact([{ op: "select", table: "Logical_Router_Port", where: [["name", "==", "p1"]], columns: ["_version"] }]);
    const before = await version();
    await ensureRows(target(), set(router(), port("p1")));
    await ensureRows(target(), set(router(), port("p1")), { previous: set(router(), port("p1")) });
    expect(await version()).toEqual(before);
    expect(await nbctl("--bare", "--columns=name", "list", "logical_router")).toBe("tr");
  });

  it("completes the rows of an interrupted run", async () => {
    await ensureRows(target(), set(router()));
    await ensureRows(target(), set(router(), port("p1")));
    expect(await nbctl("lrp-list", "tr")).toContain("p1");
  });

  it("changes one column in place, and keeps the UUID and foreign keys", async () => {
    const before = set(router({ mcast_relay: "true" }), port("p1"));
    await ensureRows(target(), before);
    await nbctl("set", "logical_router", "tr", "options:theirs=1", "external_ids:theirs=2");
    await ensureRows(target(), set(router(), port("p1", "0a:58:64:58:00:99")), { previous: before });
    expect(await nbctl("get", "logical_router_port", "p1", "mac", "_uuid")).toBe(`"0a:58:64:58:00:99"\n${uuidOf("Logical_Router_Port", "p1")}`);
    expect(await nbctl("get", "logical_router", "tr", "options")).toBe('{requested-tnl-key="16715779", theirs="1"}');
    expect(await nbctl("get", "logical_router", "tr", "external_ids:theirs")).toBe('"2"');
  });

  it("adds and removes rows, clears columns that are no longer desired, and renames in place", async () => {
    const peered: DesiredRow = { ...port("p1"), columns: { ...port("p1").columns, peer: "q1" } };
    const before = set(router(), peered, port("p2"));
    await ensureRows(target(), before);
    await nbctl("lrp-add", "tr", "byhand", "0a:58:00:00:00:01", "10.9.9.1/24");
    await ensureRows(target(), set(router({}, "renamed"), port("p1"), port("p3", "0a:58:64:58:00:08")), { previous: before });
    const ports = (await nbctl("lrp-list", "renamed")).replace(/^\S+ /gm, "").split("\n").sort();
    expect(ports).toEqual(["(byhand)", "(p1)", "(p3)"]);
    expect(await nbctl("get", "logical_router_port", "p1", "peer")).toBe("[]");
  });

  it("moves a row to another parent", async () => {
    const [a, b] = [
      { ...router(), key: "a", columns: { name: "a" } },
      { ...router(), key: "b", columns: { name: "b" } },
    ];
    const under = (key: string) => port("p1", undefined, { ...inRouter, row: { table: "Logical_Router", key } });
    await ensureRows(target(), set(a, b, under("a")));
    await ensureRows(target(), set(a, b, under("b")), { previous: set(a, b, under("a")) });
    expect(await nbctl("lrp-list", "a")).toBe("");
    expect(await nbctl("lrp-list", "b")).toContain("p1");
  });

  it("adds rows to foreign routers by name and by UUID", async () => {
    await nbctl("lr-add", "theirs");
    const uuid = await nbctl("get", "logical_router", "theirs", "_uuid");
    await ensureRows(target(), set(port("p1", undefined, { ...inRouter, row: { name: "theirs" } })));
    await ensureRows(target(other), set(port("p2", undefined, { ...inRouter, row: { uuid } })));
    expect((await nbctl("lrp-list", "theirs")).split("\n")).toHaveLength(2);
    await removeRows(target(), set(port("p1", undefined, { ...inRouter, row: { name: "theirs" } })));
    expect(await nbctl("lrp-list", "theirs")).toMatch(/^\S+ \(p2\)$/);
  });

  it("converges with a second writer of the same router, without a lost update", async () => {
    await ensureRows(target(), set(router()));
    const uuid = uuidOf("Logical_Router", "router");
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const owner = `${other}-${writer}`;
      const row = (mac: string) => set(port(`w${writer}`, mac, { ...inRouter, row: { uuid } }));
      await ensureRows(target(owner), row("0a:58:00:00:00:01"));
      await ensureRows(target(owner), row(`0a:58:00:00:01:0${writer}`), { previous: row("0a:58:00:00:00:01") });
    });
    const byHand = Array.from({ length: 4 }, (_, index) => nbctl("lr-route-add", "tr", `10.${index}.0.0/16`, "100.88.0.5"));
    await Promise.all([...writers, ...byHand]);
    expect((await nbctl("lrp-list", "tr")).split("\n")).toHaveLength(8);
    expect((await nbctl("--bare", "--columns=ip_prefix", "list", "logical_router_static_route")).split("\n").filter(Boolean)).toHaveLength(4);
  });

  it("creates no duplicates when it runs twice at the same time", async () => {
    await Promise.all([1, 2, 3, 4].map(() => ensureRows(target(), set(router(), port("p1"), port("p2")))));
    expect(await nbctl("--bare", "--columns=name", "list", "logical_router")).toBe("tr");
    expect((await nbctl("lrp-list", "tr")).split("\n")).toHaveLength(2);
  });

  it("writes thousands of rows in slices", async () => {
    const many = Array.from(
      { length: 2500 },
      (_, index): DesiredRow => ({
        table: "Logical_Switch_Port",
        key: `vm${index}`,
        columns: { name: `vm${index}`, addresses: ["unknown"] },
        parent: { table: "Logical_Switch", column: "ports", row: { table: "Logical_Switch", key: "switch" } },
      }),
    );
    const whole = set({ table: "Logical_Switch", key: "switch", columns: { name: "l2" } }, ...many);
    await ensureRows(target(), whole);
    expect((await nbctl("--bare", "--columns=name", "list", "logical_switch_port")).split("\n").filter(Boolean)).toHaveLength(2500);
    expect((await readRows(target(), whole))!.digest).toBe(setDigest(whole));
    await removeRows(target(), whole);
    expect(await nbctl("list", "logical_switch_port")).toBe("");
  });
});

describe("refuses, changes nothing and names the row's owner:", () => {
  it("a name of another owner's row", async () => {
    await nbctl(
      "lr-add",
      "theirs",
      "--",
      "lrp-add",
      "theirs",
      "p1",
      "0a:58:00:00:00:01",
      "10.0.0.1/24",
      "--",
      "set",
      "logical_router_port",
      "p1",
      "external_ids:k8s.ovn.org/network=blue",
    );
    await expect(ensureRows(target(), set(router(), port("p1")))).rejects.toMatchObject({
      code: "OVN_NAME_TAKEN",
      message: expect.stringMatching(
        /^Logical_Router_Port "?p1"? exists already: Logical_Router_Port "p1" \([0-9a-f-]{36}\) of k8s.ovn.org\/network=blue; choose another name, or remove that row$/,
      ),
    });
    expect(await nbctl("--bare", "--columns=name", "list", "logical_router")).toBe("theirs");
  });

  it("a router name that has no index, claimed by its renderer", async () => {
    await nbctl("lr-add", "tr");
    const claimed: DesiredRow = { ...router(), claims: [{ table: "Logical_Router", column: "name", value: "tr" }] };
    await expect(ensureRows(target(), set(claimed))).rejects.toMatchObject({
      code: "OVN_CLAIMED",
      message: expect.stringMatching(
        /^Logical_Router tr: name=tr is held by Logical_Router "tr" \([0-9a-f-]{36}\) without an owner mark; choose another value, or remove that row$/,
      ),
    });
    expect((await nbctl("--bare", "--columns=name", "list", "logical_router")).split("\n")).toEqual(["tr"]);
  });

  it("a tunnel key that another datapath requests, also in an update", async () => {
    await nbctl("lr-add", "a", "--", "set", "logical_router", "a", "options:requested-tnl-key=7");
    const claim = (value: string): DesiredRow => ({
      ...router({ "requested-tnl-key": value }),
      claims: [{ table: "Logical_Router", column: "options", key: "requested-tnl-key", value }],
    });
    await expect(ensureRows(target(), set(claim("7")))).rejects.toMatchObject({
      code: "OVN_CLAIMED",
      message: expect.stringContaining('options:requested-tnl-key=7 is held by Logical_Router "a"'),
    });
    await ensureRows(target(), set(claim("8")));
    await expect(ensureRows(target(), set(claim("7")), { previous: set(claim("8")) })).rejects.toMatchObject({ code: "OVN_CLAIMED" });
    expect(await nbctl("get", "logical_router", "tr", "options:requested-tnl-key")).toBe('"8"');
  });

  it("a value that another stack's row has a mark for; missing marks of an older release are not drift", async () => {
    const of = (value: string) => `pulumi-ovn:claim/${value}`;
    const marked = (value: string, comment = "1"): DesiredRow => ({
      ...router({ comment }),
      marks: { [of(value)]: "own" },
      claims: [{ table: "Logical_Router", column: "external_ids", key: of(value), value: "own", betweenStacks: true, what: `address: ${value}` }],
    });
    const stranger = me.replace("dev::net", "dev::other");
    await ensureRows(target(), set(marked("a")));
    // A resource that replaces another one in the same stack.
    await ensureRows(target(other), set({ ...marked("a"), columns: { name: "second" } }));
    await removeRows(target(other), set(marked("a")));
    await expect(ensureRows(target(stranger), set(marked("a")))).rejects.toMatchObject({
      code: "OVN_CLAIMED",
      message: `address: a is held by Logical_Router "tr" (${uuidOf("Logical_Router", "router")}) of ${me}; choose another value, or remove that row`,
    });

    await nbctl("remove", "Logical_Router", "tr", "external_ids", of("a").replace(":", "\\:"), "pulumi-ovn\\:stack", "pulumi-ovn\\:columns");
    expect((await readRows(target(), set(marked("a"))))!.drift).toEqual({});
    await ensureRows(target(), set(marked("a", "2")), { previous: set(marked("a")), assume: "unchanged" });
    await expect(ensureRows(target(stranger), set(marked("a")))).rejects.toMatchObject({ code: "OVN_CLAIMED" });
    await ensureRows(target(), set(marked("b")), { previous: set(marked("a", "2")), assume: "unchanged" });
    await ensureRows(target(stranger), set(marked("a")));
    await removeRows(target(stranger), set(marked("a")));
  });

  it("a missing parent, by UUID and by name", async () => {
    const uuid = "00000000-0000-4000-8000-000000000001";
    await expect(ensureRows(target(), set(port("p1", undefined, { ...inRouter, row: { uuid } })))).rejects.toMatchObject({
      code: "OVN_PARENT_MISSING",
      message: `Logical_Router_Port p1: its parent Logical_Router ${uuid} does not exist; if the database was restored from a backup, run \`pulumi up --refresh\`, without --target`,
    });
    await expect(ensureRows(target(), set(port("p1", undefined, { ...inRouter, row: { name: "nobody" } })))).rejects.toMatchObject({
      code: "OVN_NOT_FOUND",
      message: 'no Logical_Router is named "nobody"; name one that exists, or give its UUID',
    });
    await nbctl("lr-add", "twin", "--", "--add-duplicate", "lr-add", "twin");
    await expect(ensureRows(target(), set(port("p1", undefined, { ...inRouter, row: { name: "twin" } })))).rejects.toThrow(
      /2 rows of Logical_Router are named "twin"/,
    );
  });

  it("a row without a parent, which the database would remove in the same transaction", async () => {
    const acl: DesiredRow = { table: "ACL", key: "acl", columns: { action: "allow", direction: "to-lport", match: "ip4", priority: 1 } };
    await expect(ensureRows(target(), set(router(), acl))).rejects.toMatchObject({
      code: "OVN_PARENT_MISSING",
      message: "ACL acl: no row lists it, so the database would delete it immediately; give it a parent, or have another row of the resource refer to it",
    });
    expect(await nbctl("list", "logical_router")).toBe("");
    const group = { table: "Port_Group", key: "group", columns: { name: "pg", acls: [{ table: "ACL", key: "acl" }] } };
    await ensureRows(target(), set(acl, group));
    expect(await nbctl("get", "port_group", "pg", "acls")).toBe(`[${uuidOf("ACL", "acl")}]`);
  });

  it("its own row that another stack has adopted", async () => {
    await ensureRows(target(), set(router()));
    await nbctl("set", "logical_router", "tr", `external_ids:"pulumi-ovn:owner"="${other}"`);
    const refusal = { code: "OVN_FOREIGN_ROW", message: `Logical_Router tr belongs to ${other}; remove it there first` };
    await expect(ensureRows(target(), set(router({ a: "1" })), { previous: set(router()) })).rejects.toMatchObject(refusal);
    await expect(removeRows(target(), set(router()))).rejects.toMatchObject(refusal);
    expect(await nbctl("--bare", "--columns=name", "list", "logical_router")).toBe("tr");
  });

  it("the removal of a router with rows of other owners", async () => {
    await ensureRows(target(), set(router(), port("p1")));
    await nbctl("lrp-add", "tr", "byhand", "0a:58:00:00:00:01", "10.9.9.1/24", "--", "lr-route-add", "tr", "10.0.0.0/8", "10.9.9.2");
    await expect(removeRows(target(), set(router(), port("p1")))).rejects.toMatchObject({
      code: "OVN_NOT_EMPTY",
      message: expect.stringMatching(
        /^Logical_Router tr still holds Logical_Router_(Port "byhand"|Static_Route) .* and 1 more, which would vanish with it; remove what others put there first$/,
      ),
    });
    expect(await nbctl("lrp-list", "tr")).toContain("p1");
    await nbctl("lrp-del", "byhand", "--", "lr-route-del", "tr");
    await removeRows(target(), set(router(), port("p1")));
    expect(await nbctl("show")).toBe("");
  });

  it("a database that is too old", async () => {
    const requires = [{ feature: "remote ports of a transit router", schema: "99.0.0", release: "99.03" }];
    await expect(ensureRows(target(), { ...set(router()), requires })).rejects.toMatchObject({
      code: "OVN_VERSION",
      message: expect.stringMatching(
        /^remote ports of a transit router needs OVN 99.03 or newer \(schema 99.0.0 of OVN_Northbound\); this database has schema 7\./,
      ),
    });
    expect(await nbctl("show")).toBe("");
  });

  it("a value that the server's constraints forbid", async () => {
    const row: DesiredRow = { table: "Logical_Router", key: "router", columns: { name: "tr", policies: [] } };
    const policy: DesiredRow = {
      table: "Logical_Router_Policy",
      key: "p",
      columns: { priority: 40000, match: "1", action: "allow" },
      parent: { ...inRouter, column: "policies" },
    };
    await expect(ensureRows(target(), set(row, policy))).rejects.toMatchObject({ message: expect.stringContaining("priority") });
    expect(await nbctl("show")).toBe("");
  });
});

describe("a write whose outcome is unknown", () => {
  /** The first write reaches the server, and its reply does not come back. */
  async function interrupted(then: (pair: Pair) => boolean | void, options: { signal?: AbortSignal; timeout?: number } = {}): Promise<unknown> {
    let written = false;
    const proxy = await OvsdbProxy.start(central.northbound.replace(/^unix:/, ""), ({ method, params }, pair) => {
      if (method === "transact" && JSON.stringify(params).includes('"op":"insert"')) {
        written = true;
        pair.hold();
        setImmediate(() => then(pair));
        return false;
      }
      return written && then(pair);
    });
    const behind = await connect(proxy.endpoint, { database: "OVN_Northbound", timeout: options.timeout ?? 30_000 });
    try {
      return await ensureRows({ client: behind, owner: me, call: { signal: options.signal } }, set(router())).catch((error: unknown) => error);
    } finally {
      await behind.close();
      await proxy.stop();
    }
  }

  it("is also unknown if the update is cancelled", async () => {
    const controller = new AbortController();
    const error = await interrupted(
      (pair) => {
        controller.abort();
        pair.cut();
      },
      { signal: controller.signal },
    );
    expect(error).toMatchObject({ code: "OVSDB_OUTCOME_UNKNOWN" });
  });

  it("is also unknown if the rows can't be read", async () => {
    const error = await interrupted((pair) => (pair.cut(), true), { timeout: 1_000 });
    expect(error).toMatchObject({ code: "OVSDB_OUTCOME_UNKNOWN", message: expect.stringContaining("; reading the rows failed: ") });
  });

  it("is determined by the next read", async () => {
    let cuts = 0;
    expect(await interrupted((pair) => void (cuts++ === 0 && setTimeout(() => pair.cut(), 50)))).toEqual({});
    expect(await nbctl("--bare", "--columns=name", "list", "logical_router")).toBe("tr");
  });
});

describe("removeRows", () => {
  it("waits for rows of another resource of the stack that is deleted at the same time", async () => {
    const inside = set(port("p1", undefined, { ...inRouter, row: { uuid: uuidOf("Logical_Router", "router") } }));
    await ensureRows(target(), set(router()));
    await ensureRows(target(other), inside);
    const removed = removeRows(target(), set(router()));
    await sleep(300);
    expect(await nbctl("lrp-list", "tr")).toContain("p1");
    await removeRows(target(other), inside);
    await removed;
    expect(await nbctl("show")).toBe("");
  });

  it("removes all rows, also repeatedly and after a partial deletion", async () => {
    const whole = set(router(), port("p1"), port("p2"));
    await ensureRows(target(), whole);
    await nbctl("lrp-del", "p1");
    await removeRows(target(), whole);
    await removeRows(target(), whole);
    expect(await nbctl("list", "logical_router_port")).toBe("");
    expect(await nbctl("show")).toBe("");
  });

  it("leaves no weak reference in rows of other owners", async () => {
    await nbctl("ls-add", "l2", "--", "pg-add", "group");
    const row: DesiredRow = {
      table: "Logical_Switch_Port",
      key: "vm1",
      columns: { name: "vm1" },
      parent: { table: "Logical_Switch", column: "ports", row: { name: "l2" } },
    };
    await ensureRows(target(), set(row));
    await nbctl("pg-set-ports", "group", "vm1");
    await removeRows(target(), set(row));
    expect(await nbctl("get", "port_group", "group", "ports")).toBe("[]");
  });
});

describe("readRows", () => {
  it("shows unchanged rows as rendered", async () => {
    const whole = set(router(), port("p1"));
    await ensureRows(target(), whole);
    await nbctl("set", "logical_router", "tr", "options:theirs=1");
    expect(await readRows(target(), whole)).toEqual({ present: 2, lines: rowLines(whole.rows), digest: setDigest(whole), drift: {} });
  });

  it("shows a changed column and a deleted row, and ensureRows repairs both", async () => {
    const whole = set(router(), port("p1"), port("p2"));
    await ensureRows(target(), whole);
    await nbctl(
      "set",
      "logical_router_port",
      "p1",
      'mac="0a:58:00:00:00:77"',
      "--",
      "set",
      "logical_router",
      "tr",
      "options:requested-tnl-key=5",
      "--",
      "lrp-del",
      "p2",
    );
    const drifted = (await readRows(target(), whole))!;
    expect(drifted.lines).toEqual({
      "Logical_Router tr": "options:requested-tnl-key=5",
      "Logical_Router_Port p1": "mac=0a:58:00:00:00:77 networks=100.88.0.4/31,fd97::4/127",
    });
    expect(drifted.drift).toEqual({
      "Logical_Router tr": "options:requested-tnl-key=5 instead of options:requested-tnl-key=16715779",
      "Logical_Router_Port p1": "mac=0a:58:00:00:00:77 instead of mac=0a:58:64:58:00:04",
      "Logical_Router_Port p2": "missing",
    });
    expect(drifted.digest).toMatch(/^drift-/);
    await ensureRows(target(), whole, { previous: whole });
    expect((await readRows(target(), whole))!.digest).toBe(setDigest(whole));
    expect(await nbctl("get", "logical_router_port", "p2", "_uuid")).toBe(uuidOf("Logical_Router_Port", "p2"));
  });

  it("finds nothing after all rows were deleted", async () => {
    await ensureRows(target(), set(router()));
    await nbctl("lr-del", "tr");
    expect(await readRows(target(), set(router()))).toBeUndefined();
  });
});

describe("rows of an update whose result was lost", () => {
  const route: DesiredRow = {
    table: "Logical_Router_Static_Route",
    key: "r",
    columns: { ip_prefix: "10.0.0.0/8", nexthop: "100.88.0.5" },
    parent: { ...inRouter, column: "static_routes" },
  };
  const [a, b] = [set(router(), port("p1")), set(router(), port("p1"), port("p2"), route)];

  it("are deleted with the resource", async () => {
    await ensureRows(target(), a);
    await ensureRows(target(), b, { previous: a });
    await removeRows(target(), a);
    expect(await nbctl("show")).toBe("");
    expect(await nbctl("list", "logical_router_static_route")).toBe("");
  });

  it("are deleted from another resource's router", async () => {
    await nbctl("lr-add", "theirs");
    const inside = (name: string) => port(name, undefined, { ...inRouter, row: { name: "theirs" } });
    await ensureRows(target(), set(inside("p1"), inside("p2")));
    await nbctl("lrp-add", "theirs", "byhand", "0a:58:00:00:00:01", "10.9.9.1/24");
    await removeRows(target(), set(inside("p1")));
    expect((await nbctl("lrp-list", "theirs")).replace(/^\S+ /gm, "")).toBe("(byhand)");
  });

  it("are deleted when an update finds other rows than assumed", async () => {
    await ensureRows(target(), a);
    await ensureRows(target(), b, { previous: a });
    await nbctl("lrp-del", "p1");
    await ensureRows(target(), set(router(), port("p1", "0a:58:64:58:00:99")), { previous: a, assume: "unchanged" });
    expect((await nbctl("lrp-list", "tr")).replace(/^\S+ /gm, "")).toBe("(p1)");
    expect(await nbctl("lr-route-list", "tr")).toBe("");
  });
});

describe("an update that assumes unchanged rows", () => {
  it("writes differences, and reads no other row", async () => {
    const [a, b] = [set(router(), port("p1"), port("p2")), set(router({ mcast_relay: "true" }), port("p1"), port("p2", "0a:58:64:58:00:77"))];
    await ensureRows(target(), a);
    await nbctl("set", "logical_router_port", "p1", 'mac="0a:58:00:00:00:01"', "--", "set", "logical_router", "tr", "options:mcast_relay=false");
    await ensureRows(target(), b, { previous: a, assume: "unchanged" });
    expect(await nbctl("get", "logical_router_port", "p1", "mac")).toBe('"0a:58:00:00:00:01"');
    expect(await nbctl("get", "logical_router_port", "p2", "mac")).toBe('"0a:58:64:58:00:77"');
    expect(await nbctl("get", "logical_router", "tr", "options:mcast_relay")).toBe('"true"');
  });

  it("reads the rows if one was deleted, and creates it again", async () => {
    const [a, b] = [set(router(), port("p1"), port("p2")), set(router(), port("p1"), port("p2", "0a:58:64:58:00:77"))];
    await ensureRows(target(), a);
    await nbctl("lrp-del", "p2", "--", "lrp-del", "p1");
    await ensureRows(target(), b, { previous: a, assume: "unchanged" });
    expect((await nbctl("lrp-list", "tr")).split("\n")).toHaveLength(2);
  });

  it("refuses to remove a parent of foreign rows, and rows that another stack has adopted", async () => {
    const a = set(router(), { ...router(), key: "second", columns: { name: "second" } });
    await ensureRows(target(), a);
    await nbctl("lrp-add", "second", "byhand", "0a:58:00:00:00:01", "10.9.9.1/24");
    await expect(ensureRows(target(), set(router()), { previous: a, assume: "unchanged" })).rejects.toMatchObject({ code: "OVN_NOT_EMPTY" });
    await nbctl("set", "logical_router", "tr", `external_ids:"pulumi-ovn:owner"="${other}"`);
    await expect(ensureRows(target(), set(router({ x: "1" }), a.rows[1]!), { previous: a, assume: "unchanged" })).rejects.toMatchObject({
      code: "OVN_FOREIGN_ROW",
    });
  });
});
