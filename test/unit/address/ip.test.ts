import fc from "fast-check";
import { addToIp, formatIp, parseIp, toBytes } from "@pulumi-ovn/provider";
import { failuresOf } from "../../support/refusals";
import { anyIp, anyIpv4, anyIpv6, messageOf } from "./helpers";

describe("addresses", () => {
  test.each([
    ["0.0.0.0", "0.0.0.0"],
    ["203.203.0.1", "203.203.0.1"],
    ["255.255.255.255", "255.255.255.255"],
    ["::", "::"],
    ["FD97:0:0::8", "fd97::8"],
    ["2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["fe80::1", "fe80::1"],
  ])("%s is %s", (text, canonical) => {
    expect(formatIp(parseIp(text))).toBe(canonical);
  });

  test.each([
    ["010.0.0.1", "leading zeros mean octal numbers to some programs"],
    ["10.0.0.01", "leading zeros mean octal numbers to some programs"],
    ["1", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["10.1", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["10.0.0.256", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["0x0a.0.0.1", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["10.0.0.1 ", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["localhost", "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6"],
    ["fe80::1%eth0", "zone ids have no meaning in OVN"],
    ["::ffff:10.0.0.1", "write IPv6 in hexadecimal, and an IPv4-mapped address as IPv4"],
    ["64:ff9b::192.0.2.1", "write IPv6 in hexadecimal, and an IPv4-mapped address as IPv4"],
    ["::ffff:a00:1", "write an IPv4-mapped address as IPv4"],
    ["1::2::3", "expected up to eight groups of hexadecimal digits, such as 2001:db8::1"],
    [":", "expected up to eight groups of hexadecimal digits, such as 2001:db8::1"],
    ["1:2:3:4:5:6:7:8:9", "expected up to eight groups of hexadecimal digits, such as 2001:db8::1"],
    ["2001:db8::12345", "expected up to eight groups of hexadecimal digits, such as 2001:db8::1"],
    ["[::1]", "expected up to eight groups of hexadecimal digits, such as 2001:db8::1"],
  ])("%s is refused", (text, reason) => {
    expect(failuresOf(() => parseIp(text))).toEqual([{ path: "", code: "address", message: `${JSON.stringify(text)} is not an IP address: ${reason}` }]);
  });

  test("a long or strange text is one short line in the message", () => {
    expect(messageOf(() => parseIp(`\n${"x".repeat(100)}`))).toBe(
      `"\\n${"x".repeat(59)}..." is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6`,
    );
  });

  test("text and number convert into each other", () => {
    fc.assert(fc.property(anyIp, (ip) => expect(parseIp(formatIp(ip))).toEqual(ip)));
  });

  test("the text of IPv4 is its four bytes", () => {
    fc.assert(fc.property(anyIpv4, (ip) => expect(formatIp(ip)).toBe(toBytes(ip).join("."))));
  });

  test("the text of IPv6 equals that of URLs", () => {
    fc.assert(fc.property(anyIpv6, (ip) => expect(`[${formatIp(ip)}]`).toBe(new URL(`http://[${formatIp(ip)}]/`).hostname)));
  });

  test("any accepted text is written in a form that reads as the same address", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.]{1,20}$/), (text) => {
        try {
          const ip = parseIp(text);
          expect(parseIp(formatIp(ip))).toEqual(ip);
        } catch (error) {
          expect(error).toHaveProperty("code", "OVN_ARGUMENT");
        }
      }),
    );
  });

  test("offsets carry over bytes, and are limited by the address space", () => {
    expect(formatIp(addToIp(parseIp("10.0.0.255"), 1n))).toBe("10.0.1.0");
    expect(formatIp(addToIp(parseIp("fd97::ffff"), 1n))).toBe("fd97::1:0");
    expect(formatIp(addToIp(parseIp("10.0.1.0"), -1n))).toBe("10.0.0.255");
    expect(failuresOf(() => addToIp(parseIp("255.255.255.255"), 1n))).toEqual([
      { path: "", code: "out-of-range", message: "255.255.255.255 + 1 is outside of the IPv4 address space" },
    ]);
    expect(messageOf(() => addToIp(parseIp("::"), -1n))).toBe(":: + -1 is outside of the IPv6 address space");
  });
});
