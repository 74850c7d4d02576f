import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";

/** In the host's Open_vSwitch table, of `external_ids`: UUID of the row of SB_Global that an agent has gone by. */
const DATABASE = "pulumi-ovn-bgp-southbound";
/** The same, with the name of an exposure after it: its text. */
const EXPOSURE = "pulumi-ovn-bgp-exposure:";

/**
 * What an agent leaves on its host for the next one: which Southbound database the host's routes are from, by which one that was made
 * again, and is empty for a while, is told from one that the chassis has left; and the exposures that name the chassis, as they were
 * last read.
 */
export interface Noted {
  /** undefined: they are from none. */
  readonly database: string | undefined;
  /** By name. */
  readonly exposures: Readonly<Record<string, string>>;
}

export const NOTHING_NOTED: Noted = { database: undefined, exposures: {} };

/** Pure. From `external_ids`. */
export function notedIn(ids: ReadonlyMap<string, string>): Noted {
  return { database: ids.get(DATABASE), exposures: Object.fromEntries([...ids].filter(([key]) => key.startsWith(EXPOSURE)).map(([key, text]) => [key.slice(EXPOSURE.length), text])) };
}

/** Writes what differs: ovn-controller hears of each change of the row. */
export async function note(client: OvsdbClient, { database, exposures }: Noted): Promise<void> {
  const wanted = new Map([...(database === undefined ? [] : [[DATABASE, database] as const]), ...Object.entries(exposures).map(([name, text]) => [EXPOSURE + name, text] as const)]);
  const [row] = await client.select("Open_vSwitch", { columns: ["external_ids"] });
  const ids = [...((row?.["external_ids"] ?? new Map()) as ReadonlyMap<string, string>)].filter(([key]) => key === DATABASE || key.startsWith(EXPOSURE));
  const gone = ids.filter(([key, text]) => wanted.get(key) !== text).map(([key]) => key);
  const come = [...wanted].filter(([key, text]) => !ids.some(([one, same]) => one === key && same === text));
  if (gone.length + come.length === 0) return;
  await client.transact([{
    op: "mutate", table: "Open_vSwitch", where: [],
    mutations: [...(gone.length > 0 ? [["external_ids", "delete", ["set", gone]] as const] : []), ...(come.length > 0 ? [["external_ids", "insert", ["map", come]] as const] : [])],
  }]);
}
