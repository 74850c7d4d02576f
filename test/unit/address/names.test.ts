import fc from "fast-check";
import {
  checkInterfaceName,
  checkName,
  gatewayPortKey,
  GLOBAL_DATAPATH_KEYS,
  LARGEST_NODE_ID,
  matchString,
  networkPrefix,
  POOL_DATAPATH_KEYS,
  transitPortKey,
  workloadPortKey,
} from "@pulumi-ovn/provider";
import { failuresOf } from "../../support/refusals";

describe("names", () => {
  test.each([
    ["cluster_udn_l3-primary", "cluster_udn_l3.primary_"],
    ["test12_namespace-scoped", "test12_namespace.scoped_"],
    ["a/b-c", "a.b.c_"],
    ["", ""],
  ])("the prefix of network %j is %j", (network, prefix) => {
    expect(networkPrefix(network)).toBe(prefix);
  });

  test.each(["node1", "test12_namespace.scoped_ovn_layer2_switch", "net/1", "a:b", "größe"])("%s is a name", (name) => {
    expect(checkName(name)).toBe(name);
  });

  test.each([
    ['a"b', `name "a\\"b" can't have quotes: names become part of OVN match expressions`],
    ["a'b", `name "a'b" can't have quotes: names become part of OVN match expressions`],
    ["a{b", `name "a{b" can't have braces: names become part of OVN match expressions`],
    ["a b", `name "a b" can't have white space: names become part of OVN match expressions`],
    ["a\nb", `name "a\\nb" can't have white space: names become part of OVN match expressions`],
    ["a\u0000b", `name "a\\u0000b" can't have control characters: names become part of OVN match expressions`],
    ["a,b", `name "a,b" can't have any of \\ , * $: names become part of OVN match expressions`],
    ["a*/b", `name "a*/b" can't have any of \\ , * $: names become part of OVN match expressions`],
    ["", "a name can't be empty"],
  ])("%j is refused", (name, message) => {
    expect(failuresOf(() => checkName(name))).toEqual([{ path: "", code: "name", message }]);
  });

  test("a name can't end the string that contains it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          checkName(text);
        } catch {
          return;
        }
        expect(matchString(text)).toBe(`"${text}"`);
      }),
    );
  });

  test("an invalid name is escaped in the message", () => {
    expect(matchString('a"b\\c')).toBe('"a\\"b\\\\c"');
  });

  test("bridges and interfaces have at most 15 characters", () => {
    expect(checkInterfaceName("ovn-k8s-mp01234")).toBe("ovn-k8s-mp01234");
    expect(failuresOf(() => checkInterfaceName("ovn-k8s-mp012345"))).toEqual([
      { path: "", code: "name", message: 'name "ovn-k8s-mp012345" has 16 characters: interfaces and bridges have at most 15' },
    ]);
    // 15 characters, and 16 bytes: Linux counts those.
    expect(checkInterfaceName("größe-abcdefg")).toBe("größe-abcdefg");
    expect(failuresOf(() => checkInterfaceName("brücke-abcdefgh"))).toEqual([
      { path: "", code: "name", message: 'name "brücke-abcdefgh" has 16 bytes in UTF-8: interfaces and bridges have at most 15' },
    ]);
    expect(failuresOf(() => checkInterfaceName("br/ex"))[0]?.message).toBe('name "br/ex" is not allowed for an interface');
    expect(failuresOf(() => checkInterfaceName(".."))[0]?.message).toBe('name ".." is not allowed for an interface');
  });
});

describe("tunnel keys", () => {
  test("ranges", () => {
    expect(GLOBAL_DATAPATH_KEYS).toEqual({ first: 2 ** 24 - 65_535, last: 2 ** 24 - 1 });
    expect(POOL_DATAPATH_KEYS).toEqual({ first: 16_715_779, last: 16_777_215 });
    expect(POOL_DATAPATH_KEYS.last - POOL_DATAPATH_KEYS.first + 1).toBe(61_437);
  });

  test("port keys of nodes and workloads", () => {
    expect(transitPortKey(2)).toBe(12);
    expect(transitPortKey(LARGEST_NODE_ID)).toBe(32_767);
    expect(workloadPortKey(18n)).toBe(28);
    expect(gatewayPortKey(2)).toBe(32_766);
    expect(gatewayPortKey(LARGEST_NODE_ID)).toBe(11);
    expect(failuresOf(() => gatewayPortKey(0))[0]?.code).toBe("out-of-range");
    expect(failuresOf(() => transitPortKey(32_758))).toEqual([
      {
        path: "",
        code: "out-of-range",
        message: "node id 32758 has no port key: node ids from 1 to 32757 do, as OVN's port keys end at 32767",
      },
    ]);
    expect(failuresOf(() => workloadPortKey(40_000n))[0]?.message).toBe(
      "address offset 40000 has no port key: address offsets from 1 to 32757 do, as OVN's port keys end at 32767",
    );
    expect(failuresOf(() => transitPortKey(0))[0]?.code).toBe("out-of-range");
  });
});
