import { northboundRows, southboundRows } from "@pulumi-ovn/provider";
import { judgePolicies } from "@pulumi-ovn/provider/testing";
import { refusalsOf } from "../../support/refusals";

const judged = (kind: typeof northboundRows, entries: object) => refusalsOf(() => kind.judge!(kind.schema.parse({ zone: "z", entries })));

describe("rows with a match that OVN can't parse", () => {
  it.each(["ACL", "QoS", "NAT", "Logical_Router_Policy", "Mirror_Rule"])("are refused: %s", (table) => {
    expect(judged(northboundRows, { good: { table, columns: { match: "tcp.dst == 23" } }, bad: { table, columns: { match: "tcp.dst = 23" } } })).toEqual([
      'entries.bad.columns.match: column 9: expected ==, !=, <, <=, > or >=, found "="; == compares (match expressions: ovn-sb(5), Logical_Flow) [match]',
    ]);
  });

  it("are refused in the Southbound database", () => {
    expect(judged(southboundRows, { flow: { table: "Logical_Flow", columns: { match: "tcp.dst" } } })).toHaveLength(1);
  });

  it("are refused among the policies of a router", () => {
    const policy = (match: string) => ({ priority: 5, match, action: "drop" as const });
    expect(refusalsOf(() => judgePolicies({ policies: { good: policy("ip4"), "b d": policy("!ip4") } }))).toEqual([
      'policies["b d"].match: column 2: ip4 can\'t be negated: OVN tests it only positively (match expressions: ovn-sb(5), Logical_Flow) [match]',
    ]);
  });

  it("may have an empty match only in NAT", () => {
    expect(judged(northboundRows, { nat: { table: "NAT", columns: { match: "" } } })).toEqual([]);
    expect(judged(northboundRows, { acl: { table: "ACL", columns: { match: "" } } })).toHaveLength(1);
  });

  it("are parsed with the parentheses that northd adds", () => {
    const nested = `${"(".repeat(100)}ip4${")".repeat(100)}`;
    const tables = (match: string, further = {}) =>
      ["ACL", "NAT", "QoS", "Logical_Router_Policy"].filter((table) => judged(northboundRows, { a: { table, columns: { match, ...further } } }).length > 0);
    expect(tables(nested)).toEqual(["ACL", "NAT"]);
    expect(tables("ip4 // all")).toEqual(["ACL", "NAT"]);
    expect(tables("ip4 // all", { chain: "c" })).toContain("Logical_Router_Policy");
    expect(tables("ip4 // all\n")).toEqual([]);
    expect(tables('inport == "//a"')).toEqual([]);
  });
});
