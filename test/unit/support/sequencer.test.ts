import { existsSync } from "node:fs";
import { join } from "node:path";

interface Test {
  readonly path: string;
}
const Sequencer = require("../../support/sequencer") as new (options: object) => { sort(tests: readonly Test[]): readonly Test[] };
const durations = require("../../support/durations.json") as Readonly<Record<string, number>>;

const root = join(__dirname, "../../..");
const test = (path: string) => ({
  path: join(root, "test", path),
  context: { config: { cacheDirectory: "/nowhere", id: "x" }, hasteFS: { getSize: () => 1 } },
});

it("begins with the slowest files, and keeps jest's order for the others", () => {
  const names = Object.keys(durations);
  const sorted = new Sequencer({ contexts: [], globalConfig: {} }).sort([test("unit/a.test.ts"), ...names.toReversed().map(test), test("unit/b.test.ts")]);
  const order = [...sorted].map(({ path }) => path.slice(root.length + "/test/".length));
  expect(names).toEqual(names.toSorted((a, b) => durations[b]! - durations[a]!));
  expect(order.slice(0, names.length)).toEqual(names);
  expect(order.slice(names.length).sort()).toEqual(["unit/a.test.ts", "unit/b.test.ts"]);
});

it("has no deleted file", () => {
  expect(Object.keys(durations).filter((file) => !existsSync(join(root, "test", file)))).toEqual([]);
});
