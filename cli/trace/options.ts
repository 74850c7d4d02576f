import { formatIp, parseIp, requireUse } from "@pulumi-ovn/provider";
import { CommandError, JSON_OPTION, options, type Options } from "../command";
import { liveOptions, liveOptionsOf, type LiveOptions } from "../stack/live-stack";

export const known = {
  from: { value: "NAME", help: "a workload, by its name in the stack" },
  to: { value: "ADDRESS", help: "an IPv4 or IPv6 address" },
  protocol: {
    value: "P",
    help: "tcp, udp, sctp, icmp, icmpv6, or an IP protocol number, 0 to 255; default: an echo request",
    completes: ["tcp", "udp", "sctp", "icmp", "icmpv6"],
  },
  port: { value: "N", help: "destination port, with tcp, udp and sctp: 1 to 65535" },
  vpc: { value: "NAME", help: "the VPC; default: the one that has the workload" },
  json: JSON_OPTION,
  ...liveOptions,
} as const satisfies Options;

export interface TraceOptions extends LiveOptions {
  readonly from: string;
  /** As it is written canonically. */
  readonly to: string;
  readonly family: 4 | 6;
  readonly protocol: string;
  readonly port: number | undefined;
  readonly vpc: string | undefined;
  readonly json: boolean;
}

const WITH_PORTS: ReadonlySet<string> = new Set(["tcp", "udp", "sctp"]);
const ICMP = { 4: "icmp", 6: "icmpv6" } as const;

export function readOptions(args: readonly string[]): TraceOptions {
  const { from, to, protocol, port, vpc, json, ...live } = options(args, known);
  if (from === undefined || to === undefined) throw refuse("--from WORKLOAD and --to ADDRESS are required");
  const { family, text: address } = addressOf(to);
  const chosen = protocolOf(protocol ?? ICMP[family], family);
  if (WITH_PORTS.has(chosen) && port === undefined) throw refuse(`--port is required with ${chosen}`);
  if (!WITH_PORTS.has(chosen) && port !== undefined) throw refuse(`--port is for tcp, udp and sctp; pass --protocol`);
  return { ...liveOptionsOf(live), from, to: address, family, protocol: chosen, port: port === undefined ? undefined : portOf(port), vpc, json };
}

function addressOf(to: string): { family: 4 | 6; text: string } {
  try {
    // Nothing else is a router's to forward.
    const ip = requireUse(parseIp(to), "host");
    return { family: ip.family, text: formatIp(ip) };
  } catch (error) {
    throw refuse(`--to ${JSON.stringify(to)}: ${(error as Error).message}`);
  }
}

function protocolOf(text: string, family: 4 | 6): string {
  if ((text === "icmp" || text === "icmpv6") && text !== ICMP[family]) throw refuse(`--protocol ${text}: of IPv${family} it is ${ICMP[family]}`);
  if (WITH_PORTS.has(text) || text === ICMP[family] || (/^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255)) return text;
  throw refuse(`--protocol ${JSON.stringify(text)}: expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255`);
}

function portOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw refuse(`--port ${JSON.stringify(text)}: expected a number from 1 to 65535`);
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_USAGE", message);
}
