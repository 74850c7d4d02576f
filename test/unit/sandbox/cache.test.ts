import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, lock, makeOnce } from "@pulumi-ovn/sandbox/testing";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writes =
  (text: string) =>
  async (scratch: string): Promise<void> =>
    writeFileSync(join(scratch, "file"), text);

test("the folder is the user's choice, or in the user's cache", () => {
  expect(cacheFolder({ PULUMI_OVN_CACHE: "/c", XDG_CACHE_HOME: "/x" })).toBe("/c");
  expect(cacheFolder({ XDG_CACHE_HOME: "/x" })).toBe("/x/pulumi-ovn");
  expect(cacheFolder({ PULUMI_OVN_CACHE: "" })).toMatch(/\/\.cache\/pulumi-ovn$/);
  // Relative to what? Each command would have a tree of programs of its own.
  expect(cacheFolder({ XDG_CACHE_HOME: "cache" }, () => "/home/me")).toBe("/home/me/.cache/pulumi-ovn");
});

test("a user without a home must name a folder", () => {
  expect(() => cacheFolder({}, () => "")).toThrow(expect.objectContaining({ code: "no-cache" }));
  expect(cacheFolder({ PULUMI_OVN_CACHE: "/c" }, () => "")).toBe("/c");
});

test("a folder is created once", async () => {
  const target = join(folder, "deep", "tool");
  expect(await makeOnce(target, writes("first"))).toBe(true);
  expect(await makeOnce(target, writes("second"))).toBe(false);
  expect(readFileSync(join(target, "file"), "utf8")).toBe("first");
  expect(readdirSync(join(folder, "deep"))).toEqual(["tool"]);
});

test("a failure leaves nothing, and the next attempt works", async () => {
  const target = join(folder, "tool");
  const fails = async (scratch: string): Promise<void> => {
    await writes("half")(scratch);
    throw new Error("no network");
  };
  await expect(makeOnce(target, fails)).rejects.toThrow("no network");
  expect(readdirSync(folder)).toEqual([]);
  expect(await makeOnce(target, writes("whole"))).toBe(true);
});

test("of two simultaneous calls one creates it and the other waits", async () => {
  const target = join(folder, "tool");
  const slow = async (scratch: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await writes("x")(scratch);
  };
  const waits: string[] = [];
  const made = await Promise.all([makeOnce(target, slow, () => waits.push("a")), makeOnce(target, slow, () => waits.push("b"))]);
  expect(made.sort()).toEqual([false, true]);
  expect(waits).toHaveLength(1);
});

test("files of a killed process do not prevent the next attempt", async () => {
  const dead = spawn("true");
  await new Promise((resolve) => dead.once("close", resolve));
  writeFileSync(join(folder, "tool.lock"), String(dead.pid));
  mkdirSync(join(folder, `tool.${dead.pid}.part`));
  expect(await makeOnce(join(folder, "tool"), writes("x"))).toBe(true);
  expect(readdirSync(folder)).toEqual(["tool"]);
});

test("a lock is released", async () => {
  const path = join(folder, "lock");
  const unlock = await lock(path);
  expect(readFileSync(path, "utf8")).toBe(String(process.pid));
  await unlock();
  expect(existsSync(path)).toBe(false);
});
