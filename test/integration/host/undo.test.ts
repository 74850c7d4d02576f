import * as fc from "fast-check";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { type Connections, forgetApply, guardedByApply, layDown, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import { FACTS, undoneByHost } from "../../support/apply-record";
import { hostImage } from "../../support/apply-places";
import { Switches } from "../../support/switches";

const HOST = "node1";
const DATABASE = "Open_vSwitch";
const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:OpenVSwitchRows::bridges";

const switches = Switches.of({ name: "undo-rows", hosts: 1, workloads: [] });
let targets: Connections;
let client: OvsdbClient;
beforeAll(async () => {
  targets = switches.targets();
  client = await targets.unguarded(HOST, DATABASE);
});

interface Bridge {
  readonly bridge: number;
  /** Interfaces of each port. */
  readonly ports: readonly (readonly [port: number, interfaces: readonly string[]])[];
}

function rowsOf(bridges: readonly Bridge[]): RowSet {
  const rows = bridges.flatMap(({ bridge, ports }): DesiredRow[] => {
    const name = `br${bridge}`;
    const parent = { table: "Open_vSwitch", row: { name: "." }, column: "bridges" };
    return [{ table: "Bridge", key: name, columns: { name, datapath_type: "netdev" }, parent }, ...ports.flatMap((each) => portRows(name, ...each))];
  });
  return { database: DATABASE, rows };
}

function portRows(bridge: string, number: number, interfaces: readonly string[]): DesiredRow[] {
  const key = `${bridge}-${number}`;
  const references = interfaces.map((each) => ({ table: "Interface", key: `${key}${each}` }));
  return [
    ...references.map((each): DesiredRow => ({ ...each, columns: { name: each.key, type: "internal" } })),
    {
      table: "Port",
      key,
      columns: { name: key, interfaces: references },
      parent: { table: "Bridge", row: { table: "Bridge", key: bridge }, column: "ports" },
    },
  ];
}

const ports = fc.uniqueArray(fc.tuple(fc.nat(2), fc.subarray(["a", "b"], { minLength: 1 })), { maxLength: 3, selector: ([port]) => port });
const bridges = fc.uniqueArray(fc.record({ bridge: fc.nat(1), ports }), { selector: ({ bridge }) => bridge });

const write = (target: OvsdbClient, before: readonly Bridge[], after: readonly Bridge[]) =>
  after.length === 0
    ? removeRows({ client: target, owner: OWNER }, rowsOf(before))
    : ensureRows({ client: target, owner: OWNER }, rowsOf(after), before.length === 0 ? {} : { previous: rowsOf(before), assume: "unchanged" });

const byCommand = async (id: string) => (await undoApply(client, DATABASE, id))!.kept;
const byHost = (id: string) => undoneByHost(targets.host(HOST), client, id);

/** Changes the bridges under an apply. */
async function changed(id: string, before: readonly Bridge[], after: readonly Bridge[]): Promise<void> {
  await layDown(client, DATABASE, id, FACTS);
  await write(guardedByApply(client, DATABASE, id), before, after);
}

it("restores bridges, ports and interfaces with their UUIDs after random changes, by the command and by the host", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(bridges, bridges, async (before, after) => {
      const id = `random-${++runs}`;
      await write(client, [], before);
      const whole = await hostImage(switches, HOST);
      await changed(id, before, after);
      expect(await (runs % 3 === 0 ? byHost : byCommand)(id)).toEqual([]);
      await forgetApply(client, DATABASE, id);
      expect(await hostImage(switches, HOST)).toEqual(whole);
      await write(client, before, []);
    }),
    { numRuns: 15 },
  );
});

it.each([
  ["the command", byCommand],
  ["the host", byHost],
])("keeps a port that another writer changed since, with its interface and its bridge, and removes all others, by %s", async (_, undo) => {
  const id = "kept";
  await changed(
    id,
    [],
    [
      {
        bridge: 0,
        ports: [
          [0, ["a"]],
          [1, ["a"]],
        ],
      },
      { bridge: 1, ports: [[0, ["a", "b"]]] },
    ],
  );
  await switches.on(HOST, "ovs-vsctl", "set", "Interface", "br0-0a", "type=dummy");
  expect([...(await undo(id))].sort()).toEqual(["Bridge br0", "Interface br0-0a", "Port br0-0"]);
  expect([...(await readRecord(client, DATABASE))!.kept].sort()).toEqual(["Bridge br0", "Interface br0-0a", "Port br0-0"]);
  await forgetApply(client, DATABASE, id);
  expect(await switches.on(HOST, "ovs-vsctl", "list-br", "--", "list-ports", "br0")).toBe("br-ex\nbr-phy\nbr0\nbr0-0\n");
  await switches.on(HOST, "ovs-vsctl", "del-br", "br0");
});
