import { startTimer } from "@pulumi-ovn/cli/testing";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type Host, readRecord } from "@pulumi-ovn/provider/targets";
import { until } from "./until";

/** Facts of an apply that is not overdue. */
export const FACTS = { stack: "net/dev", by: "me@here", deadline: "2030-01-01T00:00:00.000Z", timer: "none" };

/** Lets a process on a host undo an apply in the host's database. Returns what the undo has left. */
export async function undoneByHost(host: Host, client: OvsdbClient, id: string): Promise<readonly string[]> {
  const database = "Open_vSwitch";
  expect(await startTimer({ host, endpoint: undefined, stream: [], hasParts: true }, { database, root: database, id, seconds: 1 })).toBe(true);
  await until(async () => (await readRecord(client, database))?.phase === "undone");
  return (await readRecord(client, database))!.kept;
}
