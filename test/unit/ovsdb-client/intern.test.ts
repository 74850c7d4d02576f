import { StringPool } from "@pulumi-ovn/ovsdb-client/testing";

/** Whether a pool holds a text. Reads the pool's private map, because equal strings cannot be distinguished from outside. */
const keeps = (pool: StringPool, text: string): boolean => (pool as unknown as { pool: Map<string, string> | undefined }).pool?.has(text) === true;
const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `name ${at + from}`);

describe("a pool of strings", () => {
  test("gives back what it is given", () => {
    const pool = new StringPool();
    for (const value of ["a", "a", 1, 2n, true, null, undefined]) expect(pool.intern(value)).toBe(value);
  });

  test("of which none has come twice gives up soon: a column of names", () => {
    const pool = new StringPool();
    for (const name of names(257)) pool.intern(name);
    expect(keeps(pool, "name 0")).toBe(false);
  });

  test("of which one has come twice goes on for longer, up to its limit", () => {
    const pool = new StringPool();
    for (const name of [...names(256), "name 0"]) pool.intern(name);
    expect(keeps(pool, "name 0")).toBe(true);
    for (const name of names(1792, 256)) pool.intern(name);
    expect(keeps(pool, "name 2047")).toBe(true);
    pool.intern("one more");
    expect(keeps(pool, "name 0")).toBe(false);
  });
});
