import { BlockList } from "node:net";
import fc from "fast-check";
import * as ipaddr from "ipaddr.js";
import {
  type AddressUse,
  formatIp,
  formatPrefix,
  type Ip,
  networkOf,
  parseIp,
  parseSubnet,
  type Prefix,
  requirePrefixUse,
  requireUse,
} from "@pulumi-ovn/provider";
import { messageOf } from "./helpers";

const USES: readonly AddressUse[] = ["subnet", "host", "next hop", "destination"];
const usable = (call: () => unknown) => {
  try {
    call();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "OVN_ARGUMENT", failures: [{ path: "", code: "unusable" }] });
    return false;
  }
};
const usesOf = (ip: Ip) => USES.filter((use) => usable(() => requireUse(ip, use)));

describe("possible uses of an address", () => {
  test.each<[string, AddressUse[]]>([
    ["0.0.0.0", []],
    ["0.255.255.255", []],
    ["1.0.0.0", [...USES]],
    ["126.255.255.255", [...USES]],
    ["127.0.0.0", []],
    ["127.255.255.255", []],
    ["128.0.0.0", [...USES]],
    ["169.254.1.1", [...USES]],
    ["223.255.255.255", [...USES]],
    ["224.0.0.0", ["destination"]],
    ["239.255.255.255", ["destination"]],
    ["240.0.0.0", ["destination"]],
    ["255.255.255.254", ["destination"]],
    ["255.255.255.255", []],
    ["::", []],
    ["::1", []],
    ["::2", [...USES]],
    ["fe7f:ffff::", [...USES]],
    ["fe80::", ["next hop", "destination"]],
    ["febf:ffff::1", ["next hop", "destination"]],
    ["fec0::", [...USES]],
    ["feff:ffff::", [...USES]],
    ["ff00::", ["destination"]],
    ["ffff::1", ["destination"]],
    ["fd97::8", [...USES]],
  ])("%s: %j", (text, uses) => {
    expect(usesOf(parseIp(text))).toEqual(uses);
  });

  test.each<[string, boolean, boolean]>([
    ["0.0.0.0/0", false, true],
    ["0.0.0.0/7", false, true],
    ["0.0.0.0/8", false, false],
    ["0.1.0.0/16", false, false],
    ["126.0.0.0/7", false, true],
    ["127.0.0.0/8", false, false],
    ["192.0.0.0/2", false, true],
    ["192.0.0.0/3", true, true],
    ["224.0.0.0/4", false, true],
    ["224.0.0.0/3", false, true],
    ["239.1.0.0/16", false, true],
    ["240.0.0.0/4", false, true],
    ["255.255.255.255/32", false, false],
    ["10.0.0.0/8", true, true],
    ["169.254.0.0/17", true, true],
    ["::/0", false, true],
    ["::/127", false, true],
    ["::/128", false, false],
    ["::1/128", false, false],
    ["::fffe:0:0/95", false, true],
    ["fe80::/64", false, true],
    ["fc00::/6", false, true],
    ["fc00::/7", true, true],
    ["ff00::/8", false, true],
    ["ff02::/16", false, true],
  ])("%s as a subnet: %s, as a destination: %s", (text, subnet, destination) => {
    const prefix = parseSubnet(text);
    expect([usable(() => requirePrefixUse(prefix, "subnet")), usable(() => requirePrefixUse(prefix, "destination"))]).toEqual([subnet, destination]);
  });

  test.each<[string, () => unknown, string]>([
    ["an address", () => requireUse(parseIp("127.0.0.1"), "next hop"), "127.0.0.1 can't be a next hop: 127.0.0.0/8 is for loopback (RFC 1122 section 3.2.1.3)"],
    [
      "a range of one address",
      () => requireUse(parseIp("255.255.255.255"), "host"),
      "255.255.255.255 can't be the address of a port or host: it is the broadcast address of every link (RFC 919)",
    ],
    ["a whole range", () => requirePrefixUse(parseSubnet("224.0.0.0/4"), "subnet"), "224.0.0.0/4 can't be a subnet: it is for multicast (RFC 5771)"],
    [
      "a subnet that has such addresses in it",
      () => requirePrefixUse(parseSubnet("::/0"), "subnet"),
      "::/0 can't be a subnet: :: means no address (RFC 4291 section 2.5.2)",
    ],
    [
      "a destination",
      () => requirePrefixUse(parseSubnet("127.1.0.0/16"), "destination"),
      "127.1.0.0/16 can't be a destination: 127.0.0.0/8 is for loopback (RFC 1122 section 3.2.1.3)",
    ],
    [
      "IPv4-mapped addresses",
      () => requirePrefixUse(parseSubnet("::fffe:0:0/95"), "subnet"),
      "::fffe:0:0/95 can't be a subnet: ::ffff:0:0/96 is for IPv4-mapped addresses (RFC 4291 section 2.5.5.2)",
    ],
  ])("the message has the range and its purpose: %s", (_what, call, message) => {
    expect(messageOf(call)).toBe(message);
  });
});

/** Address kinds of a library that is independent of the table. */
const KINDS: Readonly<Record<string, readonly AddressUse[]>> = {
  unspecified: [],
  loopback: [],
  broadcast: [],
  ipv4Mapped: [],
  multicast: ["destination"],
  linkLocal: ["next hop", "destination"],
};
const V4_LINK_LOCAL = parseSubnet("169.254.0.0/16");
const inside = ({ value, family }: Ip, range: Prefix) => family === range.family && networkOf({ value, family, length: range.length }).value === range.value;

function expected(ip: Ip): readonly AddressUse[] {
  const kind = ipaddr.parse(formatIp(ip)).range();
  if (inside(ip, V4_LINK_LOCAL)) return USES;
  if (kind === "reserved" && ip.family === 4 && ip.value >> 28n === 15n) return ["destination"];
  return KINDS[kind] ?? USES;
}

const near = (value: bigint, width: number) => fc.bigInt({ min: -2n, max: 2n }).map((offset) => BigInt.asUintN(width, value + offset));
const EDGES = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "::/127", "fe80::/10", "ff00::/8"].map(
  parseSubnet,
);
const edges = (family: 4 | 6) => {
  const width = family === 4 ? 32 : 128;
  return fc
    .constantFrom(...EDGES.filter((edge) => edge.family === family))
    .chain(({ value, length }) => fc.oneof(near(value, width), near(value + (1n << BigInt(width - length)), width)));
};
const addresses = fc.oneof(
  fc.oneof(edges(4), fc.bigInt({ min: 0n, max: (1n << 32n) - 1n })).map((value): Ip => ({ family: 4, value })),
  fc
    .oneof(edges(6), fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.bigInt({ min: 0xfe00n << 112n, max: (1n << 128n) - 1n }))
    .map((value): Ip => ({ family: 6, value })),
);

describe("the table agrees with independent sources", () => {
  test("about addresses: ipaddr.js", () => {
    fc.assert(
      fc.property(addresses, (ip) => expect(usesOf(ip)).toEqual(expected(ip))),
      { numRuns: 2000 },
    );
  });

  test("about subnets: a usable subnet contains no address that is unusable for a host, according to Node's BlockList", () => {
    const refused = new BlockList();
    for (const [address, length, family] of [
      ["0.0.0.0", 8, "ipv4"],
      ["127.0.0.0", 8, "ipv4"],
      ["224.0.0.0", 3, "ipv4"],
      ["::", 127, "ipv6"],
      ["fe80::", 10, "ipv6"],
      ["ff00::", 8, "ipv6"],
    ] as const)
      refused.addSubnet(address, length, family);
    const prefixes = addresses.chain((ip) => fc.integer({ min: 0, max: ip.family === 4 ? 32 : 128 }).map((length): Prefix => networkOf({ ...ip, length })));
    const offsets = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    fc.assert(
      fc.property(prefixes, offsets, (prefix, offset) => {
        fc.pre(usable(() => requirePrefixUse(prefix, "subnet")));
        const width = prefix.family === 4 ? 32 : 128;
        const size = 1n << BigInt(width - prefix.length);
        for (const place of [0n, size - 1n, offset % size]) {
          const text = formatIp({ family: prefix.family, value: prefix.value + place });
          expect([formatPrefix(prefix), text, refused.check(text, prefix.family === 4 ? "ipv4" : "ipv6")]).toEqual([formatPrefix(prefix), text, false]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("every subnet is a valid destination, and so is a single address as its own subnet", () => {
    fc.assert(
      fc.property(addresses, (ip) => {
        const own: Prefix = { ...ip, length: ip.family === 4 ? 32 : 128 };
        for (const use of ["subnet", "destination"] as const) expect(usable(() => requirePrefixUse(own, use))).toBe(usable(() => requireUse(ip, use)));
        if (usable(() => requireUse(ip, "host"))) expect(usesOf(ip)).toEqual(USES);
      }),
      { numRuns: 500 },
    );
  });
});
