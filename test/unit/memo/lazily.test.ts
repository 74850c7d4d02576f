import { kinds, lazily } from "@pulumi-ovn/provider";
import { handlers } from "@pulumi-ovn/provider/tools";

it("every kind is listed under its own name", () => {
  const listed = Object.entries<{ readonly name: string }>(kinds);
  expect(listed.map(([name]) => name)).toEqual(listed.map(([, kind]) => kind.name));
  expect(listed.length).toBeGreaterThan(20);
});

it("every kind has a handler", () => {
  const names = Object.keys(kinds);
  expect(Object.keys(handlers)).toEqual([...names, "AddressPool", "NetworkMembers", "Propagation", "TunnelKeyPool"]);
  for (const name of Object.keys(handlers)) expect([name, typeof handlers[name]!.check]).toEqual([name, "function"]);
  expect(handlers["Nothing"]).toBeUndefined();
});

describe("entries of a table", () => {
  it("are created once, at the first access", () => {
    const made: string[] = [];
    const make = (name: string) => () => (made.push(name), { name });
    const table = lazily({ one: make("one"), two: make("two") });
    expect([Object.keys(table), Object.hasOwn(table, "two"), made]).toEqual([["one", "two"], true, []]);
    const { two } = table;
    expect([two, table.two === two, made]).toEqual([{ name: "two" }, true, ["two"]]);
    expect(Object.values(table)).toEqual([{ name: "one" }, two]);
    expect(made).toEqual(["two", "one"]);
  });

  it("are created again after a failure", () => {
    let calls = 0;
    const table = lazily({
      one: () => {
        if (++calls === 1) throw new Error("not now");
        return calls;
      },
    });
    expect(() => table.one).toThrow("not now");
    expect([table.one, table.one]).toEqual([2, 2]);
  });
});
