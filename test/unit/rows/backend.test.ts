import type { Rendered } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Previous, RowBackend } from "@pulumi-ovn/provider/testing";
import { ME, RowsLab } from "../../support/rows-lab";

const backend = new RowBackend("OVN_Northbound");
const routers = (...keys: string[]): Rendered => ({
  set: { database: "OVN_Northbound", rows: keys.map((key) => ({ table: "Logical_Router", key, columns: { name: key } })) },
});
const unknown: Previous<Rendered> = { desired: undefined, unchanged: false, properties: {} };

let lab: RowsLab;
beforeEach(() => (lab = new RowsLab()));
const names = () =>
  lab.model
    .rows("Logical_Router")
    .map(([, { name }]) => name)
    .sort();
async function ensure(rendered: Rendered, previous?: Previous<Rendered>): Promise<void> {
  const { client } = lab.target();
  const targets = { get: () => Promise.resolve(client), refuseShared: () => Promise.resolve() } as unknown as Connections;
  await backend.ensure({ urn: ME, properties: { zone: "a" }, targets }, rendered, previous);
}

describe("an update of a version that can't be rendered", () => {
  it("removes its rows, also if the new version has none of these", async () => {
    await ensure(routers("before"));
    await ensure(routers("after"), unknown);
    expect(names()).toEqual(["after", "theirs"]);
    expect(lab.writes).toBe(1);
  });

  it("keeps common rows without a write", async () => {
    await ensure(routers("before", "both"));
    const [kept] = lab.model.rows("Logical_Router").filter(([, { name }]) => name === "both");
    await ensure(routers("both", "after"), { ...unknown, replaced: true });
    expect(names()).toEqual(["after", "both", "theirs"]);
    expect(lab.model.rows("Logical_Router").filter(([, { name }]) => name === "both")).toEqual([kept]);
  });
});

it("a create writes without reading, and so does an update of the state's own version", async () => {
  await ensure(routers("a", "b"));
  expect(lab.writes).toBe(1);
  await ensure(routers("a"), { desired: routers("a", "b"), unchanged: true, properties: {} });
  expect(names()).toEqual(["a", "theirs"]);
});
