import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { shellOf, startingScript } from "@pulumi-ovn/cli/testing";
import { forgetApply, guardedByApply, layDown, readRecord } from "@pulumi-ovn/provider/targets";
import { FACTS } from "../../support/apply-record";
import { difference, NO_DIFFERENCE } from "../../support/dump";
import { Northbound } from "../../support/northbound";
import { pathWithClient } from "../../support/path-with-client";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const DATABASE = "OVN_Northbound";
let folder: string;
let path: string;
let northbound: Northbound;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "undo-"));
  path = await pathWithClient(folder);
  northbound = await Northbound.start();
});
afterAll(async () => {
  await northbound?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const start = (id: string, seconds: number) =>
  promisify(execFile)("sh", ["-c", startingScript(shellOf(northbound.endpoint, undefined)!, { database: DATABASE, root: "NB_Global", id, seconds })], {
    env: { ...process.env, PATH: path },
  });
const undone = (id: string) => until(async () => (await readRecord(northbound.client, DATABASE))?.phase === "undone" && id !== "");

it("undoes at its deadline in a shell, but for rows that another writer changed", async () => {
  const { client } = northbound;
  await northbound.nbctl("ls-add", "sw", "--", "lsp-add", "sw", "old", "--", "lsp-add", "sw", "kept", "--", "lsp-add", "sw", "quoted");
  await northbound.nbctl("set", "Logical_Switch_Port", "quoted", `external_ids:text="it's \\"a\\" \\\\ b"`);
  const before = await northbound.dump();
  await layDown(client, DATABASE, "abc", FACTS);
  const own = guardedByApply(client, DATABASE, "abc");
  const [ports] = await client.transact([{ op: "select", table: "Logical_Switch_Port", where: [["name", "==", "old"]], columns: ["_uuid"] }]);
  const old = (ports.rows[0]!._uuid as [string, string])[1];
  await own.transact([
    { op: "mutate", table: "Logical_Switch", where: [["name", "==", "sw"]], mutations: [["ports", "delete", ["uuid", old]]] },
    { op: "delete", table: "Logical_Switch_Port", where: [["_uuid", "==", ["uuid", old]]] },
    { op: "update", table: "Logical_Switch_Port", where: [["name", "==", "quoted"]], row: { external_ids: ["map", [["text", "other"]]] } },
  ]);
  await own.transact([{ op: "update", table: "Logical_Switch_Port", where: [["name", "==", "kept"]], row: { tag: 7, type: "remote" } }]);
  await northbound.nbctl("set", "Logical_Switch_Port", "kept", "tag=8");
  await start("abc", 2);
  await northbound.restart();
  await undone("abc");
  expect((await readRecord(client, DATABASE))?.kept).toEqual(["Logical_Switch_Port kept"]);
  await northbound.nbctl(
    "clear",
    "Logical_Switch_Port",
    "kept",
    "tag",
    "--",
    "set",
    "Logical_Switch_Port",
    "kept",
    'type=""',
    "--",
    "clear",
    "NB_Global",
    ".",
    "external_ids",
  );
  expect(difference(before, await northbound.dump())).toEqual(NO_DIFFERENCE);
});

it("waits for an apply that is laid down after its start", async () => {
  const { client } = northbound;
  await start("later", 1);
  await layDown(client, DATABASE, "later", FACTS);
  await undone("later");
  await forgetApply(client, DATABASE, "later");
});
