import { setTimeout as sleep } from "node:timers/promises";
import type { WireRow } from "@pulumi-ovn/ovsdb-client";
import { rowsOf, select } from "../rows/observe";
import type { Connections } from "../targets/connections";

/** Milliseconds after which a host counts as one that can't be reached just now: a preview does without it. */
const PATIENCE = 2_000;

/** Milliseconds for which it is not asked again: every resource of a large stack would wait as long. */
const SPARED = 10_000;

type Interfaces = ReadonlyMap<string, WireRow>;

interface Looks {
  readonly running: Map<string, Promise<Interfaces | undefined>>;
  readonly unreachable: Map<string, number>;
}

const looks = new WeakMap<Connections, Looks>();

/**
 * Interfaces of a host that have a type, as tunnels and bridges do, by name; undefined for a host that can't be reached.
 * Looks for the same subject that overlap are one: its resources are checked at about the same time, each of them asks about
 * all hosts. What has been read is not kept, as the next update may be writing it.
 *
 * @param subject whose resources ask: nothing that they rely on is written any more when the first of them asks
 */
export function reachableInterfaces(targets: Connections, host: string, subject: string): Promise<Interfaces | undefined> {
  const { running, unreachable } = looksOf(targets);
  if ((unreachable.get(host) ?? 0) > Date.now()) return Promise.resolve(undefined);
  const key = JSON.stringify([host, subject]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const look = patiently(() => read(targets, host)).then((found) => {
    running.delete(key);
    if (found === undefined) unreachable.set(host, Date.now() + SPARED);
    return found;
  });
  running.set(key, look);
  return look;
}

/** What a host answers; undefined where it can't be reached just now. */
export function patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return Promise.race([ask(), sleep(PATIENCE, undefined, { ref: false })]).catch(() => undefined);
}

function looksOf(targets: Connections): Looks {
  const known = looks.get(targets) ?? { running: new Map(), unreachable: new Map() };
  looks.set(targets, known);
  return known;
}

async function read(targets: Connections, host: string): Promise<Interfaces> {
  targets.host(host);
  const client = await targets.get(host, "Open_vSwitch");
  const [result] = await client.transact([select("Interface", [["type", "!=", ""]], ["_uuid", "name", "ofport", "error"])]);
  return new Map(rowsOf(result).map((row) => [row["name"] as string, row]));
}
