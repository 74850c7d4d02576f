import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { mending, type StackLocation } from "@pulumi-ovn/cli/testing";

let folder: string;
let stacks: string;
const said: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "state-"));
  stacks = join(folder, "state/.pulumi/stacks/net");
  await mkdir(stacks, { recursive: true });
  said.length = 0;
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

const WHOLE = '{"user.content_type":"text/plain","md5":"RCVmwVwAk+6UrAcMWpYInQ=="}';
const write = (name: string, text: string) => writeFile(join(stacks, name), text);
const place =
  (more: Partial<StackLocation> = {}) =>
  async () => ({ backend: `file://${join(folder, "state")}`, folder, project: "net", stack: "dev", ...more });

/** Fails so many times, then succeeds. Returns how often it was called. */
async function attempted(failures: number, where = place()): Promise<number> {
  let calls = 0;
  const operation = () => (++calls > failures ? Promise.resolve("done") : Promise.reject(new Error(`failure ${calls}`)));
  await expect(mending(operation, where, (text) => said.push(text))).resolves.toBe("done");
  return calls;
}

/** Checks the message of the failure, and that no second attempt follows. */
async function refused(where = place()): Promise<void> {
  let calls = 0;
  await expect(
    mending(
      () => Promise.reject(new Error(`failure ${++calls}`)),
      where,
      (text) => said.push(text),
    ),
  ).rejects.toThrow("failure 1");
  expect([calls, said]).toEqual([1, []]);
}

it.each(["", '{"user.cache', "\0\0\0"])("removes attributes that contain %j, and tries once more", async (text) => {
  await write("dev.json", "{}");
  await write("dev.json.attrs", text);
  expect(await attempted(1)).toBe(2);
  expect(await readdir(stacks)).toEqual(["dev.json"]);
  expect(said).toEqual([`a Pulumi that was killed left attributes of the state half written: removed ${join(stacks, "dev.json.attrs")}`]);
});

it("finds attributes of compressed states and tags, and keeps those of other stacks and files", async () => {
  for (const name of ["dev.json.gz.attrs", "dev.json.zst.attrs", "dev.pulumi-tags.attrs", "prod.json.attrs", "dev.json.bak.attrs", "dev.json"])
    await write(name, "");
  await write("dev.json.attrs", WHOLE);
  expect(await attempted(1)).toBe(2);
  expect((await readdir(stacks)).sort()).toEqual(["dev.json", "dev.json.attrs", "dev.json.bak.attrs", "prod.json.attrs"]);
});

it("removes those of all stacks of the project if the stack is unknown", async () => {
  for (const name of ["dev.json.attrs", "prod.json.attrs", "dev.json", "notes.txt"]) await write(name, "");
  await write("test.json.attrs", WHOLE);
  expect(await attempted(1, place({ stack: undefined }))).toBe(2);
  expect((await readdir(stacks)).sort()).toEqual(["dev.json", "notes.txt", "test.json.attrs"]);
});

it.each([
  ["a relative path", () => ({ backend: "file://./state" })],
  ["a query", () => ({ backend: `file://${join(folder, "state")}?no_tmp_dir=true` })],
  ["a path from the home", () => ({ backend: `file://~/${relative(homedir(), join(folder, "state"))}` })],
  ["a stack's whole name", () => ({ stack: "organization/net/dev" })],
])("finds the state by %s", async (_what, more) => {
  await write("dev.json.attrs", "");
  expect(await attempted(1, place(more()))).toBe(2);
  expect(await readdir(stacks)).toEqual([]);
});

it("reads nothing if the operation succeeds", async () => {
  await write("dev.json.attrs", "");
  expect(await attempted(0, () => Promise.reject(new Error("asked")))).toBe(1);
  expect(await readdir(stacks)).toEqual(["dev.json.attrs"]);
});

it("keeps the failure if no attributes are damaged", async () => {
  await refused();
  await write("dev.json.attrs", WHOLE);
  await refused();
  await refused(place({ backend: "https://api.pulumi.com" }));
  await write("dev.json.attrs", "");
  await refused(() => Promise.reject(new Error("no backend")));
  await refused(place({ backend: "s3://bucket" }));
  expect(await readdir(stacks)).toEqual(["dev.json.attrs"]);
});

it("keeps attributes that a running Pulumi is writing", async () => {
  await write("dev.json.attrs", "");
  const path = join(stacks, "dev.json.attrs");
  const writing = setTimeout(() => writeFileSync(path, WHOLE), 50);
  await refused();
  clearTimeout(writing);
  expect(await readdir(stacks)).toEqual(["dev.json.attrs"]);
  // Written again, and empty again, whenever it is looked at.
  await write("dev.json.attrs", "");
  const again = setInterval(() => writeFileSync(path, ""), 20);
  await refused();
  clearInterval(again);
});

it("tries at most twice", async () => {
  await write("dev.json.attrs", "");
  let calls = 0;
  await expect(
    mending(
      () => Promise.reject(new Error(`failure ${++calls}`)),
      place(),
      () => undefined,
    ),
  ).rejects.toThrow("failure 2");
});
