import { createHash } from "node:crypto";
import fc from "fast-check";
import { flowDigest, flowLabel, flowLines, flowSet, matchNames, parseFlow } from "@pulumi-ovn/provider/testing";
import { refusalsOf } from "../../support/refusals";

const digestOf = (bridge: string, ...flows: string[]) => flowDigest({ bridges: [{ bridge, flows }] });

describe("a flow's text", () => {
  it.each([
    [
      "table=3,priority=7,ip,nw_dst=10.0.0.0/8,actions=output:p1",
      { table: "3", priority: "7", match: "ip,nw_dst=10.0.0.0/8", actions: "output:p1", rule: "table=  3 priority=    7 ip,nw_dst=10.0.0.0/8" },
    ],
    [
      " priority=10, tcp,tcp_dst=80  actions=drop ",
      { table: "0", priority: "10", match: "tcp,tcp_dst=80", actions: "drop", rule: "table=  0 priority=   10 tcp,tcp_dst=80" },
    ],
    ["action=resubmit(,3)", { table: "0", priority: "32768", match: "", actions: "resubmit(,3)", rule: "table=  0 priority=32768" }],
    [
      'in_port="a port, x",ip,actions=output:"a, b"',
      { table: "0", priority: "32768", match: 'in_port="a port, x",ip', actions: 'output:"a, b"', rule: 'table=  0 priority=32768 in_port="a port, x",ip' },
    ],
    ["table=1,table=2,actions=drop", { table: "2", priority: "32768", match: "", actions: "drop", rule: "table=  2 priority=32768", repeated: "table" }],
    ["priority=1,priority:1 actions=drop", { table: "0", priority: "1", match: "", actions: "drop", rule: "table=  0 priority=    1", repeated: "priority" }],
    [
      "table:3,priority(7)ip nw_dst(10.0.0.0/8),dl_src:00:00:00:00:00:01,actions=output:p1",
      {
        table: "3",
        priority: "7",
        match: "dl_src=00:00:00:00:00:01,ip,nw_dst=10.0.0.0/8",
        actions: "output:p1",
        rule: "table=  3 priority=    7 dl_src=00:00:00:00:00:01,ip,nw_dst=10.0.0.0/8",
      },
    ],
    [
      "ip,actions=learn(table=1,priority=5,actions=drop)",
      { table: "0", priority: "32768", match: "ip", actions: "learn(table=1,priority=5,actions=drop)", rule: "table=  0 priority=32768 ip" },
    ],
    ["actions=", { table: "0", priority: "32768", match: "", actions: "", rule: "table=  0 priority=32768" }],
  ])("%s", (text, parsed) => expect(parseFlow(text)).toEqual(parsed));

  it.each(["", "ip", "ip,interactions=drop", '"actions=drop'])("has actions: %j", (text) => expect(parseFlow(text)).toBeUndefined());

  it("is equal for every order and separator of its fields", () => {
    const fields = ["table=5", "priority=100", "ip", "nw_dst=10.0.0.0/8", "in_port=p1"];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(fields, { minLength: fields.length }),
        fc.array(fc.constantFrom(",", " ", ", ", ",,", "\t"), { minLength: 5, maxLength: 5 }),
        fc.array(fc.constantFrom("$1=$2", "$1:$2", "$1($2)"), { minLength: 5, maxLength: 5 }),
        (order, separators, forms) => {
          const text = `${order.map((field, index) => field.replace(/(.*)=(.*)/, forms[index]!) + separators[index]!).join("")}actions=drop`;
          expect(digestOf("br0", text)).toBe(digestOf("br0", `${fields.join()},actions=drop`));
          expect(matchNames(parseFlow(text)!)).toEqual(["in_port", "ip", "nw_dst"]);
        },
      ),
    );
  });

  it("has another digest for each differing part", () => {
    const all = [
      "table=1,ip,actions=drop",
      "table=2,ip,actions=drop",
      "table=1,priority=2,ip,actions=drop",
      "table=1,arp,actions=drop",
      "table=1,ip,actions=NORMAL",
    ];
    expect(new Set([...all.map((text) => digestOf("br0", text)), digestOf("br1", all[0]!)]).size).toBe(6);
  });
});

test("the order of bridges has no meaning, and a bridge without flows is omitted", () => {
  const [one, two, none] = [
    { bridge: "br", flows: ["table=1,actions=drop", "actions=drop"] },
    { bridge: "br-1", flows: ["actions=NORMAL"] },
    { bridge: "a", flows: [] },
  ];
  const text = ["br table=  0 priority=32768 drop", "br table=  1 priority=32768 drop", "br-1 table=  0 priority=32768 NORMAL"].join("\n");
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 16);
  for (const bridges of [
    [one, two],
    [two, none, one],
    [none, one, two],
  ])
    expect(flowDigest({ bridges })).toBe(digest);
});

describe("lines", () => {
  const show = (...texts: string[]) => flowLines(texts.map((text) => ({ bridge: "br0", flow: parseFlow(text)!, actions: parseFlow(text)!.actions })));

  it("are sorted by table and priority, in Pulumi's order of text", () => {
    const labels = [
      "table=10,priority=1,actions=drop",
      "table=9,priority=65535,ip,actions=drop",
      "table=9,priority=100,ip,actions=drop",
      "priority=0,actions=drop",
    ].map((text) => flowLabel("br0", parseFlow(text)!));
    expect(labels.toSorted()).toEqual([
      "br0 table=  0 priority=    0",
      "br0 table=  9 priority=  100 ip",
      "br0 table=  9 priority=65535 ip",
      "br0 table= 10 priority=    1",
    ]);
  });

  it("show a flow's actions; long actions have several lines", () => {
    expect(show("ip,actions=drop")).toEqual({ "br0 table=  0 priority=32768 ip": "actions=drop" });
    const ports = Array.from({ length: 30 }, (_, index) => `output:port${index}`).join();
    const lines = show(`ip,actions=${ports}`);
    expect(Object.keys(lines)).toEqual([
      "br0 table=  0 priority=32768 ip actions",
      "br0 table=  0 priority=32768 ip actions 2",
      "br0 table=  0 priority=32768 ip actions 3",
      "br0 table=  0 priority=32768 ip actions 4",
    ]);
    expect(Object.values(lines).join("").replaceAll(" ", "")).toBe(`actions=${ports}`);
    for (const line of Object.values(lines)) expect(line.length).toBeLessThanOrEqual(140);
  });

  it("become counts and digests above the limit", () => {
    const many = (last: string) => show(...Array.from({ length: 64 }, (_, index) => `table=4,priority=${index},ip,actions=drop`), `table=12,${last}`);
    expect(many("actions=drop")).toEqual({
      "br0 table=  4": expect.stringMatching(/^64 flows, digest [\w-]{16}$/) as string,
      "br0 table= 12": expect.stringMatching(/^1 flows, digest/) as string,
    });
    expect(many("actions=NORMAL")["br0 table= 12"]).not.toBe(many("actions=drop")["br0 table= 12"]);
    expect(many("actions=NORMAL")["br0 table=  4"]).toBe(many("actions=drop")["br0 table=  4"]);
  });
});

describe("a set of flows", () => {
  const failures = (...bridges: [string, ...string[]][]): string[] => refusalsOf(() => flowSet(bridges.map(([bridge, ...flows]) => ({ bridge, flows }))));

  it("keeps its flows and their order", () => {
    const bridges = [
      { bridge: "b", flows: ["ip,actions=drop"] },
      { bridge: "a", flows: ["ip,actions=drop", "arp,actions=drop"] },
    ];
    expect(flowSet(bridges)).toEqual({ bridges });
  });

  it("reports each error with its path", () => {
    expect(failures(["a", "ip,actions=drop", "actions=drop\nip,actions=drop", "actions=drop # all"], ["b", "ip"], ["a"])).toEqual([
      'bridges[0].flows[1]: a flow is one line without "#" [flow]',
      'bridges[0].flows[2]: a flow is one line without "#" [flow]',
      'bridges[1].flows[0]: "ip" has no actions: a flow is "FIELDS,actions=ACTIONS" (ovs-ofctl(8)); one that drops has "actions=drop" [flow]',
      'bridges[2]: bridge "a" is listed twice [duplicate]',
    ]);
    expect(failures(["a", "priority=5 ip,tcp_dst=1,tcp,actions=drop", "tcp,ip,tcp_dst=1,priority=5,table=0,actions=NORMAL"])).toEqual([
      "bridges[0].flows[1]: bridges[0].flows[0] has the same table, priority and match [duplicate]",
    ]);
  });
});
