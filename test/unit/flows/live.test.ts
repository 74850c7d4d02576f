import { type PrintedFlow, stateOf } from "@pulumi-ovn/provider/testing";

const flow = (rule: string, actions: string, cookie = "0xa"): PrintedFlow => ({ rule, cookie, extra: "", actions });
const list = { bridge: "br0", flows: ["table=1,tcp,tcp_dst=80,actions=drop", "ip,actions=mod_dl_src:M", "arp,actions=drop"] };
const rules = new Map([
  ["table=1 tcp,tp_dst=80", 0],
  ["ip", 1],
  ["arp", 2],
]);
const LABELS = ["br0 table=  1 priority=32768 tcp,tcp_dst=80", "br0 table=  0 priority=32768 ip", "br0 table=  0 priority=32768 arp"] as const;

const shown = (state: ReturnType<typeof stateOf>) => state.shown.map(({ actions }) => actions);

it("without a difference, the state equals the rendered set", () => {
  const state = stateOf(list, { wanted: [], surplus: [] }, new Map());
  expect([shown(state), state.drift, state.present]).toEqual([["drop", "mod_dl_src:M", "drop"], {}, 3]);
});

it("labels each flow as rendered, and shows the switch's version", () => {
  const state = stateOf(
    list,
    {
      wanted: [
        { flow: flow("table=1 tcp,tp_dst=80", "drop"), own: undefined, foreign: flow("table=1 tcp,tp_dst=80", "NORMAL", "0xf") },
        { flow: flow("ip", "mod_dl_src:M"), own: flow("ip", "set_field:N->eth_src"), foreign: undefined },
        { flow: flow("arp", "drop"), own: undefined, foreign: undefined },
      ],
      surplus: [flow("table=9 priority=4,udp", "NORMAL")],
    },
    rules,
  );
  expect(state.drift).toEqual({
    [LABELS[0]]: "missing: the flow of cookie 0xf has its place",
    [LABELS[1]]: "actions=set_field:N->eth_src instead of actions=mod_dl_src:M",
    [LABELS[2]]: "missing",
    "br0 table=  9 priority=    4 udp": "surplus",
  });
  expect(shown(state)).toEqual([undefined, "set_field:N->eth_src", undefined, "NORMAL"]);
  expect(state.present).toBe(2);
});

it("labels a flow by the switch's words if it changed between two reads", () => {
  expect(
    stateOf(list, { wanted: [{ flow: flow("table=1 tcp,tp_dst=80", "drop"), own: undefined, foreign: undefined }], surplus: [] }, new Map()).drift,
  ).toEqual({ "br0 table=  1 priority=32768 tcp,tp_dst=80": "missing" });
});

it("a missing bridge has no flows", () => {
  const state = stateOf(list, undefined, new Map());
  expect([shown(state), state.present]).toEqual([[undefined, undefined, undefined], 0]);
  expect(Object.keys(state.drift)).toEqual([...LABELS]);
  expect(state.drift[LABELS[2]]).toBe('missing: there is no bridge "br0"');
});
