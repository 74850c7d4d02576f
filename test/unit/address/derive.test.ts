import fc from "fast-check";
import {
  chooseTransitSubnet,
  formatIp,
  formatPrefix,
  hostMasqueradeAddresses,
  joinAddress,
  largestJoinId,
  largestTransitId,
  lastUsableJoinAddress,
  linkLocalOfMac,
  macOfIp,
  masqueradeAddresses,
  overlapFailures,
  overlaps,
  parseIp,
  parseMac,
  parseSubnet,
  transitPair,
} from "@pulumi-ovn/provider";
import { failuresOf } from "../../support/refusals";
import { anyIp, messageOf } from "./helpers";

describe("MAC addresses", () => {
  test.each([
    ["100.88.0.8", "0a:58:64:58:00:08"],
    ["203.203.0.1", "0a:58:cb:cb:00:01"],
    ["fd97::8", "0a:58:31:e2:6c:9b"],
    ["fd99::4", "0a:58:29:37:8e:56"],
    ["2010:100:200::1", "0a:58:d7:eb:90:5e"],
    ["2010:100:200::2", "0a:58:a4:67:04:4b"],
    ["fd01::1234", "0a:58:11:37:a6:26"],
  ])("of %s is %s", (ip, mac) => {
    expect(macOfIp(parseIp(ip))).toBe(mac);
  });

  test.each([
    ["0a:58:cb:cb:00:01", "fe80::858:cbff:fecb:1"],
    ["0a:58:d7:eb:90:5e", "fe80::858:d7ff:feeb:905e"],
    ["0a:58:64:41:00:02", "fe80::858:64ff:fe41:2"],
  ])("%s has the link-local address %s", (mac, ip) => {
    expect(formatIp(linkLocalOfMac(mac))).toBe(ip);
  });

  test("every derived MAC is valid", () => {
    fc.assert(fc.property(anyIp, (ip) => expect(parseMac(macOfIp(ip))).toBe(macOfIp(ip))));
  });

  test.each([
    ["0a:58:cb:cb:00", '"0a:58:cb:cb:00" is not a MAC address: expected six pairs such as 0a:58:cb:cb:00:01'],
    ["0a-58-cb-cb-00-01", '"0a-58-cb-cb-00-01" is not a MAC address: expected six pairs such as 0a:58:cb:cb:00:01'],
    ["router", '"router" is not a MAC address: expected six pairs such as 0a:58:cb:cb:00:01'],
    ["01:00:5e:00:00:01", '"01:00:5e:00:00:01" is a group address, which no port can have'],
    ["ff:ff:ff:ff:ff:ff", '"ff:ff:ff:ff:ff:ff" is a group address, which no port can have'],
    ["00:00:00:00:00:00", '"00:00:00:00:00:00" means "no address" to OVN'],
  ])("%s is refused", (text, message) => {
    expect(failuresOf(() => parseMac(text))).toEqual([{ path: "", code: "mac", message }]);
  });

  test("upper case becomes lower case", () => {
    expect(parseMac("0A:58:CB:CB:00:01")).toBe("0a:58:cb:cb:00:01");
  });
});

describe("addresses of nodes", () => {
  const v4 = parseSubnet("100.88.0.0/16");
  const v6 = parseSubnet("fd97::/64");

  test("transit pairs", () => {
    expect(formatPrefix(transitPair(v4, 2).router)).toBe("100.88.0.4/31");
    expect(formatPrefix(transitPair(v4, 2).gateway)).toBe("100.88.0.5/31");
    expect(formatPrefix(transitPair(v6, 4).router)).toBe("fd97::8/127");
    expect(formatPrefix(transitPair(v6, 4).gateway)).toBe("fd97::9/127");
    expect(largestTransitId(v4)).toBe(32_767n);
    expect(formatPrefix(transitPair(v4, 32_767).gateway)).toBe("100.88.255.255/31");
  });

  test("nodes share no address of a transit subnet, and both ends have the pair's prefix", () => {
    const id = fc.integer({ min: 1, max: 32_767 });
    fc.assert(
      fc.property(id, id, fc.constantFrom(v4, v6), (a, b, subnet) => {
        const [first, second] = [transitPair(subnet, a), transitPair(subnet, b)];
        expect(overlaps(first.router, first.gateway)).toBe(true);
        expect(overlaps(first.router, second.gateway)).toBe(a === b);
      }),
    );
  });

  test("join addresses", () => {
    expect(formatPrefix(joinAddress(parseSubnet("100.65.0.0/16"), 2))).toBe("100.65.0.2/16");
    expect(formatPrefix(joinAddress(parseSubnet("fd99::/64"), 4))).toBe("fd99::4/64");
    expect(largestJoinId(parseSubnet("100.65.0.0/24"))).toBe(253n);
    expect(formatPrefix(joinAddress(parseSubnet("100.65.0.0/24"), 253))).toBe("100.65.0.253/24");
  });

  test.each([
    [() => joinAddress(parseSubnet("100.65.0.0/24"), 254), "node id 254 does not fit join subnet 100.65.0.0/24: ids from 1 to 253 do"],
    [() => joinAddress(parseSubnet("100.65.0.0/16"), 0), "node id 0 does not fit join subnet 100.65.0.0/16: ids from 1 to 65533 do"],
    [() => transitPair(parseSubnet("100.88.0.0/24"), 128), "node id 128 does not fit transit subnet 100.88.0.0/24: ids from 1 to 127 do"],
    [() => transitPair(parseSubnet("fd97::/125"), 4), "node id 4 does not fit transit subnet fd97::/125: ids from 1 to 3 do"],
  ])("an id outside of the subnet is refused (%#)", (call, message) => {
    expect(failuresOf(call)).toEqual([{ path: "", code: "out-of-range", message }]);
  });

  test.each([
    [() => joinAddress(parseSubnet("100.65.0.0/31"), 2), "join subnet 100.65.0.0/31 is too small: it has no addresses for any node"],
    [() => transitPair(parseSubnet("100.88.0.0/31"), 2), "transit subnet 100.88.0.0/31 is too small: it has no addresses for any node"],
    [() => transitPair(parseSubnet("fd97::/128"), 2), "transit subnet fd97::/128 is too small: it has no addresses for any node"],
  ])("a subnet without room for any node is refused (%#)", (call, message) => {
    expect(failuresOf(call)).toEqual([{ path: "", code: "too-small", message }]);
  });

  test.each([
    ["100.65.0.0/16", "100.65.255.254/16"],
    ["fd99::/64", "fd99::ffff:ffff:ffff:fffe/64"],
    ["100.65.0.0/22", "100.65.3.254/22"],
  ])("the upgrade port's address in %s is %s", (subnet, expected) => {
    expect(formatPrefix(lastUsableJoinAddress(parseSubnet(subnet)))).toBe(expected);
  });

  test("masquerade addresses of a network differ from those of the host", () => {
    const subnet = parseSubnet("169.254.0.0/17");
    const { gateway, management } = masqueradeAddresses(subnet, 1);
    expect([formatIp(gateway), formatIp(management)]).toEqual(["169.254.0.11", "169.254.0.12"]);
    expect(formatIp(masqueradeAddresses(subnet, 6).management)).toBe("169.254.0.22");
    expect(formatIp(masqueradeAddresses(parseSubnet("fd69::/112"), 1).gateway)).toBe("fd69::b");
    const { host, nextHop } = hostMasqueradeAddresses(subnet);
    expect([formatIp(host), formatIp(nextHop)]).toEqual(["169.254.0.2", "169.254.0.4"]);
    expect(messageOf(() => masqueradeAddresses(parseSubnet("169.254.0.0/26"), 27))).toBe("network id 27 has no addresses in masquerade subnet 169.254.0.0/26");
    expect(formatIp(masqueradeAddresses(parseSubnet("169.254.0.0/26"), 26).management)).toBe("169.254.0.62");
    expect(failuresOf(() => masqueradeAddresses(subnet, 0))[0]?.code).toBe("out-of-range");
  });
});

describe("the transit subnet of a network", () => {
  test.each([
    [
      ["10.12.0.0/16", "fd12:dbba::/64"],
      ["100.65.0.0/16", "fd99::/64"],
      ["100.88.0.0/16", "fd97::/64"],
    ],
    [
      ["100.88.0.0/15", "fd97::/63"],
      ["100.65.0.0/16", "fd99::/64"],
      ["100.90.0.0/16", "fd97:0:0:2::/64"],
    ],
    [
      ["10.12.0.0/16", "fd12:dbba::/64"],
      ["100.88.0.0/17", "fd97::/65"],
      ["100.89.0.0/16", "fd97:0:0:1::/64"],
    ],
    [
      ["100.88.0.0/15", "fd97::/65"],
      ["100.90.0.0/16", "fd97:0:0:1::/64"],
      ["100.91.0.0/16", "fd97:0:0:2::/64"],
    ],
  ])("for %j with join subnets %j", (subnets, join, expected) => {
    const taken = [...subnets, ...join].map(parseSubnet);
    expect(["100.88.0.0/16", "fd97::/64"].map((start) => formatPrefix(chooseTransitSubnet(parseSubnet(start), taken)))).toEqual(expected);
  });

  test.each([
    ["100.88.0.0/16", "0.0.0.0/0", "no free transit subnet found between 100.88.0.0/16 and the end of the IPv4 address space"],
    ["255.255.0.0/16", "255.255.128.0/17", "no free transit subnet found between 255.255.0.0/16 and the end of the IPv4 address space"],
    ["fd97::/64", "::/0", "no free transit subnet found between fd97::/64 and the end of the IPv6 address space"],
  ])("from %s with %s taken there is none", (start, taken, message) => {
    expect(failuresOf(() => chooseTransitSubnet(parseSubnet(start), [parseSubnet(taken)]))).toEqual([
      { path: "", code: "overlap", message: `${message}: set one that overlaps no other subnet of the network` },
    ]);
  });

  test("the last one of the address space is usable", () => {
    expect(formatPrefix(chooseTransitSubnet(parseSubnet("255.254.0.0/16"), [parseSubnet("255.254.0.0/17")]))).toBe("255.255.0.0/16");
  });

  test("at most ten attempts are made", () => {
    const neighbours = (count: number) => Array.from({ length: count }, (_, index) => parseSubnet(`100.${88 + index}.0.0/16`));
    expect(formatPrefix(chooseTransitSubnet(parseSubnet("100.88.0.0/16"), neighbours(9)))).toBe("100.97.0.0/16");
    expect(failuresOf(() => chooseTransitSubnet(parseSubnet("100.88.0.0/16"), neighbours(10)))).toEqual([
      {
        path: "",
        code: "overlap",
        message: "no free transit subnet found in 10 attempts from 100.88.0.0/16: set one that overlaps no other subnet of the network",
      },
    ]);
  });
});

describe("overlaps of named subnets", () => {
  const named = (name: string, text: string, group?: string) => ({ name, path: name, prefix: parseSubnet(text), ...(group && { group }) });

  test("each pair is named once", () => {
    expect(overlapFailures([named("subnet", "203.203.0.0/16"), named("join subnet", "203.203.0.0/17"), named("transit subnet", "203.0.0.0/8")])).toEqual([
      { path: "join subnet", code: "overlap", message: "subnet 203.203.0.0/16 overlaps join subnet 203.203.0.0/17" },
      { path: "transit subnet", code: "overlap", message: "subnet 203.203.0.0/16 overlaps transit subnet 203.0.0.0/8" },
      { path: "transit subnet", code: "overlap", message: "join subnet 203.203.0.0/17 overlaps transit subnet 203.0.0.0/8" },
    ]);
  });

  test("members of one group may overlap each other, and no others", () => {
    const [a, b] = [named("a", "172.18.0.0/16", "external"), named("b", "172.18.0.0/16", "external")];
    expect(overlapFailures([a, b])).toEqual([]);
    expect(overlapFailures([named("subnet", "172.18.1.0/24"), a, b]).map((failure) => failure.path)).toEqual(["a", "b"]);
  });
});
