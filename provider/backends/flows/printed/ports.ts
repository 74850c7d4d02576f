import { memo } from "../../../kit/memo/memo";

/** `ovs-ofctl dump-ports-desc` of one port; other names than these are in no flow of the usual forms. */
const PORT = /^ (\d+|LOCAL)\(([A-Za-z\d]+)\): addr:/gm;

/** A word of it that begins a port, with its number and its name up to a space; a script finds the same ones. */
const WORD = /^[\dL].*\(/;
export const PORT_WORD = '[0-9L]*"("*';

/** Positions of ports in flows of usual forms. */
const NAMED = /(?<=(?:^|[ ,])in_port=|output:)[A-Za-z\d]+/g;
const NUMBERED = /(?<=[ ,]in_port=|output:)\d+/g;

/**
 * Numbers of a bridge's ports. ovs-ofctl would ask the switch for the names of ports and of tables whenever it reads or prints
 * flows with names, and a switch answers the second question with a description of all its tables.
 */
export class Ports {
  readonly #numbers: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param ports numbers by name
   * @param listing text of all ports with numbers, from `dump-ports-desc`; another text means other ports
   */
  constructor(
    ports: readonly (readonly [name: string, number: string])[],
    readonly listing: string,
  ) {
    this.#numbers = new Map(ports);
    this.#names = new Map(ports.map(([name, number]) => [number, name]));
  }

  /** A flow of the usual forms with numbers for the names of ports; a name that no port has stays. */
  numbered(flow: string): string {
    return flow.replace(NAMED, (name) => this.#numbers.get(name) ?? name);
  }

  /** Whether each of its ports has a number. */
  knows(flow: string): boolean {
    return flow.match(NAMED)?.every((name) => this.#numbers.has(name)) ?? true;
  }

  /** A line of a dump as `ovs-ofctl --names` prints it, if it is of the usual forms. */
  named(line: string): string {
    return line.replace(NUMBERED, (number) => this.#names.get(number) ?? number);
  }
}

/** Number of remembered bridges with long lists. */
const BRIDGES = 8;

/** The same object for the same ports, by which lists are remembered. */
const known = memo(BRIDGES, (text) => new Ports(...(JSON.parse(text) as [[string, string][], string])));

/** Pure. Reads what `ovs-ofctl dump-ports-desc` prints. OpenFlow cuts names, and ovs-ofctl takes none that two ports have. */
export function portsOf(stdout: string): Ports {
  const ports = [...stdout.matchAll(PORT)].map(([, number, name]) => [name!, number!] as const);
  const count = Map.groupBy(ports, ([name]) => name);
  const listing = stdout.split(/[ \t\n]+/).filter((word) => WORD.test(word));
  return known(JSON.stringify([ports.filter(([name]) => count.get(name)!.length === 1), listing.map((word) => ` ${word}`).join("")]));
}
