import type { WireRow } from "@pulumi-ovn/ovsdb-client";
import { rowsOf, select } from "../../../targets/select";
import type { Connections } from "../../../targets/connections";
import { spared } from "../../../targets/answer-if-reachable";

type Interfaces = ReadonlyMap<string, WireRow>;

const scans = new WeakMap<Connections, Map<string, Promise<Interfaces | undefined>>>();

/**
 * Interfaces of a host with a type (tunnels, bridges), by name; undefined for an unreachable host. Overlapping reads for one subject are shared:
 * its resources are checked together, and each asks about all hosts. Results are not kept, because the next update may change them.
 *
 * @param subject whose resources ask: their interfaces are written before the first of them asks
 */
export function reachableInterfaces(targets: Connections, host: string, subject: string): Promise<Interfaces | undefined> {
  const running = scans.get(targets) ?? new Map<string, Promise<Interfaces | undefined>>();
  scans.set(targets, running);
  const key = JSON.stringify([host, subject]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const look = spared(targets, host, () => read(targets, host)).finally(() => running.delete(key));
  running.set(key, look);
  return look;
}

async function read(targets: Connections, host: string): Promise<Interfaces> {
  targets.host(host);
  const client = await targets.get(host, "Open_vSwitch");
  const [result] = await client.transact([select("Interface", [["type", "!=", ""]], ["_uuid", "name", "ofport", "error", "bfd_status"])]);
  return new Map(rowsOf(result).map((row) => [row["name"] as string, row]));
}
