import fc from "fast-check";
import { Handled } from "../../support/handled";
import { contains, parseIp, parseSubnet } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { UNKNOWN } from "@pulumi-ovn/provider/tools";

const pool = new Handled("AddressPool");
const none = new Connections({});

async function given(args: object, olds: object = {}): Promise<Record<string, string[]>> {
  const { inputs, failures } = await pool.check(olds as never, { owner: "urn", ...args }, none);
  expect(failures).toEqual([]);
  return inputs.addresses as Record<string, string[]>;
}

async function complaints(args: object, olds: object = {}): Promise<string[]> {
  return (await pool.check(olds as never, { owner: "urn", ...args }, none)).failures.map(({ path, code, message }) => `${path}: ${message} [${code}]`);
}

describe("a pool of addresses", () => {
  test("begins after reserved addresses, in the order of owners' names, with one address per subnet", async () => {
    const expected = { a: ["169.254.0.3", "fd99:1::3"], "b-a": ["169.254.0.4", "fd99:1::4"], c: ["169.254.0.5", "fd99:1::5"] };
    expect(await given({ owners: ["c", "a", "b-a"] })).toEqual(expected);
    expect(await given({ owners: ["a", "b-a", "c"] })).toEqual(expected);
  });

  test("an owner keeps its address when other owners are added and removed", async () => {
    const olds = { addresses: await given({ owners: ["m", "n"] }) };
    expect(await given({ owners: ["a", "m", "n"] }, olds)).toEqual({
      a: ["169.254.0.5", "fd99:1::5"],
      m: ["169.254.0.3", "fd99:1::3"],
      n: ["169.254.0.4", "fd99:1::4"],
    });
    expect(await given({ owners: ["n"] }, olds)).toEqual({ n: ["169.254.0.4", "fd99:1::4"] });
  });

  test("an address freed in the same update is assigned to another owner only if no other is free", async () => {
    const subnets = ["10.0.0.0/29"];
    const olds = { addresses: await given({ owners: ["a", "b"], subnets }) };
    expect(await given({ owners: ["b", "c"], subnets }, olds)).toEqual({ b: ["10.0.0.4"], c: ["10.0.0.5"] });
    expect(await given({ owners: ["b", "c", "d", "e"], subnets }, olds)).toEqual({ b: ["10.0.0.4"], c: ["10.0.0.5"], d: ["10.0.0.6"], e: ["10.0.0.3"] });
  });

  test("a second family, or another subnet, changes no address that can stay", async () => {
    const olds = { addresses: await given({ owners: ["b"], subnets: ["169.254.0.0/20"] }) };
    expect(await given({ owners: ["a", "b"] }, olds)).toEqual({ a: ["169.254.0.4", "fd99:1::3"], b: ["169.254.0.3", "fd99:1::4"] });
    expect(await given({ owners: ["b"], subnets: ["169.254.0.0/16"] }, olds)).toEqual({ b: ["169.254.0.3"] });
    expect(await given({ owners: ["b"], subnets: ["10.0.0.0/24"] }, olds)).toEqual({ b: ["10.0.0.3"] });
  });

  test("fixed addresses are used unchanged", async () => {
    const fixed = { b: ["169.254.0.3"], a: ["fd99:1::77"] };
    expect(await given({ owners: ["a", "b"], fixed })).toEqual({ a: ["169.254.0.4", "fd99:1::77"], b: ["169.254.0.3", "fd99:1::3"] });
  });

  test("unknown arguments make the addresses unknown", async () => {
    expect((await pool.check({}, { owner: "urn", owners: [UNKNOWN] }, none)).inputs.addresses).toBe(UNKNOWN);
  });

  test("an exhausted pool reports each owner without an address", async () => {
    expect(await complaints({ owners: ["a", "b", "c", "d", "e"], subnets: ["10.0.0.0/29"] })).toEqual([
      'owners: no address is left for "e": all of 10.0.0.3 to 10.0.0.6 are given out [exhausted]',
    ]);
    expect(await complaints({ owners: ["a"], subnets: ["10.0.0.0/30"] })).toEqual([
      "subnets[0]: 10.0.0.0/30 has no address left after the 2 that are set aside: take a larger subnet [too-small]",
    ]);
    expect(await given({ owners: ["a"], subnets: ["10.0.0.0/30"], setAside: 1 })).toEqual({ a: ["10.0.0.2"] });
  });

  test("invalid arguments are refused", async () => {
    expect(await complaints({ owners: ["a", "a"] })).toEqual(["owners[1]: a is listed twice [duplicate]"]);
    expect(await complaints({ owners: ['a"'] })).toEqual([`owners[0]: name "a\\"" can't have quotes: names become part of OVN match expressions [name]`]);
    expect(await complaints({ owners: ["a"], fixed: { a: ["10.0.0.1"] } })).toEqual(["fixed.a[0]: 10.0.0.1 is in none of the pool's subnets [not-in-subnet]"]);
    expect(await complaints({ owners: ["a"], fixed: { a: ["169.254.0.2"] } })).toEqual([
      "fixed.a[0]: 169.254.0.2 is not for owners: of this subnet they get 169.254.0.3 to 169.254.15.254 [reserved]",
    ]);
    expect(await complaints({ owners: ["a", "b"], fixed: { a: ["169.254.0.9", "169.254.0.8"], b: ["fd99:1::1:0:0:1"] } })).toEqual([
      'fixed.a[1]: "a" has a fixed address of this subnet already [duplicate]',
      "fixed.b[0]: fd99:1::1:0:0:1 is too far from the beginning of its subnet [out-of-range]",
    ]);
    const olds = { addresses: { a: ["169.254.0.3", "fd99:1::3"] } };
    expect(await complaints({ owners: ["a", "b"], fixed: { b: ["169.254.0.3"] } }, olds)).toEqual([
      'owners: address 169.254.0.3 of "b" is held by "a" too [duplicate]',
    ]);
  });

  test("owners are added and removed: no address moves, and no two owners share one", async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,2}(-[a-z])?$/), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 2, maxLength: 8 }), async (steps) => {
        let held: Record<string, string[]> = {};
        for (const owners of steps) {
          const now = await given({ owners, subnets: ["10.0.0.0/27", "fd00::/120"] }, { addresses: held });
          const all = Object.values(now).flat();
          expect(new Set(all).size).toBe(2 * owners.length);
          expect(all.every((text, index) => contains(parseSubnet(index % 2 === 0 ? "10.0.0.0/27" : "fd00::/120"), parseIp(text)))).toBe(true);
          for (const owner of owners) if (held[owner]) expect(now[owner]).toEqual(held[owner]);
          held = now;
        }
      }),
      { numRuns: 40 },
    );
  });
});
