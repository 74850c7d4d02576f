import { bundleOf } from "@pulumi-ovn/provider/agent";
import { additions, assumedBundle, assumedChange } from "@pulumi-ovn/provider/testing";

const set = (lists: Readonly<Record<string, readonly string[]>>) => ({ bridges: Object.entries(lists).map(([bridge, flows]) => ({ bridge, flows })) });

/** The bridge, its counts before and after, and the lines of its bundle. */
function change(before: Readonly<Record<string, readonly string[]>>, after: Readonly<Record<string, readonly string[]>>): unknown {
  const found = assumedChange(set(before), set(after));
  return found && [found.bridge, found.count, assumedBundle("0xa", found.difference)];
}

const BEFORE = { br0: ["table=1,priority=5,ip,in_port=p1,actions=drop", "ip,actions=NORMAL", "actions=drop"], br1: ["actions=drop"] };

test("returns changed actions and removed flows, and no others", () => {
  expect(change(BEFORE, { ...BEFORE, br0: ["actions=drop", "ip in_port=p1 priority=5 table=1 actions=output:p2"] })).toEqual([
    "br0",
    { before: 3, after: 2 },
    ["delete_strict table=0,priority=32768,ip cookie=0xa/-1", "add cookie=0xa,ip in_port=p1 priority=5 table=1 actions=output:p2"],
  ]);
  expect(change(BEFORE, { ...BEFORE, br1: [] })).toEqual(["br1", { before: 1, after: 0 }, ["delete_strict table=0,priority=32768 cookie=0xa/-1"]]);
});

test.each([
  ["a flow with a new match, which another writer's may have", { ...BEFORE, br1: ["actions=drop", "tcp,actions=drop"] }],
  [
    "fields in another order, which may name another place",
    { ...BEFORE, br0: ["table=1,priority=5,in_port=p1,ip,actions=NORMAL", "ip,actions=NORMAL", "actions=drop"] },
  ],
  ["fields in another order, next to a removed flow", { ...BEFORE, br0: ["table=1,priority=5,in_port=p1,ip,actions=drop", "actions=drop"] }],
  ["another spelling of a place", { ...BEFORE, br0: ["table=1,priority=0x5,ip,in_port=p1,actions=drop", "ip,actions=NORMAL", "actions=drop"] }],
  ["two bridges, of which both are looked at before one is changed", { br0: [], br1: [] }],
  ["a bridge more", { ...BEFORE, br2: ["actions=drop"] }],
  ["a bridge less", { br0: [] }],
  ["another bridge", { br0: BEFORE.br0, br2: [] }],
  ["nothing", { br1: BEFORE.br1, br0: [...BEFORE.br0].reverse() }],
])("asks the switch: %s", (_what, after) => expect(change(BEFORE, after)).toBeUndefined());

test("names a removed flow as written: ovs-ofctl would read sorted fields as another flow", () => {
  const flows = ["priority=5,tcp,ip6,tp_dst=53,actions=drop", "priority=5,tcp,tp_dst=53,actions=NORMAL", "actions=drop"];
  const removal = ["delete_strict table=0,priority=5,tcp,ip6,tp_dst=53 cookie=0xa/-1"];
  expect(change({ br0: flows }, { br0: flows.slice(1) })).toEqual(["br0", { before: 3, after: 2 }, removal]);
  expect(additions(set({ br0: flows }), set({ br0: flows.slice(1) })).map(({ difference }) => bundleOf("0xa", difference))).toEqual([removal]);
});

test("returns the extra flows of one set by bridge, without reading the switch", () => {
  const bundles = (from: typeof BEFORE | { br2: string[] }, to: Readonly<Record<string, readonly string[]>>) =>
    additions(set(from), set(to)).map(({ bridge, difference }) => [bridge, bundleOf("0xa", difference)]);
  expect(bundles(BEFORE, { br0: ["ip,actions=NORMAL", "actions=drop"], br1: ["actions=drop"] })).toEqual([
    ["br0", ["delete_strict table=1,priority=5,ip,in_port=p1 cookie=0xa/-1"]],
  ]);
  expect(bundles(BEFORE, { br0: BEFORE.br0 })).toEqual([["br1", ["delete_strict table=0,priority=32768 cookie=0xa/-1"]]]);
  expect([bundles(BEFORE, { ...BEFORE, br2: ["actions=drop"] }), bundles({ br2: [] }, BEFORE)]).toEqual([[], []]);
});
