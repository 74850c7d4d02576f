import { OperationError, type Operation, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { rowsOf, select } from "../../../targets/select";
import { HostStateError } from "../errors";

/** Milliseconds that ovs-vswitchd may take to follow; it takes a few when it runs. */
const PATIENCE = 30_000;

/**
 * Waits until ovs-vswitchd has applied the database, like ovs-vsctl(8): raises `next_cfg` and waits for `cur_cfg` (ovs-vswitchd.conf.db(5),
 * Open_vSwitch), by notifications of the database.
 */
export async function followed(client: OvsdbClient, patience = PATIENCE): Promise<void> {
  const until = performance.now() + patience;
  const results = await client.transact([
    { op: "mutate", table: "Open_vSwitch", where: [], mutations: [["next_cfg", "+=", 1]] },
    select("Open_vSwitch", [], ["next_cfg", "cur_cfg"]),
  ]);
  const { next_cfg: wanted, cur_cfg: now } = rowsOf(results[1])[0] as { next_cfg: number; cur_cfg: number };
  for (let reached = now; reached < wanted; ) {
    const left = Math.ceil(until - performance.now());
    if (left <= 0) throw new HostStateError("OVN_SWITCH", `ovs-vswitchd did not follow its database within ${patience / 1000} s; does it run?`);
    reached = await nextConfiguration(client, reached, left);
  }
}

async function nextConfiguration(client: OvsdbClient, known: number, left: number): Promise<number> {
  const changed: Operation = { op: "wait", table: "Open_vSwitch", where: [], columns: ["cur_cfg"], until: "!=", rows: [{ cur_cfg: known }], timeout: left };
  try {
    const results = await client.transact([changed, select("Open_vSwitch", [], ["cur_cfg"])], { timeout: left + 5_000 });
    return rowsOf(results[1])[0]!.cur_cfg as number;
  } catch (error) {
    if (error instanceof OperationError && error.error === "timed out") return known;
    throw error;
  }
}

/** Problems of interfaces, by name, without working ones. For two that exclude each other only `error` shows it. */
export async function brokenInterfaces(
  client: OvsdbClient,
  names: readonly string[],
  problemOf: (row: InterfaceRow | undefined) => string | undefined = interfaceProblem,
): Promise<Record<string, string>> {
  const rows = await named(client, names);
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const problem = problemOf(rows[index]);
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
}

/** undefined for an interface with the OpenFlow port number that it asked for, and for one that the switch has not made. */
export function numberProblem(row: InterfaceRow | undefined, number: number): string | undefined {
  const given = row?.ofport;
  return typeof given === "number" && given > 0 && given !== number
    ? `it has port number ${given}, not ${number}, which another port of its bridge has`
    : undefined;
}

/** Interfaces that have another OpenFlow port number than they asked for, and which; those that the switch has not made have none. */
export async function otherNumbers(client: OvsdbClient, numbers: Readonly<Record<string, number>>): Promise<Record<string, string>> {
  const rows = await named(client, Object.keys(numbers));
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([name, number], index) => {
      const problem = numberProblem(rows[index], number);
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
}

async function named(client: OvsdbClient, names: readonly string[]): Promise<(InterfaceRow | undefined)[]> {
  if (names.length === 0) return [];
  const results = await client.transact(names.map((name) => select("Interface", [["name", "==", name]], ["ofport", "error", "bfd_status"])));
  return results.map((result) => rowsOf(result)[0]);
}

/** Columns of an Interface that show whether the switch has made it, and whether BFD reaches its other end. */
export interface InterfaceRow {
  readonly ofport?: unknown;
  readonly error?: unknown;
  readonly bfd_status?: unknown;
}

/** undefined for an interface that works. */
export function interfaceProblem(row: InterfaceRow | undefined): string | undefined {
  return madeProblem(row) ?? bfdProblem(row);
}

/** Problem of a BFD session that is dead from the start, or new. */
export const NEVER_UP = "BFD has never been up";

/** undefined where BFD is up, or not enabled: its status is empty then (ovs-vswitchd.conf.db(5), bfd_status). */
export function bfdProblem(row: InterfaceRow | undefined): string | undefined {
  const { state } = bfdStatus(row);
  if (state === undefined || state === "up") return undefined;
  // An end that receives nothing alternates between other states; one text keeps updates and reports the same.
  return isNewSession(row) ? NEVER_UP : "BFD is down";
}

/** Whether a BFD session has never been up: it may be dead, or new. A restart of the switch resets all sessions. */
export function isNewSession(row: InterfaceRow | undefined): boolean {
  const { state, flap_count: flaps } = bfdStatus(row);
  return state !== undefined && state !== "up" && flaps === "0";
}

function bfdStatus(row: InterfaceRow | undefined): { readonly state?: string; readonly flap_count?: string } {
  const [, entries] = (row?.bfd_status as [string, [string, string][]] | undefined) ?? ["map", []];
  return Object.fromEntries(entries);
}

/** undefined for an interface that the switch has made. An optional column is an empty set while it has no value (RFC 7047, 5.1). */
export function madeProblem(row: InterfaceRow | undefined): string | undefined {
  if (row === undefined) return "missing";
  if (typeof row.error === "string") return row.error;
  return typeof row.ofport === "number" && row.ofport > 0 ? undefined : "no port of its bridge";
}
