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

test("adds flows of new numbers to the existing ones: no interface sends as another one, and none unchecked", () => {
  const after = rendered({ first: 7, second: 8 }, { web: [all, ...own(7, NEW), ...own(8, OLD), other], db: [all], more: own(7, NEW) });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), rest, ...own(8, OLD)] }] });
});

test("adds a new interface's flows before all others", () => {
  const after = rendered({ first: 8, second: 7 }, { web: [all, ...own(7, NEW), ...own(8, NEW), other], db: [all] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), rest, ...own(8, NEW)] }] });
});

test("gives an interface that moves with its number to a bridge without port security all tables that its flows use", () => {
  const after = rendered({ second: 7 }, { web: [all], db: ["priority=5,actions=drop", ...own(7, OLD), rest, "table=1,in_port=patch,actions=drop"] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "db", flows: [all, ...own(7, OLD), rest] }] });
});

test("gives an interface that reuses a removed one's number its own flows only", () => {
  const after = rendered({ third: 7 }, { web: [all, ...own(7, NEW), rest], db: [all] });
  expect(flowsMeanwhile(before, after)).toEqual({ bridges: [{ bridge: "web", flows: [all, rest, ...own(7, NEW)] }] });
});

test("keeps the flows of a number that a remaining interface has, on any bridge, and of a number that none gets", () => {
  const two = rendered({ second: 7, twin: 7, last: 9 }, { web: [all, ...own(7, OLD), ...own(9, OLD), rest], db: [all, ...own(7, OLD), rest] });
  const lists = { web: [all, ...own(7, NEW), rest], db: [all, ...own(7, OLD), rest] };
  expect(flowsMeanwhile(two, rendered({ third: 7, twin: 7 }, lists))).toEqual({ bridges: [] });
  expect(flowsMeanwhile(two, rendered({ twin: 8, third: 7 }, { ...lists, web: [all, ...own(7, NEW), ...own(8, OLD), rest] }))).toEqual({
    bridges: [{ bridge: "web", flows: [all, ...own(7, OLD), ...own(9, OLD), rest, ...own(8, OLD)] }],
  });
});

test("adds port security to a bridge before the interface, with all tables that its flows use", () => {
  const open = rendered(undefined, { web: [all], db: [all] });
  expect(flowsMeanwhile(open, rendered({ third: 7 }, { web: [all, ...own(7, NEW), rest], db: [all] }))).toEqual({
    bridges: [{ bridge: "web", flows: [all, ...own(7, NEW), rest] }],
  });
});

test.each([
  ["unchanged objects", before],
  ["a removed interface", rendered({}, { web: [all, rest], db: [all] })],
  ["removed port security", rendered(undefined, { web: own(8, NEW) })],
  ["an interface on a new bridge", rendered({ second: 7, third: 9 }, { web: [all, ...own(7, OLD), rest], more: own(9, NEW) })],
  ["a port that flows use by name, which must exist first", rendered({ second: 7 }, { web: [all, ...own(7, OLD), "in_port=patch,actions=drop"] })],
])("adds nothing before an update with %s", (_what, after) => expect(flowsMeanwhile(before, after)).toEqual({ bridges: [] }));

test("adds nothing before the first update", () => expect(flowsMeanwhile(undefined, before)).toEqual({ bridges: [] }));
