import { createHash } from "node:crypto";
import fc from "fast-check";
import { Connections } from "@pulumi-ovn/provider/targets";
import {
  assumedChange,
  flowDigest,
  flowLines,
  flowIndexes,
  flowSet,
  judgeFlows,
  lineOrder,
  parsedFlows,
  parseFlow,
  sameFields,
  setFlowLines,
} from "@pulumi-ovn/provider/testing";
import { failuresOf } from "../../support/refusals";
import { Handled } from "../../support/handled";

const list = (...flows: string[]) => ({ bridge: "br0", flows });

const flow = fc
  .record({
    fields: fc.constantFrom(
      "",
      "priority=5,",
      "table=1,ip,",
      "ip,table=1,",
      "table=1,priority=7,tcp,tp_dst=80,",
      "tp_dst=80,priority=7,tcp,table=1 ",
      "priority=5,drop,",
      "table=0,table=1,ip,",
      "table:1,ip,",
      "tcp,ip,",
      "cookie=1,",
      "send_flow_rem,ip,",
    ),
    actions: fc.constantFrom(
      "actions=drop",
      "action=drop",
      "actions=NORMAL ",
      "actions=learn(table=1,actions=drop)",
      "actions=",
      "",
      "actions=drop # all",
      "actions=drop\narp",
      "interactions=drop",
      `actions=${Array.from({ length: 30 }, (_, port) => `output:p${port}`).join()}`,
    ),
  })
  .map(({ fields, actions }) => fields + actions);

/** Result from the texts only, without earlier calls. */
const read = (text: string) => (/[\n\r#]/.test(text) ? undefined : parseFlow(text));

test("results for a list do not depend on earlier lists", () => {
  fc.assert(
    fc.property(fc.array(fc.array(flow, { maxLength: 6 }), { minLength: 2, maxLength: 5 }), (lists) => {
      for (const flows of lists) {
        const [here, parsed] = [list(...flows), flows.map(read)];
        expect(parsedFlows(here)).toEqual(parsed);
        const rules = parsed.map((one) => one?.rule);
        expect([...flowIndexes(here)]).toEqual([...new Set(rules)].filter((rule) => rule !== undefined).map((rule) => [rule, rules.indexOf(rule)]));
        // Single flows have the same failures, except for two with one match and priority.
        const alone = flows.flatMap((text) => failuresOf(() => flowSet([{ bridge: "alone", flows: [text] }])).map(({ code, message }) => ({ code, message })));
        const together = failuresOf(() => flowSet([here]))
          .filter(({ code }) => code !== "duplicate")
          .map(({ code, message }) => ({ code, message }));
        expect(together).toEqual(alone);
        const twins = flows
          .map((text) => failuresOf(() => judgeFlows([list(text)])))
          .flatMap((own, index) => own.map((failure) => ({ ...failure, path: failure.path.replace("flows[0]", `flows[${index}]`) })));
        expect(failuresOf(() => judgeFlows([here]))).toEqual(twins);
      }
    }),
  );
});

test("digests, order and lines depend only on the texts, not on earlier lists", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.uniqueArray(
          flow.filter((text) => read(text) !== undefined),
          { maxLength: 6, selector: (text) => read(text)!.rule },
        ),
        { minLength: 2, maxLength: 5 },
      ),
      (lists) => {
        for (const flows of lists) {
          const [here, parsed] = [list(...flows), flows.map((text) => read(text)!)];
          const lines = parsed.map(({ rule, actions }) => `br0 ${rule} ${actions}`);
          expect(flowDigest({ bridges: [here] })).toBe(createHash("sha256").update(lines.sort().join("\n")).digest("base64url").slice(0, 16));
          expect(lineOrder(here).map((index) => parsed[index]!.rule)).toEqual(parsed.map(({ rule }) => rule).sort());
        }
      },
    ),
  );
});

test("counted lines equal the lines of single flows, also when all actions differ", () => {
  for (const actions of ["drop", "NORMAL", Array.from({ length: 30 }, (_, port) => `output:port${port}`).join()]) {
    const flows = Array.from({ length: 70 }, (_, index) => `table=${index % 2},priority=${index},actions=${actions}`);
    const shown = flows.map((text) => ({ bridge: "br0", flow: parseFlow(text)!, actions }));
    const counted = setFlowLines({ bridges: [list(...flows)] });
    expect(counted).toEqual(flowLines(shown));
    expect(Object.keys(counted)).toEqual(["br0 table=  0", "br0 table=  1"]);
  }
});

test("a check reports the errors and the digest of its own flows, not of earlier ones", async () => {
  const handled = new Handled("BridgeFlows");
  const targets = new Connections({}, { host1: { command: ["/nowhere/ssh"] } });
  const owner = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::a";
  const many = (actions: string) => Array.from({ length: 70 }, (_, index) => `table=${index % 2},priority=${index},actions=${actions}`);
  const said = async (...flows: string[]) => {
    const { inputs, failures } = await handled.check({}, { host: "host1", bridges: [{ bridge: "br0", flows }], owner }, targets);
    return { rows: inputs.rows, digest: inputs.digest, failures };
  };
  const lists = [
    many("output:p1"),
    many("output:p2"),
    many("drop"),
    [...many("drop").slice(0, -1), "ip,actions=drop"],
    many("NORMAL"),
    ["ip,actions=drop", "ip,actions=NORMAL"],
    ["ip,actions=drop", "ip"],
  ];
  const first = [];
  for (const flows of lists) first.push(await said(...flows));
  for (const [index, flows] of [...lists.entries()].reverse()) expect(await said(...flows)).toEqual(first[index]);
  expect(new Set(first.slice(0, 5).map(({ digest }) => digest)).size).toBe(5);
  expect(first.map(({ failures }) => failures.map(({ path }) => path))).toEqual([[], [], [], [], [], ["bridges[0].flows[1]"], ["bridges[0].flows[1]"]]);
});

test.each([
  ["ip,tcp,actions=drop", "ip,tcp,actions=NORMAL", true],
  ["ip,tcp,actions=drop", "ip,tcp action=drop", true],
  ["ip,tcp,actions=drop", "tcp,ip,actions=drop", false],
  ["ip,actions=drop", "ip,actions=drop,ip,actions=drop", true],
  ["table=1,ip,actions=drop", "ip,table=1,actions=drop", true],
  ["ip", "ip,arp", false],
  ["ip,actions=drop", "ip,arp,actions=drop", false],
])("compares fields and order of %j and %j: %j", (one, other, same) => expect([sameFields(one, other), sameFields(other, one)]).toEqual([same, same]));

test("an update uses the state if only actions differ, whatever was read in between", () => {
  const flows = (actions: string) => ["ip,actions=drop", `table=1,tcp,actions=${actions}`];
  const set = (actions: string) => ({ bridges: [list(...flows(actions))] });
  const change = assumedChange(set("drop"), set("NORMAL"));
  parsedFlows(list("table=1,tcp,actions=drop", "ip,actions=drop"));
  expect(change).toEqual({ bridge: "br0", count: { before: 2, after: 2 }, difference: { wanted: ["table=1,tcp,actions=NORMAL"], surplus: [] } });
});
