import { z } from "zod";
import { flowCookie } from "../../flows/set/cookie";
import { isOneLine } from "../../flows/set/text";
import type { RowSet } from "../../rows/set";
import { HostStateError } from "../errors";
import type { HostRendered } from "../kind";

/** Folder on a host for the files of its agent, unless the file of targets names another one. */
export const KEPT_FOLDER = "/var/lib/pulumi-ovn";

/** The last update of a resource on its host, for the host's agent. */
export interface KeptUpdate {
  readonly owner: string;
  /** As on the resource's bridges; see `sequence.ts`. */
  readonly sequence: number;
  readonly succeeds: string;
  /** Rows and flows of the update, as if every tunnel had worked. */
  readonly desired: Pick<HostRendered, "rows" | "flows" | "fallback">;
  /** Reason of a fallback that does not depend on this host. */
  readonly held?: string | undefined;
}

/** Release of the format. An agent reads only its own. */
const VERSION = 1;

/** Name of a resource's file: its cookie, which flows show, too. */
export const keptName = (owner: string): string => `${flowCookie(owner).slice(2)}.json`;

/** Whether a file of the folder holds an update. */
export const isKeptName = (name: string): boolean => /^[0-9a-f]+\.json$/.test(name);

/** Pure. Text of the file: one line. The fallback has only bridges with other flows. */
export function keptText(owner: string, rendered: HostRendered, { sequence, succeeds }: Pick<KeptUpdate, "sequence" | "succeeds">): string {
  const { desired: { rows, flows, fallback } = rendered, held } = rendered.agent ?? {};
  return `${JSON.stringify({
    version: VERSION,
    owner,
    sequence,
    succeeds,
    held,
    rows: rows.rows,
    flows: flows.bridges,
    fallback: fallback && {
      ...fallback,
      flows: fallback.flows.bridges.filter((list, index) => JSON.stringify(list) !== JSON.stringify(flows.bridges[index])),
    },
  })}\n`;
}

/** Names go into commands of ovs-ofctl(8), which takes other texts for options or for addresses of other switches. */
const bridge = z.string().regex(/^[A-Za-z0-9_.+@][A-Za-z0-9_.+@-]{0,14}$/);
const lists = z.array(z.strictObject({ bridge, flows: z.array(z.string().refine(isOneLine)), fragments: z.literal("nx-match").optional() }));

const texts = z.record(z.string(), z.string());
const atom = z.union([z.string(), z.number(), z.boolean()]);
const reference = z.union([z.strictObject({ table: z.string(), key: z.string() }), z.strictObject({ uuid: z.string() }), z.strictObject({ name: z.string() })]);
const value = z.union([atom, reference]);
const column = z.union([value, z.null(), z.array(value), z.strictObject({ map: z.record(z.string(), value) })]);
const row = z.strictObject({
  table: z.enum(["Bridge", "Port", "Interface"]),
  key: z.string(),
  columns: z.record(z.string(), column),
  parent: z.strictObject({ table: z.string(), row: reference, column: z.string() }).optional(),
  claims: z.array(z.looseObject({ table: z.string(), column: z.string(), value: z.string() })).optional(),
  marks: texts.optional(),
  carries: z.strictObject({ table: z.string(), key: z.string(), value: z.string() }).optional(),
});

const file = z.strictObject({
  version: z.literal(VERSION),
  owner: z.string(),
  sequence: z.int().nonnegative(),
  succeeds: z.string(),
  held: z.string().optional(),
  rows: z.array(row),
  flows: lists,
  fallback: z.strictObject({ interfaces: z.array(z.string()), path: z.string(), what: z.string(), flows: lists }).optional(),
});

/** Pure. Throws a HostStateError for a text of another release, and for one that is damaged. */
export function keptIn(text: string, name: string): KeptUpdate {
  const wrong = (why: string) => new HostStateError("OVN_AGENT_FILE", `${name}: ${why}; the next "pulumi up --refresh" writes it again`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong("the file is damaged");
  }
  const { success, data } = file.safeParse(value);
  if (!success) throw wrong((value as { version?: unknown } | null)?.version === VERSION ? "the file is damaged" : "the file is of another release");
  const { owner, sequence, succeeds, held, rows, flows, fallback } = data;
  if (name !== keptName(owner)) throw wrong(`the file is of another resource, ${owner}`);
  const other = new Map(fallback?.flows.map((list) => [list.bridge, list]));
  return {
    owner,
    sequence,
    succeeds,
    held,
    desired: {
      rows: { database: "Open_vSwitch", rows: rows as unknown as RowSet["rows"] },
      flows: { bridges: flows },
      ...(fallback && { fallback: { ...fallback, flows: { bridges: flows.map((list) => other.get(list.bridge) ?? list) } } }),
    },
  };
}
