import { type Condition, type Operation, OperationError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Failure } from "../../../kit/arguments/errors";
import type { Properties } from "../../contract/backend";
import { OWNER_KEY } from "../../../kit/identity";
import { rowsOf, select } from "../../../targets/select";
import type { RowSet } from "../../rows/set";
import { HostStateError } from "../errors";

/**
 * Which update of a resource a host has, in `external_ids` of each of the resource's bridges. It is written when all rows and
 * flows of the update are there, so an interrupted one leaves the number of the one before.
 */
const SEQUENCE_KEY = "pulumi-ovn:sequence";

/** Key with the revision of the state that the update began from. The next run uses it to recognize an update that no state has. */
const SUCCEEDS_KEY = "pulumi-ovn:succeeds";

/** The update that a host has of a resource. */
export interface Applied {
  readonly sequence: number;
  readonly succeeds: string;
  /** Numbers by the names of the bridges that have one: a restored database has other UUIDs. */
  readonly bridges: ReadonlyMap<string, number>;
}

/**
 * Bridges are found by their owner, because an update that this run knows nothing of may have had others; a host has few. The
 * highest number counts: a bridge that was made a moment ago, or by an interrupted update, has none.
 */
export async function appliedTo(client: OvsdbClient, urn: string): Promise<Applied> {
  const [result] = await client.transact([select("Bridge", [entry(OWNER_KEY, urn)], ["name", "external_ids"])]);
  const bridge = (await client.getSchema()).table("Bridge");
  const found = rowsOf(result).flatMap((row) => {
    const { name, external_ids } = bridge.decodeRow(row);
    const ids = external_ids as ReadonlyMap<string, string>;
    const sequence = Number(ids.get(SEQUENCE_KEY) ?? 0);
    return sequence > 0 ? [{ name: name as string, sequence, succeeds: ids.get(SUCCEEDS_KEY) ?? "" }] : [];
  });
  const { sequence, succeeds } = found.reduce((a, b) => (b.sequence > a.sequence ? b : a), { sequence: 0, succeeds: "" });
  return { sequence, succeeds, bridges: new Map(found.map((row) => [row.name, row.sequence])) };
}

/** Numbers to write after an update. */
export interface Next {
  readonly sequence: number;
  readonly succeeds: string;
  readonly warnings: readonly Failure[];
}

/**
 * Pure. The number after those of the host and of the state. Throws where the host has a later update than the state knows
 * of: the state is older than the host, and what would be written too.
 *
 * @param state what the stack keeps of the resource; undefined for one that it does not know
 */
export function nextUpdate(applied: Applied, state: Properties | undefined): Next {
  // A resource that the state does not know continues from what is there: its state was lost, or its create was interrupted.
  if (state === undefined) return { sequence: applied.sequence + 1, succeeds: "", warnings: [] };
  const known = typeof state["sequence"] === "number" ? state["sequence"] : 0;
  const succeeds = String(state["revision"] ?? "");
  const next = { sequence: Math.max(applied.sequence, known) + 1, succeeds };
  if (applied.sequence <= known) return { ...next, warnings: [] };
  const ahead = `the host has update ${applied.sequence} of this resource, the state knows of ${known}`;
  if (applied.succeeds !== succeeds) {
    throw new HostStateError(
      "OVN_SEQUENCE",
      `${ahead}: the state is an older copy, or another run writes to the host; nothing is changed. If this stack is the right one, run "pulumi refresh", look at the preview, and update again`,
    );
  }
  const message = `${ahead}: the run that wrote it ended before its state was saved, or the state is the copy before it; update ${next.sequence} is written over it`;
  return { ...next, warnings: [{ path: "", code: "OVN_WARN_SEQUENCE", message }] };
}

/** Writes the number on the bridges of these rows, if they have those that were read: another run would have written others. */
export async function keepUpdate(client: OvsdbClient, urn: string, { rows }: RowSet, applied: Applied, { sequence, succeeds }: Next): Promise<void> {
  const bridges = rows.flatMap(({ table, columns }) => (table === "Bridge" ? [columns["name"] as string] : []));
  const guards = bridges.flatMap((name) => (applied.bridges.has(name) ? [guardOf(name, applied.bridges.get(name)!)] : []));
  const marks = bridges.map((name) => markOf(name, urn, { sequence, succeeds }));
  try {
    await client.transact([...guards, ...marks]);
  } catch (error) {
    if (!(error instanceof OperationError) || error.error !== "timed out") throw error;
    throw new HostStateError(
      "OVN_SEQUENCE",
      'another run has written this resource to the host while this one did, and what is there may be of both; end the other one, run "pulumi refresh", and update again',
    );
  }
}

const entry = (key: string, value: string): Condition => ["external_ids", "includes", ["map", [[key, value]]]];

/** Fails the transaction if the bridge has another number. */
function guardOf(name: string, sequence: number): Operation {
  const where = [["name", "==", name] as const, entry(SEQUENCE_KEY, String(sequence))];
  return { op: "wait", table: "Bridge", where, columns: ["name"], until: "==", rows: [{ name }], timeout: 0 };
}

function markOf(name: string, urn: string, { sequence, succeeds }: Pick<Next, "sequence" | "succeeds">): Operation {
  const numbers = [
    [SEQUENCE_KEY, String(sequence)],
    [SUCCEEDS_KEY, succeeds],
  ] as const;
  return {
    op: "mutate",
    table: "Bridge",
    where: [["name", "==", name], entry(OWNER_KEY, urn)],
    mutations: [
      ["external_ids", "delete", ["set", [SEQUENCE_KEY, SUCCEEDS_KEY]]],
      ["external_ids", "insert", ["map", numbers]],
    ],
  };
}
