import { OperationError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { messageIn } from "@pulumi-ovn/provider/tools";

export type DatabaseName = "OVN_Northbound" | "OVN_Southbound" | "Open_vSwitch";

/** Facts about one database of a zone or host. */
export interface DatabaseFacts {
  /** Endpoints as configured, without arguments of programs. */
  readonly endpoints: string;
  /** Why the database can't be read. */
  readonly failure?: string;
  readonly schema?: string;
  /** Why the database refuses writes. Undefined: it takes them. */
  readonly readOnly?: string;
  /** When the server's certificate expires, in milliseconds since 1970. */
  readonly certificateExpiry?: number;
}

/** A table of each database that a transaction may insert an empty row into. */
const PROBED: Readonly<Record<DatabaseName, string>> = { OVN_Northbound: "Logical_Switch", OVN_Southbound: "Chassis", Open_vSwitch: "Bridge" };

/** Connects to a database and reads what it is, then what `more` reads. */
export async function databaseFacts<More extends object>(
  targets: Connections,
  name: string,
  database: DatabaseName,
  endpoints: string,
  more: (client: OvsdbClient) => Promise<More>,
): Promise<DatabaseFacts & Partial<More>> {
  try {
    const client = await targets.get(name, database);
    const [{ version }, readOnly, read] = await Promise.all([client.getSchema(), refusedWrites(client, PROBED[database]), more(client)]);
    const expiry = client.certificateExpiry?.getTime();
    return { endpoints, schema: version, ...(readOnly !== undefined && { readOnly }), ...(expiry !== undefined && { certificateExpiry: expiry }), ...read };
  } catch (error) {
    return { endpoints, failure: messageIn(`(${endpoints})`, error as Error) } as DatabaseFacts & Partial<More>;
  }
}

/** Finds out whether the database takes writes, by a transaction that aborts itself: nothing is written in either case. */
async function refusedWrites(client: OvsdbClient, table: string): Promise<string | undefined> {
  try {
    await client.transact([{ op: "insert", table, row: {} }, { op: "abort" }]);
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.error === "aborted" ? undefined : error.details || error.error;
  }
}
