import type { Connections } from "@pulumi-ovn/provider/targets";
import type { StackState } from "../stack/stack-state";

/** Value of a table, and whether it is an error. */
interface Row {
  readonly cells: readonly string[];
  readonly error: boolean;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** A sentence under the table. */
  readonly note?: string;
}

/** Display options of a status. */
export interface Shown {
  /** Also show working parts, even if there are many. */
  readonly all: boolean;
}

/** Addresses at which a status asks agents. */
export interface Look {
  /** Address of the BGP agents, from the view of their hosts. */
  readonly agent: { readonly host: string; readonly port: number };
  /** Address of `/healthz` of the VPC agents. */
  readonly vpcAgent: { readonly host: string; readonly port: number };
}

/**
 * One subject of `pulumi-ovn status`, such as VPCs. Another subject is another section in `sections.ts`, and nothing else.
 */
export interface Section<Facts> {
  /** Its field in the JSON output. */
  readonly name: string;
  /** Reads live hosts. Returns plain JSON, as `--json` prints it. Unreachable parts are facts, not errors. Undefined if the stack has no part. */
  readonly observe: (state: StackState, targets: Connections, look: Look) => Promise<Facts | undefined>;
  readonly tables: (facts: Facts, shown: Shown) => Table[];
  /** Number of errors, from which the exit code derives. */
  readonly problems: (facts: Facts) => number;
}

/** Result of a section. */
export interface Seen {
  readonly name: string;
  readonly facts: unknown;
  readonly problems: number;
  readonly tables: (shown: Shown) => Table[];
}

/** Result of a section, independent of the type of its facts. */
export async function seenBy<Facts>(section: Section<Facts>, state: StackState, targets: Connections, look: Look): Promise<Seen | undefined> {
  const facts = await section.observe(state, targets, look);
  return facts === undefined ? undefined : { name: section.name, facts, problems: section.problems(facts), tables: (shown) => section.tables(facts, shown) };
}
