import { parseIp, WIDTH } from "../../../kit/address/ip";
import { memo } from "../../../kit/memo/memo";
import { fieldsOf, nameOf } from "./fields";
import type { FlowText } from "./text";
import { type Bits, bitsOf } from "./match-fields";

/** Bits of a field that a packet must have, under a mask. */
interface Pattern {
  readonly value: bigint;
  readonly mask: bigint;
}

const [IPV4, IPV6] = [0x800, 0x86dd] as const;

/** Numbers of the protocols that have a name: of Ethernet, and of IP. */
const PROTOCOLS: Readonly<Record<string, readonly [number, number?]>> = {
  ip: [IPV4],
  ip4: [IPV4],
  ipv4: [IPV4],
  icmp: [IPV4, 1],
  tcp: [IPV4, 6],
  udp: [IPV4, 17],
  sctp: [IPV4, 132],
  ip6: [IPV6],
  ipv6: [IPV6],
  icmp6: [IPV6, 58],
  tcp6: [IPV6, 6],
  udp6: [IPV6, 17],
  sctp6: [IPV6, 132],
  arp: [0x806],
  rarp: [0x8035],
  mpls: [0x8847],
  mplsm: [0x8848],
};

/** Bits of fields with numeric values. A full mask equals no mask. */
const WIDTHS: readonly (readonly [number, RegExp])[] = [
  [2, /^nw_ecn$/],
  [3, /^mpls_tc$/],
  [8, /^(?:nw_(?:proto|ttl|tos)|mpls_ttl|ct_nw_proto)$/],
  [12, /^tcp_flags$/],
  [16, /^(?:dl_type|vlan_tci|tp_(?:src|dst)|arp_op|ct_zone|ct_tp_(?:src|dst))$/],
  [20, /^(?:ipv6_label|mpls_label)$/],
  [32, /^(?:ct_mark|ct_state|pkt_mark|conj_id|recirc_id|dp_hash)$/],
  [64, /^(?:tun_id|metadata)$/],
  [128, /^(?:xxreg\d+|ct_label)$/],
];

/** Flags by name, with their bits (ovs-fields(7)). */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  ct_state: ["new", "est", "rel", "rpl", "inv", "trk", "snat", "dnat"],
  tcp_flags: ["fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr", "ns"],
};

/** Bit of a tag that marks its presence. */
const PRESENT = 0x1000n;

const ones = (width: number): bigint => (1n << BigInt(width)) - 1n;

/**
 * Pure. Table, priority and match of a flow in one spelling: equal for two texts that are one flow in the switch. Values that only a switch can
 * read, such as port names, are compared as written.
 */
export function flowPosition({ table, priority, match }: Pick<FlowText, "table" | "priority" | "match">): string {
  const read = fieldsOf(match).flatMap(readField);
  const merged = new Set(read.map(({ field }) => field)).size < read.length ? mergedFields(read) : read;
  return [plainNumber(table), plainNumber(priority), ...merged.map(({ text }) => text).sort()].join();
}

interface ReadField {
  readonly field: string;
  readonly pattern: Pattern;
  /** Equal for equal bits. */
  readonly text: string;
}

/** Flows of a bridge have few different fields, each of them many times. */
const readField = memo(1000, (field): readonly ReadField[] => {
  const name = nameOf(field);
  if (Object.hasOwn(PROTOCOLS, name)) {
    const [type, protocol] = PROTOCOLS[name]!;
    return [asRead("dl_type", whole(BigInt(type), 16)), ...(protocol === undefined ? [] : [asRead("nw_proto", whole(BigInt(protocol), 8))])];
  }
  const value = field.slice(name.length + 1);
  const { bits, width } = bitFieldOf(name);
  const pattern = patternOf(name, value, bits, width);
  if (pattern !== undefined) return pattern.mask === 0n ? [] : [asRead(bits.field, pattern)];
  if (value === "*") return [];
  const text = `${bits.field}[${bits.from}..${bits.to}]=${value.replace(/^"([\w.-]+)"$/, "$1")}`;
  return [{ field: text, pattern: { value: 0n, mask: 0n }, text }];
});

const asRead = (field: string, pattern: Pattern): ReadField => ({
  field,
  pattern,
  text: `${field}=${pattern.value.toString(16)}/${pattern.mask.toString(16)}`,
});

/** Parts of one field, such as of a register, as one. */
function mergedFields(fields: readonly ReadField[]): ReadField[] {
  const merged = new Map<string, ReadField>();
  for (const part of fields) {
    const { field, pattern } = part;
    const known = merged.get(field)?.pattern;
    merged.set(field, known === undefined ? part : asRead(field, { value: known.value | pattern.value, mask: known.mask | pattern.mask }));
  }
  return [...merged.values()];
}

interface BitField {
  readonly bits: Bits;
  /** Undefined: not known. */
  readonly width: number | undefined;
}

/** Flows have few names, each of them many times. */
const bitFieldOf = memo(64, (name): BitField => {
  const bits = bitsOf(name)[0]!;
  const known = WIDTHS.find(([, names]) => names.test(bits.field))?.[0];
  return { bits, width: bits.to === Infinity ? known && known - bits.from : bits.to - bits.from + 1 };
});

/** Undefined for a value that is not known to be a number. */
function patternOf(name: string, text: string, { field, from }: Bits, width: number | undefined): Pattern | undefined {
  if (field === "vlan_tci" && name !== "vlan_tci") return tagPattern(name, text);
  const flags = Object.hasOwn(FLAGS, name) && /^[+-]/.test(text) ? flagPattern(FLAGS[name]!, text) : undefined;
  const pattern = flags ?? addressPattern(text) ?? numberPattern(text, width);
  if (pattern === undefined) return undefined;
  // `ip_dscp` leaves out the two lowest bits, which `nw_tos` has.
  const shift = BigInt(name === "ip_dscp" ? 2 : from);
  const mask = field === "nw_tos" ? 0xfcn : pattern.mask << shift;
  // OpenFlow has a tag's priority only with a VLAN.
  if (field === "vlan_tci" && (pattern.value & 0x1fffn) === 0n) return { value: 0n, mask: mask & 0x1fffn };
  return { value: pattern.value << shift, mask };
}

/** `dl_vlan`, `vlan_vid` and the priorities are parts of one tag, with its bit of presence. */
function tagPattern(name: string, text: string): Pattern | undefined {
  const pattern = numberPattern(text, name === "vlan_vid" ? 13 : 16);
  if (pattern === undefined || name.includes("[")) return undefined;
  if (name.endsWith("_pcp")) return { value: ((pattern.value & 7n) << 13n) | PRESENT, mask: 0xf000n };
  if (name === "vlan_vid") return pattern;
  return pattern.value === 0xffffn ? { value: 0n, mask: 0x1fffn } : { value: pattern.value | PRESENT, mask: 0x1fffn };
}

function flagPattern(names: readonly string[], text: string): Pattern | undefined {
  let pattern: Pattern = { value: 0n, mask: 0n };
  for (const [, sign, name] of text.matchAll(/([+-])(\w+)/g)) {
    const at = names.indexOf(name!);
    if (at < 0) return undefined;
    const bit = 1n << BigInt(at);
    pattern = { value: pattern.value | (sign === "+" ? bit : 0n), mask: pattern.mask | bit };
  }
  return pattern;
}

const MAC = /^[\da-f]{1,2}(?::[\da-f]{1,2}){5}$/i;

function addressPattern(text: string): Pattern | undefined {
  if (!/[.:]/.test(text)) return undefined;
  const [address = "", mask] = text.split("/");
  const read = addressOf(address);
  if (read === undefined) return undefined;
  if (mask === undefined) return whole(read.value, read.width);
  const length = /^\d+$/.test(mask) ? Number(mask) : undefined;
  const bits = length === undefined ? addressOf(mask)?.value : ones(length) << BigInt(Math.max(read.width - length, 0));
  return bits === undefined ? undefined : { value: read.value & bits, mask: bits };
}

function addressOf(text: string): { readonly value: bigint; readonly width: number } | undefined {
  if (MAC.test(text)) {
    const digits = text.split(":").map((part) => part.padStart(2, "0"));
    return { value: BigInt(`0x${digits.join("")}`), width: 48 };
  }
  try {
    const { value, family } = parseIp(text);
    return { value, width: WIDTH[family] };
  } catch {
    return undefined;
  }
}

/** Decimal, hexadecimal or octal, with or without a mask. */
const NUMBER = /^(?:0x[\da-f]+|\d+)$/i;

function numberPattern(text: string, width: number | undefined): Pattern | undefined {
  const [value = "", mask] = text.split("/");
  if (width === undefined || !NUMBER.test(value) || (mask !== undefined && !NUMBER.test(mask))) return undefined;
  if (mask === undefined) return whole(numberOf(value), width);
  const bits = numberOf(mask) & ones(width);
  return { value: numberOf(value) & bits, mask: bits };
}

const whole = (value: bigint, width: number): Pattern => ({ value, mask: ones(width) });

function numberOf(text: string): bigint {
  const octal = /^0[0-7]+$/.test(text);
  return BigInt(octal ? `0o${text.slice(1)}` : text);
}

const plainNumber = (text: string): string => (NUMBER.test(text) ? String(numberOf(text)) : text);
