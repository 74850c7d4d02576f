import fc from "fast-check";
import { checkInterfaceName, parseMac } from "@pulumi-ovn/provider";
import { derivedZone, gatewayMacOf, routerMac, tierPatch } from "@pulumi-ovn/provider/testing";
import { routerBridge, routerPatch, tierBridge, tunnelPort } from "@pulumi-ovn/provider/tools";

const key = fc.integer({ min: 1, max: 4_294_967_295 });
const label = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(..."abcxyz0129-_.") });

/** Everything of a host, by what it is. */
const namesOf = (keys: readonly number[], hosts: readonly string[], vpcs: readonly string[]): string[] => [
  ...vpcs.map(routerBridge),
  ...keys.flatMap((one) => [tierBridge(one), tierPatch(one), routerPatch(one), ...hosts.map((host) => tunnelPort(one, host))]),
];

test("names describe the object if there is room", () => {
  expect(namesOf([1001], ["node2"], ["blue"])).toEqual(["lr-blue", "br-t1001", "pt1001", "pr1001", "t1001-node2"]);
  expect(namesOf([4_294_967_295], ["a-much-longer-host"], ["a-much-longer-vpc"])).toEqual([
    "lr_mga32swy23u5",
    "br-t4294967295",
    "pt4294967295",
    "pr4294967295",
    "u4picdtsh3h33y7",
  ]);
});

test("all names of a host are different and valid for Linux and Open vSwitch", () => {
  const some = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(some(key), some(label), some(label), (keys, hosts, vpcs) => {
      const names = namesOf(keys, hosts, vpcs);
      expect(new Set(names).size).toBe(names.length);
      expect(names.map(checkInterfaceName)).toEqual(names);
    }),
  );
});

test.each(["-a", "a--b", "a-", "größe", "9"])("host %j has no readable name", (host) => {
  expect(tunnelPort(1, host)).toMatch(/^u[0-9a-z]{14}$/);
});

test("names of 15 characters stay, longer ones are shortened", () => {
  expect(tunnelPort(1234, "host-0009")).toBe("t1234-host-0009");
  expect(tunnelPort(12_345, "host-0009")).toMatch(/^u[0-9a-z]{14}$/);
  expect(routerBridge("twelve-chars")).toBe("lr-twelve-chars");
  expect(routerBridge("thirteen-char")).toMatch(/^lr_[0-9a-z]{12}$/);
});

test("a logical router's MAC is locally administered, and differs by VPC and host", () => {
  expect(routerMac("blue", "h1")).toBe("0e:2c:4b:cf:50:21");
  fc.assert(fc.property(label, label, (vpc, host) => expect(parseMac(routerMac(vpc, host))).toMatch(/^0e/)));
  expect(new Set([routerMac("a", "bc"), routerMac("ab", "c"), routerMac("a", "b"), routerMac("b", "a")]).size).toBe(4);
});

test("the gateway's MAC is the given one, or derives from its IPv4 address, or from the IPv6 one", () => {
  expect(gatewayMacOf({ gateways: ["10.1.1.1"], gatewayMac: "02:00:00:00:00:01" })).toBe("02:00:00:00:00:01");
  expect(gatewayMacOf({ gateways: ["fd01::1", "10.1.1.1"] })).toBe("0a:58:0a:01:01:01");
  expect(gatewayMacOf({ gateways: ["fd01::1"] })).toMatch(/^0a:58:/);
});

test("a derived conntrack zone is in the valid range", () => {
  fc.assert(fc.property(label, (vpc) => expect(derivedZone(vpc) >= 1 && derivedZone(vpc) <= 65_535).toBe(true)));
});
