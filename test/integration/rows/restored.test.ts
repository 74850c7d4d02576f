import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, type Extent, readRows, removeOwned, removeRows } from "@pulumi-ovn/provider/rows";
import { staticBindingKey } from "@pulumi-ovn/provider/testing";
import { Northbound } from "../../support/northbound";

/** `ovsdb-client restore` gives every row another UUID. */

const me = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::mine";
const other = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::other";
const TABLES = ["Logical_Router", "Logical_Router_Port", "Logical_Router_Static_Route", "Static_MAC_Binding"];
const extent: Extent = { tables: TABLES };

let nb: Northbound;
beforeAll(async () => {
  nb = await Northbound.start();
});
afterAll(() => nb?.[Symbol.asyncDispose]());
afterEach(() => nb.clear("Logical_Router", "Static_MAC_Binding"));

const inRouter = (column: string, key = "router") => ({ table: "Logical_Router", column, row: { table: "Logical_Router", key } });
const router = (key = "router", name = "blue"): DesiredRow => ({ table: "Logical_Router", key, columns: { name, options: { map: { mcast_relay: "true" } } } });
const port = (name: string, network: string): DesiredRow => ({
  table: "Logical_Router_Port",
  key: name,
  columns: { name, mac: "0a:58:64:58:00:04", networks: [network] },
  parent: inRouter("ports"),
});
const route = (key: string, prefix: string, table: string, owner = "router"): DesiredRow => ({
  table: "Logical_Router_Static_Route",
  key,
  columns: { ip_prefix: prefix, nexthop: "100.88.0.5", route_table: table },
  parent: inRouter("static_routes", owner),
});
const binding = (name: string): DesiredRow => ({
  table: "Static_MAC_Binding",
  key: staticBindingKey(name, "100.88.0.5"),
  columns: { logical_port: name, ip: "100.88.0.5", mac: "0a:58:64:58:00:05", override_dynamic_mac: true },
});
const set = (...rows: DesiredRow[]): RowSet => ({ database: "OVN_Northbound", rows });
/** Two routes of one prefix in two tables, and one of the same prefix in another router of the resource. */
const before = set(
  router(),
  router("second", "green"),
  port("p1", "100.88.0.4/31"),
  port("p2", "100.88.0.6/31"),
  binding("p1"),
  binding("p2"),
  route("r1", "10.1.0.0/16", ""),
  route("r2", "10.1.0.0/16", "dmz"),
  route("r3", "10.1.0.0/16", "", "second"),
);

const names = async () => [await nb.column("Logical_Router", "name"), await nb.column("Logical_Router_Port", "name")];

/** Written, with the row of another manager inside, and restored from its backup. */
async function restored(): Promise<void> {
  await ensureRows(nb.target(me), before);
  await nb.nbctl("lrp-add", "blue", "theirs", "0a:58:00:00:00:01", "10.9.9.1/24", "--", "static-mac-binding-add", "theirs", "10.9.9.2", "0a:58:00:00:00:02");
  await nb.restore();
}

test("a refresh finds all rows by mark and key, and warns", async () => {
  await restored();
  const found = (await readRows(nb.target(me), before, extent))!;
  expect(found.drift).toEqual({});
  expect(Object.keys(found.moved!).sort()).toEqual(before.rows.map(({ table, key }) => `${table} ${key}`).sort());
  // By what it has recorded, nothing has moved any more, and each route is the one that it was.
  const adopted = found.moved!;
  expect(await readRows(nb.target(me, { adopted }), before, extent)).toEqual({ ...found, moved: undefined });
  expect(await nb.nbctl("--bare", "--columns=route_table", "list", "Logical_Router_Static_Route", adopted["Logical_Router_Static_Route r2"]!)).toBe("dmz");
  const versions = await nb.versions(...TABLES);
  expect(await ensureRows(nb.target(me, { adopted }), before, { previous: before })).toEqual({});
  expect(await nb.versions(...TABLES)).toEqual(versions);
});

test("an update changes the existing rows, also renames them, and leaves foreign rows", async () => {
  await restored();
  const rows = before.rows.map((row) => (row.key === "router" ? router("router", "renamed") : row));
  const after = set(...rows.filter(({ key }) => key !== "p2" && !key.startsWith("p2 ")), port("p3", "100.88.0.8/31"));
  const routers = async () => Object.keys(await nb.versions("Logical_Router")).sort();
  const uuids = await routers();
  const moved = await ensureRows(nb.target(me), after, { previous: before, assume: "unchanged" });
  expect(Object.keys(moved)).toHaveLength(9);
  expect(await names()).toEqual([
    ["green", "renamed"],
    ["p1", "p3", "theirs"],
  ]);
  expect(await routers()).toEqual(uuids);
  expect(await nb.column("Static_MAC_Binding", "logical_port")).toEqual(["p1", "theirs"]);
  expect(await nb.column("Logical_Router_Static_Route", "route_table")).toEqual(["dmz"]);
  expect(await readRows(nb.target(me), after, extent)).toMatchObject({ drift: {} });
});

test("a resource with a lost state also finds its rows", async () => {
  await restored();
  expect(Object.keys(await ensureRows(nb.target(me), before))).toHaveLength(9);
  expect(await names()).toEqual([
    ["blue", "green"],
    ["p1", "p2", "theirs"],
  ]);
});

test.each([
  ["with", () => removeRows(nb.target(me), before, extent)],
  ["without", () => removeOwned(nb.target(me), extent)],
])("a deletion %s its arguments leaves only foreign rows", async (_how, remove) => {
  await restored();
  await nb.nbctl("lrp-del", "theirs");
  await ensureRows(nb.target(other), set({ ...router("router", "other") }));
  await remove();
  expect(await names()).toEqual([["other"], []]);
  expect(await nb.column("Logical_Router_Static_Route", "ip_prefix")).toEqual([]);
  expect(await nb.column("Static_MAC_Binding", "logical_port")).toEqual(["theirs"]);
});

test("finds many rows, which are written in slices", async () => {
  const many = (mtu: string) => [router(), ...Array.from({ length: 1200 }, (_, index) => route(`r${index}`, `10.${index >> 8}.${index & 255}.0/24`, mtu))];
  await ensureRows(nb.target(me), set(...many("")));
  await nb.restore();
  const uuids = new Set(Object.keys(await nb.versions(...TABLES)));
  await ensureRows(nb.target(me), set(...many("dmz")), { previous: set(...many("")) });
  expect(new Set(Object.keys(await nb.versions(...TABLES)))).toEqual(uuids);
  expect(new Set(await nb.column("Logical_Router_Static_Route", "route_table"))).toEqual(new Set(["dmz"]));
});

test("searches only for a missing row, by its mark, in its table", async () => {
  await ensureRows(nb.target(me), before);
  await nb.nbctl("lrp-del", "p2");
  const asked: string[] = [];
  const client = new Proxy(nb.client, {
    get(real, name) {
      if (name !== "transact") return Reflect.get(real, name, real) as unknown;
      return (operations: Parameters<typeof nb.client.transact>[0], call: object) => {
        for (const operation of operations) if (operation.op === "select" && !JSON.stringify(operation.where).includes("uuid")) asked.push(operation.table);
        return real.transact(operations, call);
      };
    },
  });
  await readRows({ ...nb.target(me), client }, before);
  expect(asked).toEqual(["Logical_Router_Port"]);
});
