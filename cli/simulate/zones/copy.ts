import {
  type DatabaseSchema,
  type Operation,
  OvsdbError,
  type OvsdbClient,
  type TableSchema,
  type WireMap,
  type WireRow,
  type WireValue,
} from "@pulumi-ovn/ovsdb-client";
import { Connections, isRecordKey } from "@pulumi-ovn/provider/targets";
import { rowsOf, uuidIn } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../../command";
import { zoneRows } from "../../zone-rows";
import type { Omission } from "./build";
import { bindingOf } from "./prepare";
import type { Shadow } from "../shadow/shadow";

/** Tables with what chassis report and learn, and with what that refers to. northd derives the others from the Northbound database. */
const REPORTED: ReadonlySet<string> = new Set([
  "Chassis",
  "Encap",
  "Datapath_Binding",
  "Port_Binding",
  "Gateway_Chassis",
  "HA_Chassis",
  "HA_Chassis_Group",
  "FDB",
  "Learned_Route",
  "BFD",
  "Service_Monitor",
]);

/** Configuration of the server itself. */
const OF_SERVER: ReadonlySet<string> = new Set(["Connection", "SSL"]);

/**
 * Copies a zone's live databases into its empty shadow, without writing to them: all Northbound rows with their UUIDs, and what live state
 * decides. Returns values that the OVN of this machine has no column for. Throws if a database can't be read.
 */
export async function copyZone(shadow: Shadow, targets: Connections): Promise<Omission[]> {
  const { zone, connections } = shadow;
  // Closed afterwards: a stack can have more zones than a process may have connections.
  const live = new Connections({ [zone]: targets.zone(zone) });
  try {
    const copy = async (database: "OVN_Northbound" | "OVN_Southbound", isWanted: (table: string) => boolean) =>
      copied(await live.unguarded(zone, database), await connections.get(zone, database), isWanted);
    const north = await copy("OVN_Northbound", (table) => !OF_SERVER.has(table));
    const south = await copy("OVN_Southbound", (table) => REPORTED.has(table));
    const { MAC_Binding } = await zoneRows(live, zone, "OVN_Southbound", { MAC_Binding: ["logical_port", "ip", "mac"] });
    shadow.learned = MAC_Binding.map(bindingOf);
    return [...north, ...south].map((resource) => ({ zone, resource, why: "the OVN of this machine does not have it" }));
  } catch (error) {
    throw error instanceof OvsdbError ? new CommandError(error.code, `zone "${zone}" can't be copied: ${error.message}`) : error;
  } finally {
    await live.close();
  }
}

/** Copies whole tables. Returns what the other database has no table or column for. */
async function copied(from: OvsdbClient, to: OvsdbClient, isWanted: (table: string) => boolean): Promise<string[]> {
  const [schema, wanted] = [await from.getSchema(), await to.getSchema()];
  const tables = [...schema.tables.keys()].filter(isWanted);
  const results = await from.transact(tables.map((table): Operation => ({ op: "select", table, where: [] })));
  const rows = tables.flatMap((table, index) => rowsOf(results[index]).map((row) => ({ table, row })));
  const inserts = rows.flatMap(({ table, row }) => insertOf(wanted.tables.get(table), row, isWanted));
  if (inserts.length > 0) await to.transact(inserts);
  return [...new Set(rows.flatMap(({ table, row }) => missing(wanted, table, row)))].sort();
}

/** References to tables that are not copied are left out: northd sets them again. */
function insertOf(schema: TableSchema | undefined, row: WireRow, isWanted: (table: string) => boolean): Operation[] {
  if (schema === undefined) return [];
  if (schema.name === "NB_Global") return [{ op: "update", table: "NB_Global", where: [], row: globalOf(row) }];
  const columns = [...schema.columns.values()].filter(
    ({ name, type: { key } }) => row[name] !== undefined && (key.refTable === undefined || isWanted(key.refTable)),
  );
  const values = Object.fromEntries(columns.map(({ name }) => [name, row[name]!]));
  return [{ op: "insert", table: schema.name, uuid: uuidIn(row), row: values }];
}

/** Without the counters, which the shadow has itself, and without the record of a pending apply, which would refuse the plan. */
function globalOf({ options, external_ids: ids }: WireRow): WireRow {
  const [, pairs] = ids as WireMap;
  return { options: options!, external_ids: ["map", pairs.filter(([key]) => !isRecordKey(key as string))] };
}

function missing({ tables }: DatabaseSchema, table: string, row: WireRow): string[] {
  const known = tables.get(table);
  if (known === undefined) return [`table ${table}`];
  return Object.entries(row).flatMap(([name, value]) => (known.has(name) || isEmpty(value) ? [] : [`column ${table}.${name}`]));
}

function isEmpty(value: WireValue): boolean {
  return Array.isArray(value) ? Array.isArray(value[1]) && value[1].length === 0 : !value;
}
