import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { StringPool } from "@pulumi-ovn/ovsdb-client/testing";

const SOURCE = join(__dirname, "../../../ovsdb-client/monitor/intern.ts");

/** Runs a program with a pool and a heap of 48 MB. Equal strings can't be distinguished, but the program ends with an error if too many are in memory. */
function inSmallHeap(program: string): { status: number | null; stdout: string } {
  const prelude = `
    const pool = new (require(${JSON.stringify(SOURCE)}).StringPool)();
    /** A new string of so many kB for a number. */
    const text = (number, size) => Buffer.alloc(1000 * size, "x").toString("latin1") + number;
    const kept = [];`;
  const { status, stdout } = spawnSync(process.execPath, ["--max-old-space-size=48", "-e", `${prelude}${program};console.log(kept.length)`], {
    encoding: "utf8",
  });
  return { status, stdout };
}

describe("a pool of strings", () => {
  test("returns equal values", () => {
    const pool = new StringPool();
    for (const value of ["a", "a", 1, 2n, true, null, undefined]) expect(pool.intern(value)).toBe(value);
  });

  test("keeps one copy of each repeated string", () => {
    expect(inSmallHeap("for (let i = 0; i < 2000; i++) kept.push(pool.intern(text(i % 10, 100)))")).toEqual({ status: 0, stdout: "2000\n" });
  });

  test("keeps no string after 256 different ones without a repetition: a column of names", () => {
    expect(inSmallHeap("for (let i = 0; i < 2000; i++) pool.intern(text(i, 100))")).toEqual({ status: 0, stdout: "0\n" });
  });

  test("keeps up to 2,048 different strings after a repetition", () => {
    const repeated = "pool.intern(text(0, 1)); pool.intern(text(0, 1));";
    expect(inSmallHeap(`${repeated} for (let i = 0; i < 3000; i++) kept.push(pool.intern(text(i % 300, 40)))`)).toEqual({ status: 0, stdout: "3000\n" });
    expect(inSmallHeap(`${repeated} for (let i = 0; i < 20_000; i++) pool.intern(text(i, 10))`)).toEqual({ status: 0, stdout: "0\n" });
  });
});
