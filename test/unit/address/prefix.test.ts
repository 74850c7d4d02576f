import fc from "fast-check";
import {
  compareIps,
  contains,
  formatIp,
  formatPrefix,
  hostPrefix,
  type Ip,
  lastOf,
  networkOf,
  nthAddress,
  ofFamily,
  overlaps,
  parseIp,
  parsePrefix,
  parseSubnet,
  type Prefix,
  sizeOf,
} from "@pulumi-ovn/provider";
import { failuresOf } from "../../support/refusals";
import { anyIp, anyPrefix } from "./helpers";

const subnet = (text: string): Prefix => parseSubnet(text);

describe("prefixes", () => {
  test.each(["203.203.0.0/16", "0.0.0.0/0", "10.0.0.1/32", "2010:100:200::/60", "::/0", "fd97::8/127"])("%s is a subnet", (text) => {
    expect(formatPrefix(parseSubnet(text))).toBe(text);
  });

  test("an address with a mask keeps its host bits", () => {
    expect(formatPrefix(parsePrefix("203.203.0.1/16"))).toBe("203.203.0.1/16");
    expect(formatPrefix(networkOf(parsePrefix("203.203.0.1/16")))).toBe("203.203.0.0/16");
    expect(formatPrefix(parsePrefix("2010:100:200:0::1/60"))).toBe("2010:100:200::1/60");
  });

  test.each([
    ["203.203.0.5/16", "host-bits", '"203.203.0.5/16" has host bits set: the subnet is 203.203.0.0/16'],
    ["2010:100:200:8::/60", "host-bits", '"2010:100:200:8::/60" has host bits set: the subnet is 2010:100:200::/60'],
    ["203.203.0.0", "prefix", '"203.203.0.0" has no prefix length: expected an address with one, such as 192.0.2.1/24'],
    ["203.203.0.0/33", "prefix", '"203.203.0.0/33": the prefix length of IPv4 is a number from 0 to 32'],
    ["fd97::/129", "prefix", '"fd97::/129": the prefix length of IPv6 is a number from 0 to 128'],
    ["203.203.0.0/", "prefix", '"203.203.0.0/": the prefix length of IPv4 is a number from 0 to 32'],
    ["203.203.0.0/016", "prefix", '"203.203.0.0/016": the prefix length of IPv4 is a number from 0 to 32'],
    ["203.203.0.0/255.255.0.0", "prefix", '"203.203.0.0/255.255.0.0": the prefix length of IPv4 is a number from 0 to 32'],
    ["203.203.0.0/16/8", "prefix", '"203.203.0.0/16/8": the prefix length of IPv4 is a number from 0 to 32'],
    ["010.0.0.0/8", "address", '"010.0.0.0" is not an IP address: leading zeros mean octal numbers to some programs'],
  ])("%s is refused", (text, code, message) => {
    expect(failuresOf(() => parseSubnet(text))).toEqual([{ path: "", code, message }]);
  });

  test("size, first and last address, and positions", () => {
    expect(sizeOf(subnet("203.203.0.0/16"))).toBe(65_536n);
    expect(formatIp(lastOf(subnet("203.203.0.0/16")))).toBe("203.203.255.255");
    expect(formatIp(lastOf(subnet("fd97::/64")))).toBe("fd97::ffff:ffff:ffff:ffff");
    expect(formatIp(nthAddress(subnet("203.203.0.0/16"), 257))).toBe("203.203.1.1");
    expect(failuresOf(() => nthAddress(subnet("10.0.0.0/30"), 4))).toEqual([
      { path: "", code: "out-of-range", message: "10.0.0.0/30 has 4 addresses, none at position 4" },
    ]);
    expect(failuresOf(() => nthAddress(subnet("10.0.0.0/30"), -1))[0]?.code).toBe("out-of-range");
  });

  test.each([
    ["203.203.0.0/16", "203.203.128.0/17", true],
    ["203.203.128.0/17", "203.203.0.0/16", true],
    ["203.203.0.0/17", "203.203.128.0/17", false],
    ["0.0.0.0/0", "::/0", false],
    ["fd97::/63", "fd97:0:0:1::/64", true],
    ["10.0.0.1/32", "10.0.0.1/32", true],
  ])("%s and %s overlap: %s", (a, b, expected) => {
    expect(overlaps(subnet(a), subnet(b))).toBe(expected);
  });

  test("two prefixes overlap if one contains the other's first address", () => {
    fc.assert(
      fc.property(anyPrefix, anyPrefix, (a, b) => {
        const [first, second] = [networkOf(a), networkOf(b)];
        const expected = contains(first, second) || contains(second, first);
        expect(overlaps(a, b)).toBe(expected);
        expect(overlaps(b, a)).toBe(expected);
      }),
    );
  });

  test("a prefix contains exactly the addresses from its first to its last", () => {
    fc.assert(
      fc.property(anyPrefix, anyIp, (prefix, ip) => {
        const between = (x: Ip) => x.family === prefix.family && x.value >= networkOf(prefix).value && x.value <= lastOf(prefix).value;
        expect(contains(prefix, ip)).toBe(between(ip));
        expect(contains(prefix, lastOf(prefix))).toBe(true);
        expect(lastOf(prefix).value - networkOf(prefix).value + 1n).toBe(sizeOf(prefix));
      }),
    );
  });

  test("every subnet's text reads as the same subnet", () => {
    fc.assert(fc.property(anyPrefix, (prefix) => expect(parsePrefix(formatPrefix(prefix))).toEqual(prefix)));
    fc.assert(fc.property(anyPrefix, (prefix) => expect(parseSubnet(formatPrefix(networkOf(prefix)))).toEqual(networkOf(prefix))));
  });

  test("lists are ordered by family, then by value", () => {
    const ordered = ["10.0.0.9", "10.0.0.10", "::1", "fd97::8"].map(parseIp);
    expect([...ordered].reverse().sort(compareIps)).toEqual(ordered);
    expect(compareIps(ordered[0]!, ordered[0]!)).toBe(0);
    expect(ofFamily(ordered, 6)).toEqual(parseIp("::1"));
    expect(ofFamily(ordered.slice(0, 2), 6)).toBeUndefined();
    expect(formatPrefix(hostPrefix(parseIp("::1")))).toBe("::1/128");
  });
});
