import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { changeRevertibly, openTarget, startTimer } from "@pulumi-ovn/cli/testing";
import { Connections, forgetApply, guardedByApply, layDown, readRecord } from "@pulumi-ovn/provider/targets";
import { difference, NO_DIFFERENCE } from "../../support/dump";
import { Northbound } from "../../support/northbound";
import { pathWithClient } from "../../support/path-with-client";
import { SmallDisk } from "../../support/small-disk";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const DATABASE = "OVN_Northbound";
const FACTS = { stack: "net/dev", by: "me@here", deadline: "2030-01-01T00:00:00.000Z", timer: "none" };
const SETS = ["a", "b"];

/** Space for marks and for the undo of one of two transactions, but not of both. */
const SPACE = 88 * 1024;

let folder: string;
let path: string;
let disk: SmallDisk;
let northbound: Northbound;
let targets: Connections;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "full-"));
  path = await pathWithClient(folder);
  disk = new SmallDisk(join(folder, "disk"));
  northbound = await Northbound.start(join(disk.folder, "db"));
  await northbound.nbctl("init");
  for (const name of SETS) await northbound.client.transact([{ op: "insert", table: "Address_Set", row: { name, external_ids: large(name) } }]);
});
afterAll(async () => {
  await targets?.close();
  await northbound?.[Symbol.asyncDispose]();
  disk?.[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const large = (name: string) => ["map", [["text", name.repeat(20_000)]]] as const;

/** Changes both rows in transactions of their own. Then the disk has too little space for the undo. */
async function change(id: string): Promise<void> {
  const own = guardedByApply(northbound.client, DATABASE, id);
  for (const name of SETS) await own.transact([{ op: "update", table: "Address_Set", where: [["name", "==", name]], row: { external_ids: ["map", []] } }]);
  disk.fill(SPACE);
}

it("undoes exactly by the command when the database's disk has space again", async () => {
  targets = new Connections({ node1: { northbound: northbound.endpoint } });
  const target = await openTarget(targets, { kind: "zone", name: "node1", database: DATABASE });
  const before = await northbound.dump();
  const said: string[] = [];
  const tried: unknown[] = [];
  const undo = target.undo.bind(target);
  target.undo = (id) =>
    undo(id).catch(async (error: Error) => {
      tried.push([error.message, (await northbound.column("Address_Set", "name")).join(), (await target.read())?.rows]);
      if (tried.length === 2) disk.empty();
      throw error;
    });
  const revertible = {
    id: "00000018",
    stack: "net/dev",
    seconds: 60,
    before: { version: 3, deployment: { resources: [] } },
    changing: [],
    update: () => change("00000018"),
    verify: async () => ["no way"],
    isManual: false,
  };
  const engine = { name: "dev", exportState: async () => revertible.before } as never;
  expect(await changeRevertibly([target], revertible, { engine, folder, say: (text) => void said.push(text) })).toBe("undone");
  const failed = [`commit: I/O error: ${disk.folder}/db/nb.db: write failed (No space left on device)`, "a,b", 2];
  expect(tried).toEqual([failed, failed]);
  expect(said.slice(2)).toEqual(["! no way", "undoing apply 00000018", 'undone: OVN_Northbound of zone "node1"', "the state of stack dev is as before"]);
  expect(difference(before, await northbound.dump())).toEqual(NO_DIFFERENCE);
});

it("undoes exactly by the process on the host when the database's disk has space again", async () => {
  const before = await northbound.dump();
  await layDown(northbound.client, DATABASE, "00000019", FACTS);
  await change("00000019");
  const shell = { host: { command: ["env", `PATH=${path}`] }, endpoint: northbound.endpoint, stream: [], hasParts: false };
  expect(await startTimer(shell, { database: DATABASE, root: "NB_Global", id: "00000019", seconds: 1 })).toBe(true);
  await sleep(5000);
  expect(await readRecord(northbound.client, DATABASE)).toMatchObject({ phase: "pending", undo: [{}, {}], kept: [] });
  disk.empty();
  await until(async () => (await readRecord(northbound.client, DATABASE))?.phase === "undone");
  expect((await readRecord(northbound.client, DATABASE))?.kept).toEqual([]);
  await forgetApply(northbound.client, DATABASE, "00000019");
  expect(difference(before, await northbound.dump())).toEqual(NO_DIFFERENCE);
});
