import { hash } from "node:crypto";
import type { Step } from "../types";

/**
 * Flows of a zone by table of a datapath (see `tableKeyOf`). The flows of a table are a text, which takes less memory than objects: a line for
 * each priority and match, in one order, with a digest of these two, the hint or spaces, and the digest of each flow.
 */
export type FlowTables = ReadonlyMap<string, string>;

/** A flow of a table of a datapath. */
export interface TableFlow {
  readonly tableKey: string;
  readonly key: string;
  /** First eight digits of the UUID of the flow's Northbound row, or "". */
  readonly hint: string;
  /** Digest of all that decides what the flow does. */
  readonly digest: string;
}

const [KEY, HINT] = [12, 8];

/** Identifies a table of a datapath. */
export function tableKeyOf(datapath: string, pipeline: string, table: number): string {
  return `${datapath}\0${pipeline}\0${table}`;
}

/** Key of the ports and neighbours of all datapaths. If one of them changes, every path is traced again. */
export const EVERYWHERE = "";

/** Name of the datapath of a table. EVERYWHERE has itself. */
const datapathOf = (tableKey: string): string => tableKey.split("\0", 1)[0]!;

export const digestOf = (text: string): string => hash("sha1", text, "base64").slice(0, KEY);

export const matchKey = (priority: number, match: string): string => digestOf(`${priority} ${match}`);

/**
 * Pure.
 * @param like tables of an earlier time, whose texts are used again where they are equal
 */
export function flowTables(flows: Iterable<TableFlow>, like: FlowTables = new Map()): FlowTables {
  const tables = new Map<string, Map<string, { readonly hint: string; readonly digests: string[] }>>();
  for (const { tableKey, key, hint, digest } of flows) {
    const table = tables.get(tableKey) ?? new Map<string, { hint: string; digests: string[] }>();
    tables.set(tableKey, table);
    const known = table.get(key);
    // Flows can differ in their actions only.
    if (known === undefined) table.set(key, { hint, digests: [digest] });
    else known.digests.push(digest);
  }
  return new Map(
    [...tables].map(([tableKey, table]) => {
      const lines = [...table].map(([key, { hint, digests }]) => `\n${key}${hint.padEnd(HINT)}${digests.sort().join("")}`);
      const text = lines.sort().join("");
      return [tableKey, like.get(tableKey) === text ? like.get(tableKey)! : text];
    }),
  );
}

/** Contents of the tables about the flow of a step. */
export function flowFactsOf(
  tables: FlowTables,
  { datapath, pipeline, table, priority, match }: Pick<Step, "datapath" | "pipeline" | "table" | "priority" | "match">,
): Pick<Step, "hint" | "hasRivals"> {
  const flows = tables.get(tableKeyOf(datapath, pipeline, table)) ?? "";
  const key = `\n${matchKey(priority, match)}`;
  const line = flows.indexOf(key);
  if (line < 0) return { hint: undefined };
  const [start, end] = [line + key.length, flows.indexOf("\n", line + 1)];
  const hint = flows.slice(start, start + HINT).trimEnd() || undefined;
  const hasRivals = (end < 0 ? flows.length : end) - start > HINT + KEY;
  return { hint, ...(hasRivals && { hasRivals }) };
}

/**
 * Whether a packet that has made a step has passed one of these tables. It has passed all earlier tables of the pipeline: ovn-trace does not
 * print a table that only sends the packet to the next one.
 */
export function isMet({ datapath, pipeline, table }: Pick<Step, "datapath" | "pipeline" | "table">, tables: ReadonlySet<string> | undefined): boolean {
  if (tables === undefined || tables.size === 0) return false;
  for (let passed = 0; passed <= table; passed++) if (tables.has(tableKeyOf(datapath, pipeline, passed))) return true;
  return false;
}

/** Flows that northd adds and removes in a datapath. */
export interface Impact {
  readonly zone: string;
  readonly datapath: string;
  readonly added: number;
  readonly removed: number;
}

/** Pure. Changed tables of a zone, and the flows that change, by datapath. */
export function comparedFlows(
  zone: string,
  before: FlowTables,
  after: FlowTables,
): { readonly changed: ReadonlySet<string>; readonly impact: readonly Impact[] } {
  const changed = new Set<string>();
  const counts = new Map<string, { added: number; removed: number }>();
  for (const tableKey of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(tableKey) === after.get(tableKey)) continue;
    const [old, wanted] = [before, after].map((tables) => flowsIn(tables.get(tableKey) ?? "")) as [Set<string>, Set<string>];
    const [added, removed] = [missingFrom(old, wanted), missingFrom(wanted, old)];
    if (added + removed === 0) continue;
    changed.add(tableKey);
    if (tableKey === EVERYWHERE) continue;
    const datapath = datapathOf(tableKey);
    const count = counts.get(datapath) ?? { added: 0, removed: 0 };
    counts.set(datapath, { added: count.added + added, removed: count.removed + removed });
  }
  return { changed, impact: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([datapath, count]) => ({ zone, datapath, ...count })) };
}

/** The flows of a table without their hints. */
function flowsIn(table: string): Set<string> {
  const lines = table.split("\n").slice(1);
  return new Set(lines.map((line) => line.slice(0, KEY) + line.slice(KEY + HINT)));
}

/** Number of flows that others do not contain. */
function missingFrom(others: ReadonlySet<string>, flows: ReadonlySet<string>): number {
  return [...flows].filter((flow) => !others.has(flow)).length;
}
