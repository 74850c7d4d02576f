import { representatives } from "@pulumi-ovn/cli/testing";
import { parallel } from "@pulumi-ovn/provider/tools";

it("works on a number of items at a time, and returns results in the order of the items", async () => {
  const [begun, ended]: number[][] = [[], []];
  const work = async (item: number) => {
    begun!.push(item);
    expect(begun!.length - ended!.length).toBeLessThanOrEqual(2);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    ended!.push(item);
    return item + 1;
  };
  const results = await parallel([30, 0, 10, 20], work, 2);
  expect([results, begun, ended]).toEqual([
    [31, 1, 11, 21],
    [30, 0, 10, 20],
    [0, 10, 30, 20],
  ]);
});

it("starts no more work after a failure", async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error("failed");
    await new Promise((resolve) => setImmediate(resolve));
  };
  await expect(parallel([0, 1, 2, 3, 4, 5], work, 2)).rejects.toThrow("failed");
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(begun).toEqual([0, 1]);
});

it("begins with questions about zones that no earlier question has asked", () => {
  const zones: Readonly<Record<string, string>> = { a1: "a", a2: "a", b1: "b", b2: "b", c1: "c" };
  const names = Object.keys(zones);
  // Each zone distinguishes its own workloads from each other, and does not distinguish those of other zones.
  const classes = (zone: string) => new Map(names.map((name) => [name, zones[name] === zone ? name : "remote"]));
  const world = { workloads: new Map(Object.entries(zones)), flows: new Map(["a", "b", "c"].map((zone) => [zone, { classes: classes(zone) }])) };
  const question = (from: string, to: string) =>
    ({ from: { kind: "workload", name: from }, source: "", to: { kind: "workload", name: to, address: "" }, family: 4, protocol: { name: "icmp" } }) as const;
  const asked = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ group: { after: question(from, to) } })));
  const texts = (part: readonly (typeof asked)[number][]) => part.map(({ group: { after } }) => `${after.from.name} ${after.to.name}`);
  const { first, others } = representatives(world, asked);
  expect([texts(first), texts(others)]).toEqual([
    ["a1 a2", "a1 b1", "a1 b2", "a1 c1", "a2 a1", "a2 b1", "b1 a1", "b1 a2", "b1 b2", "b2 a1", "b2 b1", "c1 a1"],
    ["a2 b2", "a2 c1", "b1 c1", "b2 a2", "b2 c1", "c1 a2", "c1 b1", "c1 b2"],
  ]);
});
