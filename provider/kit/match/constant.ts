type Format = "decimal" | "hexadecimal" | "IPv4" | "IPv6" | "Ethernet";

/** A number of a match expression: plain, or an address, perhaps with a mask. */
export interface Constant {
  readonly format: Format;
  readonly value: bigint;
  readonly mask?: bigint;
}

/** Why a text is not a constant. */
export interface NotConstant {
  readonly problem: string;
}

export const isConstant = (found: Constant | NotConstant): found is Constant => !("problem" in found);

const ADDRESS_WIDTHS: Readonly<Partial<Record<Format, number>>> = { IPv4: 32, IPv6: 128, Ethernet: 48 };

/** Bits of the largest number that fields hold. */
const MOST_BITS = 128;

/** In bits: that of the mask, or of the kind of address, or what the number needs. */
export function widthOf({ format, value, mask }: Constant): number {
  if (mask !== undefined) return bitLength(mask);
  return ADDRESS_WIDTHS[format] ?? bitLength(value);
}

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** Reads a number without its mask. */
export function readNumber(text: string): Constant | NotConstant {
  if (text === "") return { problem: "expected a number or an address" };
  const ethernet = readEthernet(text);
  if (ethernet !== undefined) return { format: "Ethernet", value: ethernet };
  if (/^[0-9]+$/.test(text)) return readDecimal(text);
  if (/^0[xX]/.test(text)) return readHexadecimal(text);
  const ipv4 = readIpv4(text);
  if (ipv4 !== undefined) return { format: "IPv4", value: ipv4 };
  const ipv6 = readIpv6(text);
  if (ipv6 !== undefined) return { format: "IPv6", value: ipv6 };
  return { problem: "expected a number, or an IPv4, IPv6 or Ethernet address" };
}

/** OVN takes groups of any length, as long as the whole has that of an address. */
function readEthernet(text: string): bigint | undefined {
  if (text.length !== 17 || !/^(?:0[xX])?[0-9a-fA-F]+(?::(?:0[xX])?[0-9a-fA-F]+){5}$/.test(text)) return undefined;
  return ofBytes(text.split(":").map((group) => Number(BigInt.asUintN(8, BigInt(`0x${group.replace(/^0[xX]/, "")}`)))));
}

function readDecimal(text: string): Constant | NotConstant {
  if (text.length > 1 && text.startsWith("0")) return { problem: "a decimal number has no leading zeros" };
  const value = text.length > 20 ? undefined : BigInt(text);
  return value === undefined || value >> 64n !== 0n ? { problem: "a decimal number is less than 2^64" } : { format: "decimal", value };
}

function readHexadecimal(text: string): Constant | NotConstant {
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]+$/.test(digits)) return { problem: "expected hexadecimal digits after 0x" };
  const significant = digits.replace(/^0+/, "");
  if (significant.length > MOST_BITS / 4) return { problem: `a hexadecimal number has at most ${MOST_BITS} bits` };
  return { format: "hexadecimal", value: BigInt(`0x${significant || "0"}`) };
}

const BYTE = /^(?:0|[1-9][0-9]{0,2})$/;

function readIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => BYTE.test(part) && Number(part) < 256) ? ofBytes(parts.map(Number)) : undefined;
}

/** As inet_pton(3) does: `parseIp` refuses forms that OVN takes, such as ::ffff:192.0.2.1. */
function readIpv6(text: string): bigint | undefined {
  const dotted = /:([0-9.]+)$/.exec(text)?.[1] ?? "";
  const ipv4 = dotted.includes(".") ? readIpv4(dotted) : undefined;
  if (ipv4 !== undefined) return readIpv6(`${text.slice(0, -dotted.length)}${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`);
  const sides = text.split("::").map((side) => (side === "" ? [] : side.split(":")));
  const [before = [], after = []] = sides;
  const missing = 8 - before.length - after.length;
  if (sides.length > 2 || (sides.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after];
  return groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) ? BigInt(`0x${groups.map((group) => group.padStart(4, "0")).join("")}`) : undefined;
}

const ofBytes = (bytes: readonly number[]): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** A constant with its mask: both of one format, an address with a prefix length, or `0/0xff`. */
export function masked({ format, value }: Constant, given: Constant): Constant | NotConstant {
  const mask = maskOf(format, value, given);
  if (mask === undefined) return { problem: `${article(format)} number can't have ${article(given.format)} mask: expected ${expectedMask(format)}` };
  return { format: format === "decimal" ? given.format : format, value: value & mask, mask };
}

function maskOf(format: Format, value: bigint, given: Constant): bigint | undefined {
  if (format === given.format) return given.value;
  if (given.format === "decimal" && (format === "IPv4" || format === "IPv6")) {
    const width = ADDRESS_WIDTHS[format]!;
    // OVN reads 32 bits of a prefix length.
    const length = Number(BigInt.asUintN(32, given.value));
    return length > width ? undefined : ((1n << BigInt(length)) - 1n) << BigInt(width - length);
  }
  return format === "decimal" && given.format === "hexadecimal" && value === 0n ? given.value : undefined;
}

const article = (format: Format): string => `${/^[IE]/.test(format) ? "an" : "a"} ${format}`;

function expectedMask(format: Format): string {
  if (format === "IPv4" || format === "IPv6") return `a prefix length of 0 to ${ADDRESS_WIDTHS[format]}, or ${article(format)} mask`;
  return `${article(format)} one`;
}
