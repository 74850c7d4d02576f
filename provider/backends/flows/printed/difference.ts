import type { FlowText } from "../set/text";

/** A flow as ovs-ofctl prints it. */
export interface PrintedFlow {
  /** Table, priority and match, in the switch's words; equal for flows that OpenFlow takes for one. */
  readonly rule: string;
  /** `0x0` for a flow without. */
  readonly cookie: string;
  /** Timeouts and flags; mostly empty. */
  readonly extra: string;
  readonly actions: string;
}

/** Two lists of flows that differ. */
export interface Difference {
  /** Flows of the switch that differ from the wanted ones, of any cookie. */
  readonly live: readonly PrintedFlow[];
  readonly wanted: readonly PrintedFlow[];
}

/** `-table=7 priority=5,ip cookie=0xfff actions=drop`; a rule may be empty, and a port's name in quotes may have spaces. */
const LINE = /^([+-])((?:table=\S+ )?(?:"[^"]*"|[^\s"])*) *(?: cookie=(0x[0-9a-f]+))?((?: [a-z_]+(?:=\S+)?)*) actions=(.*)$/;

/** Reads what `ovs-ofctl diff-flows SWITCH FILE` prints. */
export function differenceOf(stdout: string): Difference {
  const live: PrintedFlow[] = [];
  const wanted: PrintedFlow[] = [];
  for (const line of stdout.split("\n")) {
    const [, sign, rule, cookie = "0x0", extra, actions] = LINE.exec(line) ?? [];
    if (sign === undefined) continue;
    (sign === "-" ? live : wanted).push({ rule: rule!.trim(), cookie, extra: extra!.trim(), actions: actions! });
  }
  return { live, wanted };
}

/** A flow of the program, as if it were printed in the program's words. */
export function asPrinted({ table, priority, match, actions }: FlowText): PrintedFlow {
  return { rule: [`table=${table}`, `priority=${priority}`, match].filter(Boolean).join(","), cookie: "", extra: "", actions };
}

/** A flow in the syntax that ovs-ofctl reads. */
export function writtenFlow({ rule, extra, actions }: PrintedFlow, cookie: string): string {
  return [rule, `cookie=${cookie}`, extra, `actions=${actions}`].filter(Boolean).join(" ");
}
