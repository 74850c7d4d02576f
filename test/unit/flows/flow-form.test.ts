import fc from "fast-check";
import { flowForm, WORD } from "../../../provider/flows/flow-form";
import type { BridgeFlowList } from "../../../provider/flows/flow-set";
import { flowDigest, parsedFlows, parseFlow } from "../../../provider/flows/flow-text";

const MAC = "0e:00:00:00:00:01";

const digest = (list: BridgeFlowList) => flowDigest(parsedFlows(list).map((flow) => [list.bridge, flow!]));

test("flows with a word in their actions, in their match, in both and in neither, in the order of their lines", () => {
  const form = flowForm([
    `table=1,priority=100,ip,nw_dst=10.0.0.1,actions=mod_dl_src:${WORD},mod_dl_dst:${WORD}`,
    `table=0,priority=100,in_port=p1,dl_dst=${WORD},actions=drop`,
    `table=0,priority=7,dl_src=${WORD},actions=mod_dl_dst:${WORD},NORMAL`,
    "table=0,priority=0,actions=drop",
  ]);
  expect(form("br0", MAC)).toEqual({
    bridge: "br0",
    flows: [
      "table=0,priority=0,actions=drop",
      `table=0,priority=7,dl_src=${MAC},actions=mod_dl_dst:${MAC},NORMAL`,
      `table=0,priority=100,in_port=p1,dl_dst=${MAC},actions=drop`,
      `table=1,priority=100,ip,nw_dst=10.0.0.1,actions=mod_dl_src:${MAC},mod_dl_dst:${MAC}`,
    ],
  });
  expect(form("br1", "other").flows[1]).toBe("table=0,priority=7,dl_src=other,actions=mod_dl_dst:other,NORMAL");
});

test("what a form has parsed is what its texts say, for every word and bridge", () => {
  const field = fc.constantFrom("ip", "in_port=p1", `dl_dst=${WORD}`, `dl_src=${WORD}`, "nw_dst=10.0.0.1");
  const action = fc.constantFrom("drop", "NORMAL", `mod_dl_src:${WORD}`, `load:${WORD}->x`, `${WORD}${WORD}`);
  const flow = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 65_535 }), fc.uniqueArray(field), fc.array(action, { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(flow, { maxLength: 6 }), fc.array(fc.tuple(fc.constantFrom("br0", "br1"), fc.constantFrom(MAC, "0e:ff:00:00:00:02", "$&"))), (flows, places) => {
      const texts = flows.map(([table, priority, match, actions]) => [`table=${table}`, `priority=${priority}`, ...match, `actions=${actions.join()}`].join());
      const form = flowForm(texts);
      for (const [bridge, word] of places) {
        const [list, expected] = [form(bridge, word), texts.map((text) => text.split(WORD).join(word))];
        expect(list.flows.toSorted()).toEqual(expected.toSorted());
        expect(parsedFlows(list)).toEqual(list.flows.map(parseFlow));
        expect(digest(list)).toBe(digest({ bridge, flows: expected }));
      }
    }),
  );
});
