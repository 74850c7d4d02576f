import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { startTimer } from "@pulumi-ovn/cli/testing";
import type { Operation, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { confirmApply, forgetApply, guardedByApply, layDown, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import { FACTS } from "../../support/apply-record";
import { difference, NO_DIFFERENCE } from "../../support/dump";
import { Northbound } from "../../support/northbound";
import { pathWithClient } from "../../support/path-with-client";
import { until } from "../../support/until";

jest.setTimeout(120_000);

const DATABASE = "OVN_Northbound";
const URN = (name: string) => `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:NorthboundRows::${name}`;

let northbound: Northbound;
let client: OvsdbClient;
beforeAll(async () => {
  northbound = await Northbound.start();
  ({ client } = northbound);
  await northbound.nbctl("init");
});
afterAll(() => northbound?.[Symbol.asyncDispose]());

const dump = () => northbound.dump();
let count = 0;
const newId = () => `apply-${++count}`;

/** Rows of one resource: switches with ports, an address set, a port group that refers to ports weakly, and a meter that must have a band. */
const resource = fc.record({
  ports: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  mtu: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  addresses: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  group: fc.boolean(),
  rates: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
});
interface Resource {
  readonly ports: readonly number[];
  readonly mtu?: number | undefined;
  readonly addresses: readonly number[];
  readonly group: boolean;
  readonly rates?: readonly number[];
}

function rowsOf(name: string, { ports, mtu, addresses, group, rates = [] }: Resource): RowSet {
  const switchKey = "switch";
  const rows: DesiredRow[] = [
    { table: "Logical_Switch", key: switchKey, columns: { name: `${name}-sw`, other_config: { map: mtu === undefined ? {} : { mtu: String(mtu) } } } },
    ...ports.map(
      (n): DesiredRow => ({
        table: "Logical_Switch_Port",
        key: `port${n}`,
        columns: { name: `${name}-p${n}`, addresses: addresses.map((each) => `0a:00:00:00:0${n}:0${each}`), tag: mtu ?? null },
        parent: { table: "Logical_Switch", row: { table: "Logical_Switch", key: switchKey }, column: "ports" },
      }),
    ),
    { table: "Address_Set", key: "set", columns: { name: `${name}_set`, addresses: addresses.map((each) => `10.0.0.${each}`) } },
    ...(group
      ? [
          {
            table: "Port_Group",
            key: "group",
            columns: { name: `${name}_pg`, ports: ports.map((n) => ({ table: "Logical_Switch_Port", key: `port${n}` })) },
          } as DesiredRow,
        ]
      : []),
  ];
  return { database: DATABASE, rows: [...rows, ...meter(name, rates)] };
}

function meter(name: string, rates: readonly number[]): DesiredRow[] {
  if (rates.length === 0) return [];
  const bands = rates.map((rate) => ({ table: "Meter_Band", key: `band${rate}` }));
  return [
    ...rates.map((rate, index): DesiredRow => ({ ...bands[index]!, columns: { action: "drop", rate } })),
    { table: "Meter", key: "meter", columns: { name: `${name}-meter`, unit: "pktps", bands } },
  ];
}

/** Brings resources from one version to another, as an update does: created and updated ones first, then deletions. */
async function write(target: OvsdbClient, before: Readonly<Record<string, Resource | undefined>>, after: Readonly<Record<string, Resource | undefined>>) {
  for (const [name, wanted] of Object.entries(after)) {
    if (!wanted) continue;
    const previous = before[name] && rowsOf(name, before[name]);
    await ensureRows({ client: target, owner: URN(name) }, rowsOf(name, wanted), previous ? { previous, assume: "unchanged" } : {});
  }
  for (const [name, had] of Object.entries(before)) if (had && !after[name]) await removeRows({ client: target, owner: URN(name) }, rowsOf(name, had));
}

const versions = fc.record({ a: fc.option(resource, { nil: undefined }), b: fc.option(resource, { nil: undefined }) });

it("restores every row of random changes, with its UUID, and leaves no record", async () => {
  await fc.assert(
    fc.asyncProperty(versions, versions, async (before, after) => {
      await write(client, {}, before);
      // Another writer's weak reference to a port that may be deleted.
      await northbound.nbctl("pg-add", "theirs", ...(before.a?.ports ?? []).map((n) => `a-p${n}`));
      const whole = await dump();
      const id = newId();
      await layDown(client, DATABASE, id, FACTS);
      await write(guardedByApply(client, DATABASE, id), before, after);
      const changed = await dump();
      expect(await undoApply(client, DATABASE, id)).toEqual({ kept: [] });
      expect((await readRecord(client, DATABASE))?.phase).toBe("undone");
      await forgetApply(client, DATABASE, id);
      expect(difference(whole, await dump())).toEqual(NO_DIFFERENCE);
      // The state is that of before, and the next update comes through.
      await write(client, before, after);
      expect(difference(changed, await dump()).added.filter((row) => !row.includes("NB_Global"))).toEqual([]);
      await northbound.nbctl("pg-del", "theirs");
      await write(client, after, {});
      expect(await northbound.column("Logical_Switch", "name")).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

const SMALL: Resource = { ports: [0, 1], mtu: 1, addresses: [1], group: false };

it("keeps rows that another writer changed since, and names them", async () => {
  await write(client, {}, { a: SMALL });
  const id = newId();
  await layDown(client, DATABASE, id, FACTS);
  await write(guardedByApply(client, DATABASE, id), { a: SMALL }, { a: { ...SMALL, ports: [0, 2], mtu: 2, addresses: [2] } });
  await northbound.nbctl("set", "Logical_Switch_Port", "a-p2", "type=remote", "tag=7", "--", "set", "Address_Set", "a_set", "addresses=10.9.9.9");
  expect(await undoApply(client, DATABASE, id)).toEqual({ kept: ["Logical_Switch_Port a-p2", "Address_Set a_set"] });
  expect((await readRecord(client, DATABASE))?.kept).toEqual(["Logical_Switch_Port a-p2", "Address_Set a_set"]);
  await forgetApply(client, DATABASE, id);
  expect(await northbound.column("Logical_Switch_Port", "name")).toEqual(["a-p0", "a-p1", "a-p2"]);
  expect(await northbound.nbctl("--columns=tag,type", "--bare", "list", "Logical_Switch_Port", "a-p2")).toBe("7\nremote");
  expect(await northbound.nbctl("get", "Logical_Switch", "a-sw", "other_config:mtu")).toBe('"1"');
  await removeRows({ client, owner: URN("a") }, rowsOf("a", { ...SMALL, ports: [0, 1, 2] }));
});

it("refuses writes of others and a second apply while one is pending, and a confirmed one can't be undone", async () => {
  const id = newId();
  await layDown(client, DATABASE, id, FACTS);
  const other = guardedByApply(client, DATABASE, undefined);
  const insert: Operation[] = [{ op: "insert", table: "Address_Set", row: { name: "other" } }];
  const pending = `apply ${id} of stack net/dev by me@here is pending; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`;
  await expect(other.transact(insert)).rejects.toMatchObject({ code: "OVN_APPLY_PENDING", message: pending });
  await expect(guardedByApply(client, DATABASE, "another").transact(insert)).rejects.toMatchObject({ code: "OVN_APPLY_PENDING" });
  await expect(layDown(client, DATABASE, "another", FACTS)).rejects.toMatchObject({ code: "OVN_APPLY_PENDING", message: pending });
  await guardedByApply(client, DATABASE, id).transact(insert);
  await confirmApply(client, DATABASE, id);
  expect(await undoApply(client, DATABASE, id)).toBeUndefined();
  expect(await northbound.column("Address_Set", "name")).toContain("other");
  expect(await readRecord(client, DATABASE)).toBeUndefined();
  expect(await northbound.nbctl("get", "NB_Global", ".", "external_ids")).toBe("{}");
  await other.transact([{ op: "delete", table: "Address_Set", where: [["name", "==", "other"]] }]);
});

it("undoes more than 100 kB of rows, by a process on the database's host", async () => {
  const bin = await mkdtemp(join(tmpdir(), "bin-"));
  const path = await pathWithClient(bin);
  const whole = await dump();
  const id = newId();
  await layDown(client, DATABASE, id, FACTS);
  const rows = Array.from(
    { length: 400 },
    (_, n): DesiredRow => ({ table: "Address_Set", key: `set${n}`, columns: { name: `large${n}`, addresses: ["10.0.0.1"] } }),
  );
  await ensureRows({ client: guardedByApply(client, DATABASE, id), owner: URN("large") }, { database: DATABASE, rows });
  const { undo } = (await readRecord(client, DATABASE))!;
  expect([undo.length, JSON.stringify(undo).length > 100_000]).toEqual([400, true]);
  const shell = { host: { command: ["env", `PATH=${path}`] }, endpoint: northbound.endpoint, stream: [], hasParts: false };
  expect(await startTimer(shell, { database: DATABASE, root: "NB_Global", id, seconds: 1 })).toBe(true);
  await until(async () => (await readRecord(client, DATABASE))?.phase === "undone");
  await forgetApply(client, DATABASE, id);
  expect(difference(whole, await dump())).toEqual(NO_DIFFERENCE);
  await rm(bin, { recursive: true });
});
