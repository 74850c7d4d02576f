import fc from "fast-check";
import { flowDigest, flowForm, flowLines, parsedFlows, parseFlow, setFlowLines, WORD } from "@pulumi-ovn/provider/testing";

const MAC = "0e:00:00:00:00:01";

test("hides a word in actions, matches, both or neither, and keeps the order of the lines", () => {
  const form = flowForm("br0", [
    `table=1,priority=100,ip,nw_dst=10.0.0.1,actions=mod_dl_src:${WORD},mod_dl_dst:${WORD}`,
    `table=0,priority=100,in_port=p1,dl_dst=${WORD},actions=drop`,
    `table=0,priority=7,dl_src=${WORD},actions=mod_dl_dst:${WORD},NORMAL`,
    "table=0,priority=0,actions=drop",
  ]);
  expect(form(MAC)).toEqual({
    bridge: "br0",
    flows: [
      "table=0,priority=0,actions=drop",
      `table=0,priority=7,dl_src=${MAC},actions=mod_dl_dst:${MAC},NORMAL`,
      `table=0,priority=100,in_port=p1,dl_dst=${MAC},actions=drop`,
      `table=1,priority=100,ip,nw_dst=10.0.0.1,actions=mod_dl_src:${MAC},mod_dl_dst:${MAC}`,
    ],
  });
  expect(form("other").flows[1]).toBe("table=0,priority=7,dl_src=other,actions=mod_dl_dst:other,NORMAL");
});

/** Forms may have computed digests and lines earlier; these are of the same texts without a form. */
function same(bridge: string, texts: readonly string[], words: readonly string[]): void {
  const form = flowForm(bridge, texts);
  for (const word of words) {
    const [list, plain] = [form(word), { bridge, flows: texts.map((text) => text.replaceAll(WORD, () => word)) }];
    const shown = plain.flows.map((text) => ({ bridge, flow: parseFlow(text)!, actions: parseFlow(text)!.actions }));
    expect(flowDigest({ bridges: [list] })).toBe(flowDigest({ bridges: [plain] }));
    expect(setFlowLines({ bridges: [list] })).toEqual(flowLines(shown));
    expect(list.flows.toSorted()).toEqual(plain.flows.toSorted());
    expect(parsedFlows(list)).toEqual(list.flows.map(parseFlow));
  }
}

const field = fc.constantFrom("ip", "in_port=p1", `dl_dst=${WORD}`, "dl_dst=05:00:00:00:00:00", `dl_src=${WORD}`, "nw_dst=10.0.0.1");
// A MAC more or less makes some of them too long for one line.
const action = fc.constantFrom("drop", `mod_dl_src:${WORD}`, `load:${WORD}->NXM_NX_REG0[]`, `${WORD}${WORD}`, "load:0x1234567812345678->NXM_NX_XXREG0[0..63]");
const flow = fc.tuple(
  fc.integer({ min: 8, max: 11 }),
  fc.integer({ min: 9, max: 11 }),
  fc.uniqueArray(field),
  fc.array(action, { minLength: 1, maxLength: 5 }),
);
const textOf = ([table, priority, match, actions]: [number, number, string[], string[]]) =>
  [`table=${table}`, `priority=${priority}`, ...match, `actions=${actions.join()}`].join();
const word = fc.constantFrom(MAC, "01:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "$&", "");

test("a form's digest and lines equal those of its flows, for every word and any number of flows", () => {
  const rule = (text: string) => parseFlow(text)!.rule;
  fc.assert(
    fc.property(fc.array(flow.map(textOf), { maxLength: 8 }), fc.boolean(), fc.array(word, { maxLength: 4 }), (some, many, words) => {
      const more = many ? Array.from({ length: 65 }, (_, index) => `table=9,priority=10,tcp,tp_dst=${index},actions=mod_dl_dst:${WORD},NORMAL`) : [];
      // A set has no two flows with one rule.
      const texts = [...new Map([...some, ...more].map((text) => [rule(text), text])).values()];
      fc.pre(words.every((own) => new Set(texts.map((text) => rule(text.replaceAll(WORD, () => own)))).size === texts.length));
      same("br0", texts, words);
    }),
  );
});

test("finds a word at the beginning of the actions", () => {
  same("br0", [`table=11,priority=10,actions=${WORD}`, "table=11,priority=10,dl_dst=0a:00:00:00:00:01,actions=drop"], [MAC, "ff:ff:ff:ff:ff:ff"]);
});

test("accepts a word that changes the order of the lines, and words of different lengths", () => {
  const more = Array.from({ length: 65 }, (_, index) => `table=9,priority=10,tcp,tp_dst=${index},actions=drop`);
  const long = `mod_dl_src:${WORD},${Array.from({ length: 4 }, () => "dec_ttl,resubmit(,4)").join()}`;
  same(
    "br0",
    [
      ...more,
      `table=1,priority=1,dl_dst=${WORD},actions=${long}`,
      "table=1,priority=1,dl_dst=05:00:00:00:00:00,actions=drop",
      `table=1,priority=1,dl_src=${WORD},actions=drop`,
    ],
    [MAC, "01:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "short", "longer than any MAC would ever be"],
  );
});
