/** An IPv4 packet, and what a switch knows of it. */
export interface Packet {
  readonly src: string;
  readonly dst: string;
  readonly protocol: number;
  readonly port: number;
  /** A fragment after the first. */
  readonly later?: boolean;
  readonly in_port?: string;
  readonly reg0?: number;
}

interface Flow {
  readonly table: number;
  readonly priority: number;
  readonly match: readonly string[];
  readonly actions: string;
}

const PROTOCOLS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1 };

/** Enough of OpenFlow to judge flows of IPv4 packets and their later fragments. */
export class FlowTables {
  readonly #flows: readonly Flow[];

  constructor(texts: readonly string[]) {
    this.#flows = texts.map((text) => {
      const [head, actions] = text.split(",actions=") as [string, string];
      const [table, priority, ...match] = head.split(",");
      return { table: Number(table!.slice(6)), priority: Number(priority!.slice(9)), match, actions };
    });
  }

  /** Actions of the table's flow of the highest priority that matches; undefined where none does. Throws where two of them say different things. */
  decide(table: number, packet: Packet): string | undefined {
    const hits = this.#flows.filter((flow) => flow.table === table && flow.match.every((field) => matches(field, packet)));
    const highest = Math.max(...hits.map(({ priority }) => priority));
    const verdicts = new Set(hits.filter(({ priority }) => priority === highest).map(({ actions }) => actions));
    if (verdicts.size > 1) throw new Error(`table ${table}: ${[...verdicts].join(" and ")} at priority ${highest}`);
    return [...verdicts][0];
  }
}

function matches(text: string, { src, dst, protocol, port, later = false, in_port, reg0 }: Packet): boolean {
  const [field, value = ""] = text.split("=") as [string, string?];
  const known = PROTOCOLS[field];
  if (known !== undefined) return protocol === known;
  switch (field) {
    case "ip":
      return true;
    case "ipv6":
    case "tcp6":
    case "udp6":
    case "icmp6":
      return false;
    case "in_port":
      return in_port === value;
    case "reg0":
      return reg0 === Number(value);
    case "nw_proto":
      return protocol === Number(value);
    case "nw_src":
      return within(src, value);
    case "nw_dst":
      return within(dst, value);
    case "nw_frag":
      return later === (value === "later");
    case "tp_dst": {
      const [wanted, mask = 0xffff] = value.split("/").map(Number) as [number, number?];
      return (protocol === 6 || protocol === 17) && (port & mask) === wanted;
    }
    default:
      throw new Error(`field ${text} is not known`);
  }
}

function within(address: string, subnet: string): boolean {
  const [base, length = 32] = subnet.split("/") as [string, string?];
  const number = (text: string) => text.split(".").reduce((value, part) => value * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(length));
  return Math.floor(number(address) / size) === Math.floor(number(base) / size);
}
