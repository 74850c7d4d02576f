import { flowsMeanwhile, type HostRendered } from "@pulumi-ovn/provider/testing";

const rendered = (numbers: Record<string, number> | undefined, bridges: Record<string, string[]>): HostRendered => ({
  rows: { database: "Open_vSwitch", rows: [] },
  flows: { bridges: Object.entries(bridges).map(([bridge, flows]) => ({ bridge, flows })) },
  ...(numbers && { numbers }),
});
const own = (number: number, mac: string) => [`in_port=${number},actions=resubmit(,1)`, `table=1,in_port=${number},dl_src=${mac},actions=NORMAL`];
const [OLD, NEW] = ["0a:00:00:00:00:01", "0a:00:00:00:00:02"];
const all = "actions=NORMAL";
const [rest, other] = ["table=1,priority=0,actions=drop", "table=1,priority=0,actions=NORMAL"];

const before = rendered({ second: 7 }, { web: [all, ...own(7, OLD), rest], db: [all], gone: [all] });

test("next to what was there, flows of numbers that no flow of the bridge knows: no one sends as two, and no one unchecked", () => {
  const after = rendered({ first: 7, second: 8 }, { web: [all, ...own(7, NEW), ...own(8, OLD), other], db: [all], more: own(7, NEW) });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), rest, ...own(8, OLD)] }] });
});

test("a new interface meets its flows immediately, whatever becomes of others' flows", () => {
  const after = rendered({ first: 8, second: 7 }, { web: [all, ...own(7, NEW), ...own(8, NEW), other], db: [all] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), rest, ...own(8, NEW)] }] });
});

test("an interface that moves with its number to a bridge without port security has there all the tables that its flows lead to", () => {
  const after = rendered({ second: 7 }, { web: [all], db: ["priority=5,actions=drop", ...own(7, OLD), rest, "table=1,in_port=patch,actions=drop"] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "db", flows: [all, ...own(7, OLD), rest] }] });
});

test("an interface that gets the number of one that goes has the flows of its own, and never those of the other one", () => {
  const after = rendered({ third: 7 }, { web: [all, ...own(7, NEW), rest], db: [all] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, rest, ...own(7, NEW)] }] });
});

test("a number that an interface has which stays keeps its flows, on whichever bridge, and so does one that no one gets", () => {
  const two = rendered({ second: 7, twin: 7, last: 9 }, { web: [all, ...own(7, OLD), ...own(9, OLD), rest], db: [all, ...own(7, OLD), rest] });
  const lists = { web: [all, ...own(7, NEW), rest], db: [all, ...own(7, OLD), rest] };
  expect(flowsMeanwhile(two, rendered({ third: 7, twin: 7 }, lists))).toEqual({ bridges: [] });
  expect(flowsMeanwhile(two, rendered({ twin: 8, third: 7 }, { ...lists, web: [all, ...own(7, NEW), ...own(8, OLD), rest] }))).toEqual({
    bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), ...own(9, OLD), rest, ...own(8, OLD)] }],
  });
});

test("port security that comes to a bridge without it is there before the interface, which has all that its flows lead to", () => {
  const open = rendered(undefined, { web: [all], db: [all] });
  expect(flowsMeanwhile(open, rendered({ third: 7 }, { web: [all, ...own(7, NEW), rest], db: [all] }))).toEqual({
    bridges: [{ bridge: "web", flows: [all, ...own(7, NEW), rest] }],
  });
});

test.each([
  ["what stays as it is", before],
  ["an interface that goes", rendered({}, { web: [all, rest], db: [all] })],
  ["port security that goes", rendered(undefined, { web: own(8, NEW) })],
  ["an interface on a new bridge", rendered({ second: 7, third: 9 }, { web: [all, ...own(7, OLD), rest], more: own(9, NEW) })],
  ["a port that flows know by its name, which has to be there first", rendered({ second: 7 }, { web: [all, ...own(7, OLD), "in_port=patch,actions=drop"] })],
])("%s: nothing comes first", (_what, after) => expect(flowsMeanwhile(before, after)).toEqual({ bridges: [] }));

test("nothing comes before the first update", () => expect(flowsMeanwhile(undefined, before)).toEqual({ bridges: [] }));
