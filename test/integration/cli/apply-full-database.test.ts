import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { changeRevertibly, openTarget, type RevertibleChange, startTimer } from "@pulumi-ovn/cli/testing";
import { Connections, forgetApply, guardedByApply, layDown, readRecord } from "@pulumi-ovn/provider/targets";
import { FACTS } from "../../support/apply-record";
import { difference, NO_DIFFERENCE } from "../../support/dump";
import { Northbound } from "../../support/northbound";
import { pathWithClient } from "../../support/path-with-client";
import { SmallDisk } from "../../support/small-disk";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const DATABASE = "OVN_Northbound";
const STATE = { version: 3, deployment: { resources: [] } };
const SETS = ["a", "b"];

/** Space for marks and for the undo of one of two transactions, but not of both. */
const SPACE = 88 * 1024;

type Target = Awaited<ReturnType<typeof openTarget>>;

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
  targets = new Connections({ node1: { northbound: northbound.endpoint } });
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

/** A change of the zone that no probe approves. */
const changeOf = (id: string, update: () => Promise<void>): RevertibleChange => ({
  id,
  stack: "net/dev",
  seconds: 60,
  before: STATE,
  changing: [],
  update,
  verify: async () => ["no way"],
  isManual: false,
});

/** Runs a change. Returns its result, and its output after the first line. */
async function run(target: Target, revertible: RevertibleChange) {
  const said: string[] = [];
  const engine = { name: "dev", exportState: async () => STATE } as never;
  const result = await changeRevertibly([target], revertible, { engine, folder, say: (text) => void said.push(text) });
  return { result, said: said.slice(1) };
}

const open = () => openTarget(targets, { kind: "zone", name: "node1", database: DATABASE });
/** Error of ovsdb-server on a full disk. */
const noSpace = () => `commit: I/O error: ${disk.folder}/db/nb.db: write failed (No space left on device)`;

it("changes nothing if the database's disk is full before the first change", async () => {
  const before = await northbound.dump();
  const target = await open();
  disk.fill(0);
  // The last page of the file has space for some small transactions.
  const names: string[] = [];
  for (let error: unknown; error === undefined; names.push(`small${names.length}`))
    error = await northbound.client.transact([{ op: "insert", table: "Address_Set", row: { name: `small${names.length}` } }]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const refused = changeOf("0000001c", () => Promise.reject(new Error("updated")));
  expect(await run(target, refused)).toEqual({ result: "refused", said: [`! OVN_Northbound of zone "node1": ${noSpace()}`, "nothing is changed"] });
  expect([await target.read(), existsSync(join(folder, ".pulumi-ovn"))]).toEqual([undefined, false]);
  disk.empty();
  for (const name of names) await northbound.nbctl("--if-exists", "destroy", "Address_Set", name);
  expect(difference(before, await northbound.dump())).toEqual(NO_DIFFERENCE);
});

it("undoes exactly by the command when the database's disk has space again", async () => {
  const target = await open();
  const before = await northbound.dump();
  const tried: unknown[] = [];
  const undo = target.undo.bind(target);
  target.undo = (id) =>
    undo(id).catch(async (error: Error) => {
      tried.push([error.message, (await northbound.column("Address_Set", "name")).join(), (await target.read())?.rows]);
      if (tried.length === 2) disk.empty();
      throw error;
    });
  const { result, said } = await run(
    target,
    changeOf("00000018", () => change("00000018")),
  );
  const failed = [noSpace(), "a,b", 2];
  expect([result, tried]).toEqual(["undone", [failed, failed]]);
  expect(said.slice(1)).toEqual(["! no way", "undoing apply 00000018", 'undone: OVN_Northbound of zone "node1"', "the state of stack dev is as before"]);
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
