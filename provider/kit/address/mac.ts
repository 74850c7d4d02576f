import { createHash } from "node:crypto";
import { ArgumentError } from "../arguments/errors";
import { type Ip, formatIp, toBytes } from "./ip";
import { quote } from "./text";

const MAC = /^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$/;
const UNIVERSAL_LOCAL_BIT = 0x02;

/** Reads six hexadecimal pairs with colons; the text form has lower-case letters. A port's own address is never a group's or zero. */
export function parseMac(text: string): string {
  const mac = text.toLowerCase();
  if (!MAC.test(mac)) throw ArgumentError.of("", "mac", `${quote(text)} is not a MAC address: expected six pairs such as 0a:58:cb:cb:00:01`);
  if (macBytes(mac)[0]! & 1) throw ArgumentError.of("", "mac", `${quote(text)} is a group address, which no port can have`);
  if (mac === "00:00:00:00:00:00") throw ArgumentError.of("", "mac", `${quote(text)} means "no address" to OVN`);
  return mac;
}

/**
 * The MAC that ovn-kubernetes gives to the owner of an address, the same in every zone: `0a:58` and the four
 * bytes of IPv4, or the first four bytes of SHA-256 over the text of IPv6.
 */
export function macOfIp(ip: Ip): string {
  const bytes = ip.family === 4 ? toBytes(ip) : [...createHash("sha256").update(formatIp(ip)).digest().subarray(0, 4)];
  return [0x0a, 0x58, ...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(":");
}

/** The link-local address that a port with this MAC has (RFC 4291 appendix A: modified EUI-64). */
export function linkLocalOfMac(mac: string): Ip {
  const [first, second, third, ...rest] = macBytes(mac) as [number, number, number, ...number[]];
  const identifier = [first ^ UNIVERSAL_LOCAL_BIT, second, third, 0xff, 0xfe, ...rest];
  return { family: 6, value: identifier.reduce((value, byte) => (value << 8n) | BigInt(byte), 0xfe80n << 48n) };
}

function macBytes(mac: string): number[] {
  return mac.split(":").map((pair) => Number.parseInt(pair, 16));
}
