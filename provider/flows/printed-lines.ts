import type { FlowText } from "./flow-text";
import type { FlowWords } from "./words";

/**
 * Names of fields in the order in which Open vSwitch prints them (lib/match.c, match_format); registers come where `reg` is, by
 * their numbers. Only time is lost where a release has another order.
 */
const ORDER = ["ct_state=", "ip", "ipv6", "arp", "icmp", "icmp6", "tcp", "tcp6", "udp", "udp6", "sctp", "sctp6", "reg", "in_port=", "dl_src=", "dl_dst=", "nw_src=", "nw_dst=", "ipv6_src=", "ipv6_dst=", "nw_ttl=", "tp_src=", "tp_dst="];

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
  let places: readonly number[] = [];
  return (match) => {
    const fields = match.split(",");
    if (fields.length !== names.length || !names.every((name, index) => isOf(name, fields[index]))) {
      names = fields.map(nameOf);
      places = [...names.keys()].sort((one, other) => rankOf(names[one]!) - rankOf(names[other]!));
    }
    let text = fields[places[0]!]!;
    for (let index = 1; index < places.length; index++) text += `,${fields[places[index]!]!}`;
    return text;
  };
}

/** Flows as `ovs-ofctl --no-stats dump-flows` prints them, if they are on the switch as they are wanted. */
function printedLines(words: readonly FlowWords[], texts: readonly FlowText[], cookie: string): string[] {
  const ordered = orderer();
  return words.map(({ rule, actions }, place) => {
    const flow = texts[place]!;
    // Table and priority are as long in both.
    const match = rule.slice(flow.rule.length - flow.match.length);
    const [table, priority] = [flow.table === "0" ? "" : `table=${flow.table}, `, flow.priority === "32768" ? "" : `priority=${flow.priority}`];
    const fields = flow.match === "" ? priority : priority === "" ? ordered(match) : `${priority},${ordered(match)}`;
    return `${printedCookie(cookie)}${table}${fields}${fields === "" ? "" : " "}actions=${actions}`;
  });
}

const printedCookie = (cookie: string): string => ` cookie=${cookie}, `;

/** What is left of a comparison of texts. */
export interface Unlike {
  /** Places of flows that the dump has not in the words that are expected. */
  readonly places: readonly number[];
  /** The other lines of the dump. */
  readonly rest: string;
}

/**
 * Pure. Flows and lines of a dump without those that are there in the very words in which the switch is expected to print them:
 * nothing more has to be known of them.
 *
 * @param words the flows as a switch has them
 * @param texts the same, as their texts say them
 */
export function unlike(words: readonly FlowWords[], texts: readonly FlowText[], cookie: string, dump: string): Unlike {
  const printed = printedLines(words, texts, cookie);
  const begin = printedCookie(cookie).length;
  // Numbers are found faster than texts; of two flows with one number the first is among what is left.
  const places = new Map<number, number>();
  for (let place = 0; place < printed.length; place++) places.set(checksum(printed[place]!, begin), place);
  const found = new Uint8Array(words.length);
  const rest: string[] = [];
  for (const line of dump.split("\n")) {
    const place = places.get(checksum(line, begin));
    if (place !== undefined && printed[place] === line) found[place] = 1;
    else rest.push(line);
  }
  return { places: [...words.keys()].filter((place) => found[place] === 0), rest: rest.join("\n") };
}

const [SPACE, C] = [" ".charCodeAt(0), "c".charCodeAt(0)];

/** Of what stands before the actions, which tells flows apart. */
function checksum(line: string, begin: number): number {
  let sum = 0;
  for (let index = begin; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === SPACE && line.charCodeAt(index + 2) === C) break;
    sum = (Math.imul(sum, 31) + code) | 0;
  }
  return sum;
}
