import { OperationError, OutcomeUnknownError, type Operation, type OperationResult, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { rowsOf, select } from "./select";
import type { Connections } from "./connections";
import { missingChassis } from "./missing-chassis";

export type WaitFor = "southbound" | "chassis";

/** The zone did not follow in time. */
export class PropagationError extends Error {
  readonly code = "OVN_NOT_PROPAGATED";
}

const UNTRANSLATED = "ovn-northd did not translate the change; is it running and connected to both databases?";

/** Counter of NB_Global that shows the progress of a change (ovn-nb(5), NB_Global). */
const COUNTER = { southbound: "sb_cfg", chassis: "hv_cfg" } as const;

/**
 * Requests a new configuration number and waits until the counter has reached it, by notifications of the server. Other writers may raise the
 * number: a later one counts as well.
 *
 * @param urn of a resource of the stack whose remote ports must have their chassis. Default: ports are not checked.
 */
export async function propagate(connections: Connections, zone: string, waitFor: WaitFor, timeout: number, urn?: string): Promise<void> {
  const until = performance.now() + timeout;
  const client = await connections.get(zone, "OVN_Northbound");
  const counter = COUNTER[waitFor];
  const results = await raised(client, counter, until);
  const goal = rowsOf(results[1])[0]?.nb_cfg as number | undefined;
  if (goal === undefined) throw new PropagationError(`its Northbound database has no NB_Global row: ovn-northd has not initialized it; start ovn-northd`);
  let reached = rowsOf(results[1])[0]![counter] as number;
  while (reached < goal) {
    const left = Math.ceil(until - performance.now());
    if (left <= 0) throw new PropagationError(await laggards(connections, zone, waitFor, goal, timeout));
    reached = await nextValue(client, counter, reached, left);
  }
  if (waitFor === "chassis") await checkChassis(connections, zone, urn);
}

/** Raising the number twice is harmless, so a lost reply, such as when the leader changes, does not fail the update. */
async function raised(client: OvsdbClient, counter: string, until: number): Promise<readonly OperationResult[]> {
  for (;;) {
    const left = until - performance.now();
    try {
      return await client.transact(
        [{ op: "mutate", table: "NB_Global", where: [], mutations: [["nb_cfg", "+=", 1]] }, select("NB_Global", [], ["nb_cfg", counter])],
        { timeout: Math.max(left, 0) },
      );
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError) || performance.now() >= until) throw error;
    }
  }
}

async function nextValue(client: OvsdbClient, counter: string, known: number, left: number): Promise<number> {
  const changed: Operation = { op: "wait", table: "NB_Global", where: [], columns: [counter], until: "!=", rows: [{ [counter]: known }], timeout: left };
  try {
    const results = await client.transact([changed, select("NB_Global", [], [counter])], { timeout: left + 5_000 });
    return rowsOf(results[1])[0]![counter] as number;
  } catch (error) {
    if (error instanceof OperationError && error.error === "timed out") return known;
    throw error;
  }
}

/** A zone without chassis is "reached" immediately, although no packet can pass. Packets to a remote port without a chassis can't pass either. */
async function checkChassis(connections: Connections, zone: string, urn: string | undefined): Promise<void> {
  if (connections.zone(zone).southbound === undefined) return;
  const client = await connections.get(zone, "OVN_Southbound");
  const [result] = await client.transact([select("Chassis_Private", [], ["name"])]);
  if (rowsOf(result).length === 0) throw new PropagationError(`no ovn-controller is connected to its Southbound database: there is no chassis to wait for`);
  const missing = urn === undefined ? undefined : await missingChassis(await connections.get(zone, "OVN_Northbound"), client, urn);
  if (missing !== undefined) throw new PropagationError(missing);
}

async function laggards(connections: Connections, zone: string, waitFor: WaitFor, wanted: number, timeout: number): Promise<string> {
  const text = `not reached within ${timeout / 1000} s`;
  if (waitFor === "southbound") return `${text}: ${UNTRANSLATED}`;
  if (connections.zone(zone).southbound === undefined) {
    return `${text}: some chassis did not install the flows; set zones.${zone}.southbound in the file of targets to learn which`;
  }
  const client = await connections.get(zone, "OVN_Southbound");
  const [global, result] = await client.transact([
    select("SB_Global", [["nb_cfg", ">=", wanted]], ["nb_cfg"]),
    select("Chassis_Private", [["nb_cfg", "<", wanted]], ["name"]),
  ]);
  // A chassis can't follow an untranslated change.
  if (rowsOf(global).length === 0) return `${text}: ${UNTRANSLATED}`;
  const names = rowsOf(result).map(({ name }) => String(name));
  if (names.length === 0) return `${text}: every chassis has installed the flows, but ovn-northd has not reported it`;
  return `${text}: chassis ${names.sort().join(", ")} did not install the flows; is ovn-controller running there?`;
}
