import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";

/** Key of `external_ids` in the host's Open_vSwitch table: UUID of the SB_Global row of the database that an agent used. */
const DATABASE = "pulumi-ovn-bgp-southbound";
/** The same, with the name of an exposure after it: its text. */
const EXPOSURE = "pulumi-ovn-bgp-exposure:";

/**
 * Data that an agent stores on its host for the next agent: the ID of the Southbound database that the host's routes are from, and the
 * last read exposures that name the chassis. The ID distinguishes a recreated database, which is empty for a while, from a database
 * that the chassis has left.
 */
export interface HostNote {
  /** Undefined if the routes are from no database. */
  readonly database: string | undefined;
  /** Keyed by name. */
  readonly exposures: Readonly<Record<string, string>>;
}

export const EMPTY_NOTE: HostNote = { database: undefined, exposures: {} };

/** Pure. From `external_ids`. */
export function noteIn(ids: ReadonlyMap<string, string>): HostNote {
  return {
    database: ids.get(DATABASE),
    exposures: Object.fromEntries([...ids].filter(([key]) => key.startsWith(EXPOSURE)).map(([key, text]) => [key.slice(EXPOSURE.length), text])),
  };
}

/** Writes only differences: ovn-controller is notified of each change of the row. */
export async function writeNote(client: OvsdbClient, { database, exposures }: HostNote): Promise<void> {
  const wanted = new Map([
    ...(database === undefined ? [] : [[DATABASE, database] as const]),
    ...Object.entries(exposures).map(([name, text]) => [EXPOSURE + name, text] as const),
  ]);
  const [row] = await client.select("Open_vSwitch", { columns: ["external_ids"] });
  const ids = new Map(
    [...((row?.["external_ids"] ?? new Map()) as ReadonlyMap<string, string>)].filter(([key]) => key === DATABASE || key.startsWith(EXPOSURE)),
  );
  if (ids.size === wanted.size && [...wanted].every(([key, text]) => ids.get(key) === text)) return;
  // An insert does not change an existing key. (RFC 7047, 5.1)
  const keys = [...new Set([...ids.keys(), ...wanted.keys()])];
  await client.transact([
    {
      op: "mutate",
      table: "Open_vSwitch",
      where: [],
      mutations: [["external_ids", "delete", ["set", keys]], ...(wanted.size > 0 ? [["external_ids", "insert", ["map", [...wanted]]] as const] : [])],
    },
  ]);
}

/** Keeps the note up to date: writes one note at a time, and next only the latest note. */
export class NoteWriter {
  /** A new object each time. */
  #wanted: HostNote = EMPTY_NOTE;
  /** undefined: not known. */
  #written: string | undefined;
  #writing = false;

  constructor(private readonly write: (note: HostNote) => Promise<void>) {}

  /** A failed write is repeated with the next note. */
  update(note: HostNote): void {
    this.#wanted = { ...note };
    if (!this.#writing) void this.#work();
  }

  async #work(): Promise<void> {
    this.#writing = true;
    for (let latest: HostNote | undefined; latest !== this.#wanted; ) {
      latest = this.#wanted;
      const text = JSON.stringify(latest);
      if (text === this.#written) continue;
      this.#written = await this.write(latest).then(
        () => text,
        () => undefined,
      );
    }
    this.#writing = false;
  }
}
