import type { RawRowsArgs } from "../../../provider";
import { served, ownerOf } from "../../support/provider";

const zones = { z: { northbound: "unix:/nowhere", southbound: "unix:/nowhere", openvswitch: "unix:/nowhere" } };

/** What a preview says: what it refuses, and what it warns of. */
async function said(entries: RawRowsArgs["entries"], kind = "NorthboundRows") {
  const warned: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
  const logged = jest.spyOn(console, "warn").mockImplementation((text) => void warned.push(String(text)));
  try {
    const { failures = [] } = await (await served(kind, zones)).check({}, { zone: "z", entries, owner: ownerOf(kind, "it") });
    return { failures: failures.map(({ property, reason }) => `${property}: ${reason}`), warned: warned.join("") };
  } finally {
    write.mockRestore();
    logged.mockRestore();
  }
}

it.each<[string, RawRowsArgs["entries"], string]>([
  [
    "a table",
    { a: { table: "Logical_Swich", columns: { name: "l2" } } },
    'entries.a.table: OVN_Northbound has no table "Logical_Swich"; did you mean "Logical_Switch"? [unknown-table]',
  ],
  [
    "a table in other letters",
    { a: { table: "logical_router" } },
    'entries.a.table: OVN_Northbound has no table "logical_router"; did you mean "Logical_Router"? [unknown-table]',
  ],
  [
    "a table without its lines",
    { a: { table: "LoadBalancer" } },
    'entries.a.table: OVN_Northbound has no table "LoadBalancer"; did you mean "Load_Balancer"? [unknown-table]',
  ],
  [
    "a column",
    { a: { table: "Logical_Switch", columns: { other_confg: { a: "b" } } } },
    'entries.a.columns.other_confg: table Logical_Switch has no column "other_confg"; did you mean "other_config"? [unknown-column]',
  ],
  [
    "a column that refers",
    { a: { table: "Load_Balancer_Group", references: { load_balancr: "b" } } },
    'entries.a.references.load_balancr: table Load_Balancer_Group has no column "load_balancr"; did you mean "load_balancer"? [unknown-column]',
  ],
  [
    "the parent's table",
    { a: { table: "ACL", parent: { table: "Logical_Swtich", row: "l2", column: "acls" } } },
    'entries.a.parent.table: OVN_Northbound has no table "Logical_Swtich"; did you mean "Logical_Switch"? [unknown-table]',
  ],
  [
    "the parent's column",
    { a: { table: "NAT", parent: { table: "Logical_Router", row: "r", column: "static_route" } } },
    'entries.a.parent.column: table Logical_Router has no column "static_route"; did you mean "static_routes"? [unknown-column]',
  ],
])("refuses a typo in %s", async (_what, entries, failure) => {
  expect(await said(entries)).toEqual({ failures: [failure], warned: "" });
});

it("judges by the database of the kind", async () => {
  expect((await said({ a: { table: "Port_Bindng" } }, "SouthboundRows")).failures).toEqual([
    'entries.a.table: OVN_Southbound has no table "Port_Bindng"; did you mean "Port_Binding"? [unknown-table]',
  ]);
  expect((await said({ a: { table: "Interfaces" } }, "OpenVSwitchRows")).failures).toEqual([
    'entries.a.table: Open_vSwitch has no table "Interfaces"; did you mean "Interface"? [unknown-table]',
  ]);
});

it.each<[string, RawRowsArgs["entries"], string]>([
  ["a table", { a: { table: "Network_Function", columns: { name: "f" } } }, 'there is no table "Network_Function" in OVN_Northbound 7.11.0'],
  ["a column", { a: { table: "Logical_Switch", columns: { evpn: true } } }, 'table Logical_Switch has no column "evpn" in OVN_Northbound 7.11.0'],
  ["a column that differs in a digit", { a: { table: "Logical_Switch_Port", columns: { dhcpv8_options: null } } }, 'no column "dhcpv8_options"'],
  ["a short column", { a: { table: "Logical_Switch_Port", columns: { tags: 1 } } }, 'no column "tags"'],
])("warns of %s that a newer OVN may have", async (_what, entries, warning) => {
  const { failures, warned } = await said(entries);
  expect(failures).toEqual([]);
  expect(warned).toContain(`${warning}`);
  expect(warned).toContain("which this package knows; the update fails unless the database is newer");
});

it("says nothing of what there is", async () => {
  const entries = {
    a: { table: "ACL", columns: { name: "x", priority: 5 }, parent: { table: "Logical_Switch", row: "l2", column: "acls" } },
    b: { table: "Meter", columns: { name: "m", unit: "kbps" } },
  };
  expect(await said(entries)).toEqual({ failures: [], warned: "" });
});
