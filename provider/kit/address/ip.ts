import * as ipaddr from "ipaddr.js";
import { ArgumentError } from "../arguments/errors";
import { memo } from "../memo/memo";
import { quote } from "./text";

export type Family = 4 | 6;

/** An address as a number, so that offsets are plain arithmetic. */
export interface Ip {
  readonly family: Family;
  readonly value: bigint;
}

export const WIDTH: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

const DECIMAL_PART = "(?:0|[1-9][0-9]{0,2})";
const FOUR_PARTS = new RegExp(`^${DECIMAL_PART}(?:\\.${DECIMAL_PART}){3}$`);
const HEXADECIMAL = /^[0-9a-fA-F:]*:[0-9a-fA-F:]*$/;

/**
 * Reads an IPv4 address in four decimal parts or an IPv6 address in hexadecimal (RFC 4291 section 2.2, forms
 * 1 and 2). Everything that programs read in more than one way is refused: leading zeros (octal to some),
 * fewer than four parts, zone ids, IPv4-mapped and dotted IPv6 forms.
 */
export function parseIp(text: string): Ip {
  return known(text);
}

/** Every zone of a network reads the addresses of all others. */
const known = memo(10_000, read);

function read(text: string): Ip {
  if (FOUR_PARTS.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text)) return fromBytes(4, ipaddr.IPv4.parse(text).toByteArray());
  if (HEXADECIMAL.test(text) && ipaddr.IPv6.isValid(text)) {
    const parsed = ipaddr.IPv6.parse(text);
    if (!parsed.isIPv4MappedAddress()) return fromBytes(6, parsed.toByteArray());
  }
  throw ArgumentError.of("", "address", `${quote(text)} is not an IP address: ${reason(text)}`);
}

/** The one text form that OVN prints and compares: dotted decimal, or RFC 5952. */
export function formatIp(ip: Ip): string {
  const bytes = toBytes(ip);
  return ip.family === 4 ? bytes.join(".") : new ipaddr.IPv6(bytes).toRFC5952String();
}

/** `ip` + `offset`; refuses to leave the address space. */
export function addToIp(ip: Ip, offset: bigint): Ip {
  const value = ip.value + offset;
  if (value < 0n || value >> BigInt(WIDTH[ip.family]) !== 0n) {
    throw ArgumentError.of("", "out-of-range", `${formatIp(ip)} + ${offset} is outside of the IPv${ip.family} address space`);
  }
  return { family: ip.family, value };
}

/** Shifts of the four words of an IPv6 address, the most significant first. */
const IPV6_WORDS = [96n, 64n, 32n, 0n] as const;

export function toBytes(ip: Ip): number[] {
  if (ip.family === 4) {
    const value = Number(ip.value);
    return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
  }
  // Arithmetic of big numbers is slow: four pieces of them, and the rest is done with small ones.
  return IPV6_WORDS.flatMap((shift) => {
    const word = Number(BigInt.asUintN(32, ip.value >> shift));
    return [word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff];
  });
}

function fromBytes(family: Family, bytes: readonly number[]): Ip {
  return { family, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) };
}

function reason(text: string): string {
  if (text.includes("%")) return "zone ids have no meaning in OVN";
  if (/\/[0-9]+$/.test(text)) return "it has a prefix length; expected an address without one";
  if (text.includes(":")) {
    if (text.includes(".")) return "write IPv6 in hexadecimal, and an IPv4-mapped address as IPv4";
    if (HEXADECIMAL.test(text) && ipaddr.IPv6.isValid(text)) return "write an IPv4-mapped address as IPv4";
    return "expected up to eight groups of hexadecimal digits, such as 2001:db8::1";
  }
  if (/^[0-9.]+$/.test(text) && /(?:^|\.)0[0-9]/.test(text)) return "leading zeros mean octal numbers to some programs";
  return "expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6";
}
