/** Names of protocols that a switch itself uses, as a part of a regular expression. */
export const PROTOCOL = "ip|ipv6|arp|icmp|icmp6|tcp|tcp6|udp|udp6|sctp|sctp6";

/** All that ovs-ofctl takes. */
export const ANY_PROTOCOL = `${PROTOCOL}|ip4|ipv4|ip6|rarp|mplsm?`;

/** Those that say what is in an IP packet, too. */
const TRANSPORT = /^(?:icmp|tcp|udp|sctp)6?$/;

const NAMES_PROTOCOL = new RegExp(`^(?:${ANY_PROTOCOL}|(?:dl|eth)_type|(?:nw|ip)_proto)$`);

/** Whether a name in a match selects a protocol. */
export const namesProtocol = (name: string): boolean => NAMES_PROTOCOL.test(name);

/** Bits of a field from the lowest to the highest that a name covers. */
export interface Bits {
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

/** Other names of fields (ovs-fields(7)), and fields of other protocols that Open vSwitch keeps at the same position. */
const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^(?:${ANY_PROTOCOL}|eth_type)$`), "dl_type"],
  [/^eth_(src|dst)$/, "dl_$1"],
  [/^ip_(src|dst|proto|ecn|frag)$/, "nw_$1"],
  [/^ip_dscp$/, "nw_tos"],
  [/^arp_op$/, "nw_proto"],
  [/^arp_spa$/, "nw_src"],
  [/^arp_tpa$/, "nw_dst"],
  [/^nd_sll$/, "arp_sha"],
  [/^nd_tll$/, "arp_tha"],
  [/^(?:(?:tcp|udp|sctp)_src|icmp(?:v6)?_type)$/, "tp_src"],
  [/^(?:(?:tcp|udp|sctp)_dst|icmp(?:v6)?_code)$/, "tp_dst"],
  [/^tunnel_id$/, "tun_id"],
  [/^in_port_oxm$/, "in_port"],
  [/^eth$/, "packet_type"],
];

/** Parts of the tag of a VLAN: their lowest bits, and how many they have. */
const TAG: Readonly<Record<string, readonly [number, number]>> = {
  vlan_tci: [0, 16],
  dl_vlan: [0, 12],
  vlan_vid: [0, 12],
  dl_vlan_pcp: [13, 3],
  vlan_pcp: [13, 3],
};

/** Whether a field matches packets without a tag, or does not say that there is one: then the priority of a VLAN contradicts it. */
function saysNoTag(name: string, value: string): boolean {
  if (name === "dl_vlan") return numberOf(value) === NO_VLAN;
  return name === "vlan_vid" && (numberOf(value) & PRESENT) === 0;
}

/** `dl_vlan` of a packet without tag, and the bit by which `vlan_vid` has one (ovs-fields(7), "VLAN Fields"). */
const [NO_VLAN, PRESENT] = [0xffff, 0x1000];

/** Decimal, 0x and hexadecimal, or 0 and octal digits, as strtoull(3) reads them; a mask may follow. */
const numberOf = (text: string): number => Number(text.replace(/\/.*/, "").replace(/^0(?=\d)/, "0o"));

/** `reg0`, `reg0[4]`, `reg0[0..3]`, `NXM_NX_REG0[]` */
const NAME = /^(\w+)(?:\[(?:(\d+)(?:\.\.(\d+))?)?\])?$/;

const REGISTER = /^(?:NXM_NX_)?(x{0,2})reg(\d+)$/i;

/** Pure. Bits that a field of a match covers. */
export function bitsOf(text: string, value = ""): Bits[] {
  const [, name = text, from, to = from] = NAME.exec(text) ?? [];
  const [field, lowest, count] = saysNoTag(name, value) ? (["vlan_tci", ...TAG["vlan_tci"]!] as const) : bitRange(name);
  const bits = { field, from: lowest + Number(from ?? 0), to: to === undefined ? lowest + count - 1 : lowest + Number(to) };
  return TRANSPORT.test(name) ? [bits, { ...bits, field: "nw_proto" }] : [bits];
}

/** The field that has all bits of another, the lowest one there, and how many it has. */
function bitRange(name: string): readonly [string, number, number] {
  const tag = Object.hasOwn(TAG, name) ? TAG[name] : undefined;
  if (tag) return ["vlan_tci", ...tag];
  const [, wide, register] = REGISTER.exec(name) ?? [];
  if (register === undefined) return [OTHER_NAMES.reduce((text, [other, usual]) => text.replace(other, usual), name), 0, Infinity];
  // `xxreg0` is `xreg0` and `xreg1`, and `xreg0` is `reg0` and `reg1`: the first one has the higher bits.
  const each = 4 >> wide!.length;
  const count = 128 / each;
  return [`xxreg${Math.floor(Number(register) / each)}`, (each - 1 - (Number(register) % each)) * count, count];
}
