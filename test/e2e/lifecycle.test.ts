import { difference, NO_DIFFERENCE, tablesOf, type Dump } from "../support/dump";
import { blue, program, WORKLOADS } from "../support/network";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

/** Resources of a network over so many nodes: five in each zone, the network with its lists and its wait, the pool, the stack. */
const resources = (nodes: number) => 5 * nodes + 5;

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1", "node2", "node3"]);
  workspace = await Workspace.create(program(), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

/** Rows of the dump that hold a text in any of their columns. */
const naming = (dump: Dump, text: string) =>
  new Set([...dump].filter(([, columns]) => Object.values(columns).some((cell) => cell.includes(text))).map(([row]) => row));

it("creates a network over three zones, writes only changes, and leaves nothing after destroy", async () => {
  const [emptyNorth, emptySouth] = [await zones.northbound(), await zones.southbound()];

  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ create: resources(3) });
  const whole = await zones.northbound();
  for (const zone of ["node1", "node2", "node3"]) {
    const routers = (await zones.nbctl(zone, "--bare", "--columns=name", "list", "logical_router")).split("\n").filter(Boolean).sort();
    expect(routers).toEqual([`GR_blue_${zone}`, "blue_transit_router"]);
    expect((await zones.nbctl(zone, "lrp-list", "blue_transit_router")).split("\n")).toHaveLength(4);
  }

  // The same again, and the live rows read back.
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: resources(3) });
  expect(await workspace.changes("refresh", "--yes", "--skip-preview")).toEqual({ same: resources(3) });
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);

  // The order of the nodes means nothing.
  await workspace.write(program(blue(["node3", "node2", "node1"])));
  expect(await workspace.changes("preview")).toEqual({ same: resources(3) });

  // One argument: one row in every zone that has it, under the UUID it had.
  await workspace.write(program(blue(undefined, { workloads: { ...WORKLOADS, vm2: { ...WORKLOADS.vm2!, mac: "0a:58:00:00:00:77" } } })));
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ update: 5, same: resources(3) - 5 });
  const changed = difference(whole, await zones.northbound());
  expect([changed.added, changed.removed]).toEqual([[], []]);
  expect(tablesOf(Object.keys(changed.changed))).toEqual(["node1 Logical_Switch_Port", "node2 Logical_Switch_Port", "node3 Logical_Switch_Port"]);
  for (const zone of ["node1", "node2", "node3"]) {
    expect(await zones.nbctl(zone, "get", "logical_switch_port", "vm2", "addresses")).toBe('["0a:58:00:00:00:77 203.203.0.18 2010:100:200::12"]');
  }

  // A node out of the middle, and back.
  await workspace.write(program(blue(["node1", "node3"])));
  await workspace.up();
  const without = await zones.northbound();
  const gone = difference(whole, without);
  const aboutNode2 = new Set([...naming(whole, "node2"), ...naming(whole, "vm2")]);
  expect(gone.added).toEqual([]);
  expect([...without.keys()].filter((row) => row.startsWith("node2 "))).toEqual([...emptyNorth.keys()].filter((row) => row.startsWith("node2 ")));
  const elsewhere = gone.removed.filter((row) => !row.startsWith("node2 "));
  const perZone = [
    "Logical_Router_Port",
    "Logical_Router_Static_Route",
    "Logical_Router_Static_Route",
    "Logical_Switch_Port",
    "Static_MAC_Binding",
    "Static_MAC_Binding",
  ];
  expect(tablesOf(elsewhere)).toEqual(["node1", "node3"].flatMap((zone) => perZone.map((table) => `${zone} ${table}`)));
  expect(elsewhere.filter((row) => row.includes("_Port ")).every((row) => aboutNode2.has(row))).toBe(true);
  // Only the sets of rows in the transit router and in the switch change in the rows that stay.
  expect(
    Object.entries(gone.changed)
      .map(([row, columns]) => `${row.split(" ").slice(0, 2).join(" ")}: ${columns.join(" ")}`)
      .sort(),
  ).toEqual([
    "node1 Logical_Router: ports static_routes",
    "node1 Logical_Switch: ports",
    "node3 Logical_Router: ports static_routes",
    "node3 Logical_Switch: ports",
  ]);
  await workspace.write(program());
  await workspace.up();
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  await zones.settled();
  expect(difference(emptyNorth, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect(difference(emptySouth, await zones.southbound())).toEqual(NO_DIFFERENCE);
});
