import type { PrintedFlow } from "./difference";

/** Numbers instead of port names: above those of ports, below those that OpenFlow reserves (0xff00). */
const FIRST = 60_000;

/** Positions of ports in ovs-ofctl's output: match fields, and actions with one or several ports. */
const PORT =
  /((?:^|[^\w.])(?:in_port=|actset_output=|output:|output\(port=|resubmit:|resubmit\(|enqueue:|sampling_port=))(\w[\w-]*|"(?:[^"\\]|\\.)*")|((?:members|slaves):)([^)]*)|(set_field:)(\w[\w-]*|"[^"]*")(?=->in_port)/g;

const NAME = /"(?:[^"\\]|\\.)*"|[\w.-]+/g;

/** Ports that OpenFlow reserves, and registers that contain a port. */
const RESERVED = new Set(["IN_PORT", "TABLE", "NORMAL", "FLOOD", "ALL", "CONTROLLER", "LOCAL", "ANY", "NONE", "UNSET"]);

/**
 * Pure. Replaces port names in printed flows by numbers, equal for equal names: `ovs-ofctl parse-flows` does not know names. The numbers are
 * only for comparison.
 */
export class PortNumbers {
  readonly #numbers = new Map<string, number>();

  in(text: string): string {
    return text.replace(
      PORT,
      (_all, before: string | undefined, port: string, list: string | undefined, ports: string, field: string | undefined, value: string) => {
        if (before !== undefined) return before + this.#number(port);
        if (list !== undefined) return list + ports.replace(NAME, (name) => this.#number(name));
        return field! + this.#number(value);
      },
    );
  }

  #number(name: string): string {
    if (/^\d+$/.test(name) || /^(?:NXM|OXM|reg|xreg|xxreg)/i.test(name) || RESERVED.has(name)) return name;
    const known = this.#numbers.get(name) ?? FIRST + this.#numbers.size;
    this.#numbers.set(name, known);
    return String(known);
  }
}

/** A flow as it returns from a switch. */
export interface Canonical {
  readonly rule: string;
  readonly actions: string;
}

const MODIFICATION = /^OFPT_FLOW_MOD.*?: ADD (?:table:(\S+) )?(.*?) ?cookie:0x[0-9a-f]+(?: .*?)? actions=(.*)$/;

/** Reads what `ovs-ofctl parse-flows` prints: one line for each flow, in their order. */
export function canonicalOf(stdout: string): Canonical[] {
  return stdout.split("\n").flatMap((line): Canonical[] => {
    const [, table, match, actions] = MODIFICATION.exec(line) ?? [];
    return match === undefined ? [] : [{ rule: [table === undefined ? "" : `table=${table}`, match].filter(Boolean).join(" "), actions: actions! }];
  });
}

/** Flows for `ovs-ofctl parse-flows`, with a cookie, so that their lines have one form. */
export function forParsing(flows: readonly PrintedFlow[], numbers: PortNumbers): string[] {
  return flows.map(({ rule, actions }) => [numbers.in(rule), "cookie=0x1", `actions=${numbers.in(actions)}`].filter(Boolean).join(" "));
}
