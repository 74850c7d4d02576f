import { memo } from "../../../kit/memo/memo";
import { parseRule } from "../set/text";
import type { Ports } from "./ports";
import type { FlowWords } from "./words";

/**
 * Names of fields in the order in which Open vSwitch prints them (lib/match.c, match_format); registers come where `reg` is, by
 * their numbers. Only time is lost where a release has another order.
 */
const ORDER = [
  "ct_state=",
  "ip",
  "ipv6",
  "arp",
  "icmp",
  "icmp6",
  "tcp",
  "tcp6",
  "udp",
  "udp6",
  "sctp",
  "sctp6",
  "reg",
  "in_port=",
  "dl_src=",
  "dl_dst=",
  "nw_src=",
  "nw_dst=",
  "ipv6_src=",
  "ipv6_dst=",
  "nw_ttl=",
  "tp_src=",
  "tp_dst=",
];

const REGISTER = /^reg(\d+)=$/;

/** Less than the next one in `ORDER`: a switch has 16 registers. */
const rankOf = (name: string): number => {
  const [, register] = REGISTER.exec(name) ?? [];
  return register === undefined ? ORDER.indexOf(name) : ORDER.indexOf("reg") + Number(register) / 100;
};

/** `nw_dst=` of `nw_dst=10.0.0.0/24`, and `tcp` of `tcp`. */
const nameOf = (field: string): string => field.slice(0, field.indexOf("=") + 1) || field;

const isOf = (name: string, field: string | undefined): boolean => (name.endsWith("=") ? field!.startsWith(name) : field === name);

/** Puts the fields of one flow after the other into the order of print; most have fields of the same names as the one before. */
function orderer(): (match: string) => string {
  let names: readonly string[] = [];
  let order: readonly number[] = [];
  return (match) => {
    const fields = match.split(",");
    if (fields.length !== names.length || !names.every((name, index) => isOf(name, fields[index]))) {
      names = fields.map(nameOf);
      order = [...names.keys()].sort((one, other) => rankOf(names[one]!) - rankOf(names[other]!));
    }
    let text = fields[order[0]!]!;
    for (let index = 1; index < order.length; index++) text += `,${fields[order[index]!]!}`;
    return text;
  };
}

const ordered = orderer();

/** As `ovs-ofctl --no-stats --names dump-flows` prints a flow, if it is on the switch as it is wanted. */
function printedLine({ rule, actions }: FlowWords, cookie: string): string {
  const { table, priority, match } = parseRule(rule);
  const fields = [...(priority === "32768" ? [] : [`priority=${priority}`]), ...(match === "" ? [] : [ordered(match)])];
  // Joined, for a text that is put together otherwise is compared more slowly.
  return [
    ` cookie=${cookie}, `,
    ...(table === "0" ? [] : [`table=${table}, `]),
    fields.join(),
    ...(fields.length === 0 ? [] : [" "]),
    "actions=",
    actions,
  ].join("");
}

/** Cache of the last comparison for the next one. */
interface LastDump {
  /** A flow as a dump without names has it. */
  readonly lineOf: (words: FlowWords) => string;
  /** Positions of flows in the order of the dump: a switch mostly keeps it. */
  order: Int32Array;
}

const lastDumpOf = memo((ports: Ports) =>
  memo(1, (cookie): LastDump => ({ lineOf: memo((flow: FlowWords) => ports.numbered(printedLine(flow, cookie))), order: new Int32Array() })),
);

/** Consecutive unexpected lines before the search is given up. */
const ASTRAY = 16;

/** The position of the flow of each line, as far as they come in the order of before; -1 for others. */
function indexesInOrder(printed: readonly string[], lines: readonly string[], order: Int32Array): Int32Array {
  const indexes = new Int32Array(printed.length).fill(-1);
  let next = 0;
  let astray = 0;
  for (let at = 0; at < printed.length && astray < ASTRAY; at++) {
    // Lines may have been added or removed since.
    const end = Math.min(next + 2 * astray + 2, order.length);
    let here = next;
    while (here < end && lines[order[here]!] !== printed[at]) here++;
    if (here === end) astray++;
    else [indexes[at], next, astray] = [order[here]!, here + 1, 0];
  }
  return indexes;
}

/** Remaining differences of a text comparison. */
export interface Unlike {
  /** Positions of flows that the dump has not in the words that are expected. */
  readonly indexes: readonly number[];
  /** The other lines of the dump. */
  readonly rest: string;
}

/**
 * Pure. Flows and lines of a dump without those that are there in the very words in which the switch is expected to print them:
 * nothing more has to be known of them.
 *
 * @param words the flows as a switch has them
 * @param dump without names of ports
 */
export function unlike(words: readonly FlowWords[], cookie: string, dump: string, ports: Ports): Unlike {
  const last = lastDumpOf(ports)(cookie);
  const [lines, printed] = [words.map(last.lineOf), dump.split("\n")];
  const indexes = indexesInOrder(printed, lines, last.order);
  const isFound = new Uint8Array(lines.length);
  for (const index of indexes) if (index >= 0) isFound[index] = 1;
  const open = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) if (isFound[index] === 0) open.set(lines[index]!, index);
  const rest: string[] = [];
  for (let at = 0; at < printed.length; at++) {
    if (indexes[at]! >= 0) continue;
    const line = printed[at]!;
    const index = open.get(line);
    if (index === undefined) rest.push(ports.named(line));
    else indexes[at] = index;
    open.delete(line);
  }
  last.order = indexes.filter((index) => index >= 0);
  return { indexes: [...open.values()], rest: rest.join("\n") };
}
