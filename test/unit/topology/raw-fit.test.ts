import type { RawRowsArgs } from "@pulumi-ovn/provider";
import { failuresOf, ownerOf, served } from "../../support/provider";

const zones = { z: { northbound: "unix:/nowhere", southbound: "unix:/nowhere", openvswitch: "unix:/nowhere" } };

/** Columns that a row of a table must have. */
const REQUIRED: Readonly<Record<string, object>> = {
  ACL: { action: "drop", direction: "to-lport" },
  Meter: { unit: "kbps" },
  NAT: { type: "snat" },
  QoS: { direction: "to-lport" },
};
const complete = (entries: RawRowsArgs["entries"]) =>
  Object.fromEntries(Object.entries(entries).map(([key, row]) => [key, { ...row, columns: { ...REQUIRED[row.table], ...row.columns } }]));

/** Failures and warnings of a preview. */
async function said(entries: RawRowsArgs["entries"], kind = "NorthboundRows") {
  const warned: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
  const logged = jest.spyOn(console, "warn").mockImplementation((text) => void warned.push(String(text)));
  try {
    const { failures = [] } = await (await served(kind, zones)).check({}, { zone: "z", entries: complete(entries), owner: ownerOf(kind, "it") });
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

const uuid = "11111111-2222-3333-4444-555555555555";

it.each<[string, RawRowsArgs["entries"], string]>([
  ["a text for a number", { a: { table: "ACL", columns: { priority: "high" } } }, 'columns.priority: ACL.priority: "high" is not an integer'],
  ["a fraction", { a: { table: "ACL", columns: { priority: 1.5 } } }, "columns.priority: ACL.priority: 1.5 is not an integer"],
  ["a number for a boolean", { a: { table: "ACL", columns: { log: 1 } } }, "columns.log: ACL.log: 1 is not a boolean"],
  ["a list for one value", { a: { table: "ACL", columns: { match: ["ip4", "ip6"] } } }, "columns.match: ACL.match: holds one value, not 2"],
  ["a list for an optional value", { a: { table: "ACL", columns: { name: ["a", "b"] } } }, "columns.name: ACL.name: holds one value, not 2"],
  ["a map for a text", { a: { table: "ACL", columns: { match: { a: "b" } } } }, "columns.match: ACL.match: {} is not a string"],
  ["a text for a map", { a: { table: "ACL", columns: { options: "a=b" } } }, 'columns.options: ACL.options: "a=b" is not a map'],
  ["a list for a map", { a: { table: "ACL", columns: { options: ["a"] } } }, "columns.options: ACL.options: holds a map, not a list"],
  ["a number in a map of texts", { a: { table: "ACL", columns: { options: { a: 1 } } } }, 'columns.options: ACL.options["a"]: 1 is not a string'],
  ["null for a column that is never empty", { a: { table: "ACL", columns: { match: null } } }, "columns.match: ACL.match: null is not a string"],
  ["null for a map", { a: { table: "ACL", columns: { external_ids: null } } }, "columns.external_ids: ACL.external_ids: null is not a map"],
  ["an element twice", { a: { table: "Address_Set", columns: { addresses: ["10.0.0.1", "10.0.0.1"] } } }, 'Address_Set.addresses: "10.0.0.1" occurs twice'],
  ["no UUID", { a: { table: "Logical_Switch", columns: { acls: ["allow"] } } }, 'columns.acls: Logical_Switch.acls[0]: "allow" is not a UUID'],
  ["a choice with a typo", { a: { table: "ACL", columns: { action: "alow" } } }, 'columns.action: ACL.action: "alow" is not one of "allow", '],
  ["a reference in a column of text", { a: { table: "ACL", references: { match: uuid } } }, "references.match: ACL.match: is not a column of references"],
  ["a reference in a map", { a: { table: "Load_Balancer", references: { vips: uuid } } }, "references.vips: Load_Balancer.vips: is not a column of references"],
  [
    "two references where one belongs",
    { a: { table: "ACL", references: { sample_new: [uuid, "s"] } } },
    "references.sample_new: ACL.sample_new: refers to 1, not 2",
  ],
])("refuses %s, with and without a zone", async (_what, entries, failure) => {
  const { failures, warned } = await said(entries);
  expect(failures).toEqual([expect.stringContaining(`entries.a.${failure.startsWith("Address") ? "columns.addresses: " : ""}${failure}`)]);
  expect(failures[0]).toMatch(/ \[column-value\]$/);
  expect(warned).toBe("");
});

it("refuses references to rows of another table, and a parent that lists others", async () => {
  const entries = {
    a: { table: "Logical_Switch", references: { ports: "b" } },
    b: { table: "ACL", parent: { table: "Logical_Switch", row: "a", column: "qos_rules" } },
    c: { table: "ACL", parent: { table: "Logical_Switch", row: "a", column: "name" } },
  };
  expect((await said(entries)).failures).toEqual([
    "entries.a.references.ports: Logical_Switch.ports: refers to rows of Logical_Switch_Port, not of ACL [mismatch]",
    "entries.b.parent.column: Logical_Switch.qos_rules: refers to rows of QoS, not of ACL [mismatch]",
    "entries.c.parent.column: Logical_Switch.name: is not a column of references [column-value]",
  ]);
});

it("refuses the engine's own marks, in columns and in externalIds", async () => {
  const marks = { "pulumi-ovn:owner": "me", mine: "1" };
  const reserved = "keys that begin with pulumi-ovn: are marks of this package [reserved]";
  expect((await said({ a: { table: "ACL", columns: { external_ids: marks } } })).failures).toEqual([
    `entries.a.columns.external_ids["pulumi-ovn:owner"]: ${reserved}`,
  ]);
  expect(await failuresOf("Layer2Switch", { zone: "z", name: "l2", subnets: ["10.0.0.0/8"], externalIds: marks }, zones)).toEqual([
    `externalIds["pulumi-ovn:owner"]: ${reserved}`,
  ]);
});

it("uses the schema of the kind's database", async () => {
  expect((await said({ a: { table: "Port_Bindng" } }, "SouthboundRows")).failures).toEqual([
    'entries.a.table: OVN_Southbound has no table "Port_Bindng"; did you mean "Port_Binding"? [unknown-table]',
  ]);
  expect((await said({ a: { table: "Interfaces" } }, "OpenVSwitchRows")).failures).toEqual([
    'entries.a.table: Open_vSwitch has no table "Interfaces"; did you mean "Interface"? [unknown-table]',
  ]);
});

it.each<[string, string, object, string[]]>([
  ["NorthboundRows", "ACL", { priority: 1, match: "ip4" }, ["action", "direction"]],
  ["NorthboundRows", "Meter", { name: "m" }, ["bands", "unit"]],
  ["NorthboundRows", "Mirror", { name: "m" }, ["filter", "type"]],
  ["SouthboundRows", "MAC_Binding", { ip: "10.0.0.1" }, ["datapath"]],
  ["OpenVSwitchRows", "Interface", { name: "i" }, []],
])("%s refuses a new row of %s without its required columns, and adopts an existing one", async (kind, table, columns, missing) => {
  const given = { zone: "z", entries: { a: { table, columns } } };
  expect((await failuresOf(kind, given, zones)).sort()).toEqual(
    missing.map((name) => `entries.a.columns: a row of ${table} needs a value of column "${name}" [required]`),
  );
  const adopting = await failuresOf(kind, { ...given, adopt: true }, zones);
  expect(adopting.filter((failure) => failure.includes("[required]"))).toEqual([]);
});

it.each<[string, RawRowsArgs["entries"], string]>([
  ["a table", { a: { table: "Network_Function", columns: { name: "f" } } }, 'OVN_Northbound has no table "Network_Function"'],
  ["a column", { a: { table: "Logical_Switch", columns: { evpn: true } } }, 'table Logical_Switch has no column "evpn"'],
  ["a column that differs in a digit", { a: { table: "Logical_Switch_Port", columns: { dhcpv8_options: null } } }, 'no column "dhcpv8_options"'],
  ["a short column", { a: { table: "Logical_Switch_Port", columns: { tags: 1 } } }, 'no column "tags"'],
  ["a choice", { a: { table: "ACL", columns: { action: "mirror" } } }, 'ACL.action: "mirror" is not one of "allow", "allow-related", '],
  ["a number beyond its range", { a: { table: "ACL", columns: { tier: 4 } } }, "ACL.tier: 4 is not 0 to 3"],
  ["a text beyond its length", { a: { table: "ACL", columns: { name: "n".repeat(64) } } }, "has 64 characters, not 0 to 63"],
  ["more elements", { a: { table: "Meter", columns: { bands: [] } } }, "Meter.bands: 0 elements, not at least 1"],
  ["a value of a map", { a: { table: "QoS", columns: { bandwidth: { rate: 0 } } } }, 'QoS.bandwidth["rate"]: 0 is not 1 to 4294967295'],
])("warns of %s that a newer OVN may have", async (_what, entries, warning) => {
  const { failures, warned } = await said(entries);
  expect(failures).toEqual([]);
  expect(warned).toContain(`${warning}`);
  expect(warned).toContain(
    "(by OVN_Northbound 7.11.0, which this package knows, as the zone can't be read just now; the update fails unless the database is newer) [OVN_WARN_SCHEMA]",
  );
});

it("accepts all existing names", async () => {
  const entries = {
    a: { table: "ACL", columns: { name: "x", priority: 5 }, parent: { table: "Logical_Switch", row: "l2", column: "acls" } },
    b: { table: "Meter", columns: { name: "m", unit: "kbps", fair: null }, references: { bands: "band" } },
    band: { table: "Meter_Band", columns: { action: "drop", rate: 5 } },
    c: { table: "Address_Set", columns: { name: ["x"], addresses: "10.0.0.1", external_ids: {} } },
    d: { table: "Logical_Switch", columns: { acls: null, ports: [uuid] }, references: { qos_rules: "e", load_balancer: ["lb", uuid] } },
    e: { table: "QoS", columns: { bandwidth: { rate: 5 }, priority: 0 }, parent: { table: "Logical_Switch", row: "d", column: "qos_rules" } },
  };
  expect(await said(entries)).toEqual({ failures: [], warned: "" });
});
