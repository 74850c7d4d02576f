import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchFolder } from "@pulumi-ovn/agent/testing";
import { until } from "@pulumi-ovn/sandbox/testing";

const parent = mkdtempSync(join(tmpdir(), "folder-"));
afterAll(() => rmSync(parent, { recursive: true }));

let reported: string[];
let unwatch: () => void;
const folder = join(parent, "run");
const write = (name: string) => writeFileSync(join(folder, name), "");
const hears = (...wanted: string[]) =>
  until(`${reported.join()} to be ${wanted.join()}`, 20_000, () => JSON.stringify([...new Set(reported)]) === JSON.stringify(wanted));

beforeEach(() => {
  reported = [];
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => unwatch());
const start = () => {
  unwatch = watchFolder(
    folder,
    (name) => reported.push(name),
    () => reported.push("came"),
  );
};

it("reports names in an existing folder", async () => {
  mkdirSync(folder);
  start();
  write("a");
  await hears("a");
});

it("waits for a folder that is created later", async () => {
  start();
  mkdirSync(folder);
  await hears("came");
  write("a");
  await hears("came", "a");
});

it.each([
  ["deleted", () => rmSync(folder, { recursive: true })],
  ["moved away", () => renameSync(folder, join(parent, "old"))],
])("watches a folder that is %s and created again", async (_, end) => {
  mkdirSync(folder);
  start();
  end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  mkdirSync(folder);
  await hears("came");
  write("a");
  await hears("came", "a");
});

it("reports nothing after its end", async () => {
  start();
  unwatch();
  mkdirSync(folder);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  start();
  unwatch();
  write("a");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(reported).toEqual([]);
});
