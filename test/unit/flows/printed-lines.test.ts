import fc from "fast-check";
import { dumpedFlows, paired, pairedWithDump, portsOf, switchWords, unlike } from "@pulumi-ovn/provider/testing";

const COOKIE = "0xa";
const PORTS = portsOf(" 11(p1): addr:00:00:00:00:00:01\n     config:     0\n 12(p2): addr:00:00:00:00:00:02\n");

/** A dump without names. */
const numbered = (dump: string): string => dump.replaceAll(/\bp([12])\b/g, "1$1");

/** Lines of a dump that a list does not cover. */
function left(flows: readonly string[], dump: readonly string[]) {
  const list = { bridge: "br0", flows };
  return unlike(switchWords(list).flows!, COOKIE, numbered(dump.join("\n")), PORTS);
}

test.each([
  ["actions=drop", " cookie=0xa, actions=drop"],
  ["priority=0,actions=NORMAL", " cookie=0xa, priority=0 actions=NORMAL"],
  ["table=3,arp,actions=drop", " cookie=0xa, table=3, arp actions=drop"],
  ["table=7,priority=9,actions=mod_dl_src:00:00:00:00:00:01", " cookie=0xa, table=7, priority=9 actions=set_field:00:00:00:00:00:01->eth_src"],
  [
    "priority=5,tp_dst=80,tp_src=81,nw_ttl=4,nw_dst=10.0.0.2,nw_src=10.0.0.1,dl_dst=00:00:00:00:00:02,dl_src=00:00:00:00:00:01,in_port=p1,reg10=2,reg2=17,tcp,ct_state=+est,actions=drop",
    " cookie=0xa, priority=5,ct_state=+est,tcp,reg2=0x11,reg10=0x2,in_port=p1,dl_src=00:00:00:00:00:01,dl_dst=00:00:00:00:00:02,nw_src=10.0.0.1,nw_dst=10.0.0.2,nw_ttl=4,tp_src=81,tp_dst=80 actions=drop",
  ],
  ["ipv6_dst=fd00::/64,ipv6_src=fd01::1,icmp6,in_port=p2,actions=drop", " cookie=0xa, icmp6,in_port=p2,ipv6_src=fd01::1,ipv6_dst=fd00::/64 actions=drop"],
])("finds a flow %s by its line", (flow, line) => {
  expect(left([flow], [line])).toEqual({ indexes: [], rest: "" });
  expect(left(["table=1,sctp,actions=drop", flow], [line, " cookie=0xb, ip actions=drop"])).toEqual({ indexes: [0], rest: " cookie=0xb, ip actions=drop" });
});

test.each([
  "cookie=0xa, ip actions=NORMAL",
  "cookie=0xa, ip actions=drop,dec_ttl",
  "cookie=0xa, table=1, ip actions=drop",
  "cookie=0xb, ip actions=drop",
  "cookie=0xa, idle_timeout=5, ip actions=drop",
  "cookie=0xa, ip actions=dro",
])('%s differs from "ip,actions=drop"', (line) => expect(left(["ip,actions=drop"], [` ${line}`])).toEqual({ indexes: [0], rest: ` ${line}` }));

test("a repeated line is one flow", () => {
  const line = " cookie=0xa, ip actions=drop";
  expect(left(["ip,actions=drop"], [line, line])).toEqual({ indexes: [], rest: line });
});

/** Expected result of a comparison, line by line. */
function unlikeOneByOne(flows: readonly string[], dump: readonly string[]) {
  const open = new Map(flows.map((flow, place) => [` cookie=0xa, table=1, ${flow.replace(",actions", " actions")}`, place]));
  const rest = dump.filter((line) => !open.delete(line));
  return { indexes: [...open.values()], rest: rest.join("\n") };
}

test("compares correctly after any earlier comparison, with new, removed and changed lines", () => {
  const all = Array.from({ length: 60 }, (_, index) => `priority=${index},ip,actions=drop`);
  const change = fc.record({
    at: fc.nat(59),
    remove: fc.nat(40),
    twice: fc.boolean(),
    add: fc.array(fc.constantFrom(...all.map((flow) => flow.replace(",actions=drop", " actions=NORMAL")), "udp actions=drop"), { maxLength: 20 }),
    turned: fc.constantFrom(false, false, false, true),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      for (const { at, remove, add, turned, twice } of changes) {
        const dump = all.map((flow) => flow.replace(",actions", " actions"));
        dump.splice(at, remove, ...add, ...(twice ? [dump[at]!] : []));
        if (turned) dump.reverse();
        const lines = dump.map((flow) => ` cookie=0xa, table=1, ${flow}`);
        const flows = all.map((flow) => `table=1,${flow}`);
        expect(left(flows, lines)).toEqual(unlikeOneByOne(all, lines));
      }
    }),
  );
});

test("compares flows by current port numbers and by the resource's cookie", () => {
  const words = switchWords({ bridge: "br0", flows: ["in_port=p1,actions=output:p2", "ip,actions=drop"] }).flows!;
  const dump = (cookie: string) => ` cookie=${cookie}, in_port=11 actions=output:12\n cookie=${cookie}, ip actions=drop`;
  const swapped = portsOf(" 12(p1): addr:00:00:00:00:00:01\n 11(p2): addr:00:00:00:00:00:02\n");
  for (let time = 0; time < 2; time++) {
    expect(unlike(words, "0xa", dump("0xa"), PORTS)).toEqual({ indexes: [], rest: "" });
    expect(unlike(words, "0xa", dump("0xa"), swapped)).toEqual({ indexes: [0], rest: " cookie=0xa, in_port=p2 actions=output:p1" });
    expect(unlike(words, "0xb", dump("0xa"), PORTS).indexes).toEqual([0, 1]);
    expect(unlike(words, "0xb", dump("0xb"), PORTS)).toEqual({ indexes: [], rest: "" });
  }
});

const field = fc.constantFrom(
  "in_port=p1",
  "in_port=p2",
  "reg0=5",
  "reg10=0x7",
  "dl_src=00:00:00:00:00:01",
  "nw_dst=10.0.0.0/24",
  "nw_src=10.0.0.1",
  "ipv6_dst=fd00::1",
  "tp_dst=80",
  "ct_state=+est",
  "nw_ttl=1",
);
const actions = fc.constantFrom("drop", "NORMAL", "dec_ttl,output:p2", "mod_dl_dst:00:00:00:00:00:02,output:p1", "load:17->NXM_NX_REG1[],resubmit(,4)");
const wanted = fc.record({
  table: fc.integer({ min: 0, max: 2 }),
  priority: fc.constantFrom(0, 7, 32_768),
  match: fc
    .tuple(fc.constantFrom("", "ip", "tcp", "tcp6", "udp"), fc.uniqueArray(field, { maxLength: 4, selector: (text) => text.split("=")[0]! }))
    .map(([protocol, fields]) => [protocol, ...fields].filter(Boolean)),
  actions,
  /** Fate of the flow on the switch. */
  fate: fc.constantFrom("there", "there", "there", "changed", "odd", "gone", "foreign", "surplus", "timeout"),
  /** Order of its fields there. */
  order: fc.infiniteStream(fc.nat()).map((stream) => [...stream.take(6)]),
});

test("a dump without names gives the same result as one with names", () => {
  fc.assert(
    fc.property(fc.uniqueArray(wanted, { selector: ({ table, priority, match }) => JSON.stringify([table, priority, [...match].sort()]) }), (all) => {
      const list = {
        bridge: "br0",
        flows: all
          .filter(({ fate }) => fate !== "surplus")
          .map(({ table, priority, match, actions: text }) => [`table=${table}`, `priority=${priority}`, ...match, `actions=${text}`].join()),
      };
      const words = switchWords(list).flows!;
      const dump = all
        .filter(({ fate }) => fate !== "gone")
        .map(({ table, priority, match, actions: text, fate, order }) => {
          const own = switchWords({ bridge: "br0", flows: [[...match, `actions=${fate === "changed" ? "goto_table:9" : text}`].join()] }).flows![0]!;
          const names = own.rule.slice("table=  0 priority=32768 ".length).split(",").filter(Boolean);
          const shuffled =
            order[0]! % 2
              ? names
                  .map((name, index) => ({ name, at: order[index]! }))
                  .sort((one, other) => one.at - other.at)
                  .map(({ name }) => name)
              : names;
          const head = [...(priority === 32_768 ? [] : [`priority=${priority}`]), ...shuffled].join();
          return ` cookie=${fate === "foreign" ? "0xb" : COOKIE}, ${fate === "timeout" && order[1]! % 2 ? "idle_timeout=9, " : ""}${table === 0 ? "" : `table=${table}, `}${head}${head && " "}actions=${fate === "odd" ? "output:reg1" : own.actions}`;
        });
      const text = `${dump.join("\n")}\n`;
      const dumped = dumpedFlows(text, COOKIE);
      expect(pairedWithDump(list, numbered(text), COOKIE, PORTS)).toEqual(dumped && paired(words, dumped, COOKIE));
    }),
  );
});
