import { lazily } from "../../../provider/kit/memo/lazily";
import { handlers } from "../../../provider/serve/handlers";
import { kinds } from "../../../provider/kinds/table";

const loaded = (path: string) => Object.keys(require.cache).some((file) => file.includes(`/provider/${path}`));

/** Before anything below asks for a kind. */
const ATONCE = [
  "kinds/topology/transit-router",
  "kinds/topology/raw-rows",
  "kinds/topology/bridge-flows",
  "kinds/vpc/vpc-bridges",
  "backends/objects/raw-objects",
  "advertisement/",
  "exposure/kind.",
  "backends/flows/backend",
  "backends/host/backend",
  "backends/objects/backend",
  "serve/handlers/propagation",
].filter(loaded);

it("a kind, and the back end that it alone needs, are loaded when it is first asked for", () => {
  expect(ATONCE).toEqual([]);
  expect(loaded("serve/handlers/resource-handler")).toBe(true);
  expect(handlers.TransitRouter).toBe(handlers.TransitRouter);
  expect(["kinds/topology/transit-router", "kinds/topology/raw-rows", "backends/flows/backend"].filter(loaded)).toEqual(["kinds/topology/transit-router"]);
  expect(handlers.BridgeFlows).toBeDefined();
  expect(
    ["kinds/topology/bridge-flows", "backends/flows/backend", "kinds/vpc/vpc-bridges", "backends/host/backend", "backends/objects/backend"].filter(loaded),
  ).toEqual(["kinds/topology/bridge-flows", "backends/flows/backend"]);
});

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
  it("are made once, when they are asked for", () => {
    const made: string[] = [];
    const make = (name: string) => () => (made.push(name), { name });
    const table = lazily({ one: make("one"), two: make("two") });
    expect([Object.keys(table), Object.hasOwn(table, "two"), made]).toEqual([["one", "two"], true, []]);
    const { two } = table;
    expect([two, table.two === two, made]).toEqual([{ name: "two" }, true, ["two"]]);
    expect(Object.values(table)).toEqual([{ name: "one" }, two]);
    expect(made).toEqual(["two", "one"]);
  });

  it("are made again where that has failed", () => {
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
