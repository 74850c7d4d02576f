import { flowsMeanwhile } from "../../../provider/host/renumbering";
import type { HostRendered } from "../../../provider/host/kind";

const rendered = (numbers: Record<string, number> | undefined, bridges: Record<string, string[]>): HostRendered => ({
  rows: { database: "Open_vSwitch", rows: [] },
  flows: { bridges: Object.entries(bridges).map(([bridge, flows]) => ({ bridge, flows })) },
  ...(numbers && { numbers }),
});
const own = (number: number, mac: string) => [`in_port=${number},actions=resubmit(,1)`, `table=1,in_port=${number},dl_src=${mac},actions=NORMAL`];
const [OLD, NEW] = ["0a:00:00:00:00:01", "0a:00:00:00:00:02"];
const shared = "table=1,priority=0,actions=drop";

const before = rendered({ second: 7 }, { web: [...own(7, OLD), shared], db: ["actions=NORMAL"], gone: ["actions=drop"] });

test("beside what was there, flows of numbers that no flow of the bridge knows: nobody sends as two, and nobody unchecked", () => {
  const after = rendered(
    { first: 7, second: 8 },
    { web: [...own(7, NEW), ...own(8, OLD), shared, "table=2,actions=drop"], db: own(9, NEW), more: own(7, NEW) },
  );
  expect(flowsMeanwhile(before, after)).toEqual({
    bridges: [
      { bridge: "web", flows: [...own(7, OLD), shared, ...own(8, OLD)] },
      { bridge: "db", flows: ["actions=NORMAL", ...own(9, NEW)] },
      { bridge: "gone", flows: ["actions=drop"] },
    ],
  });
});

test.each([
  ["a new interface", { first: 8, second: 7 }],
  ["an interface that goes", {}],
  ["port security that goes", undefined],
])("%s gives no other interface a new number: nothing comes first", (_what, numbers) => {
  expect([flowsMeanwhile(before, rendered(numbers, { web: own(8, NEW) })), flowsMeanwhile(rendered(numbers, {}), before)]).toEqual([undefined, undefined]);
});

test("nothing comes before the first update", () => expect(flowsMeanwhile(undefined, before)).toBeUndefined());
