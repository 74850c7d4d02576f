import { rowKind } from "@pulumi-ovn/provider";
import { Connections, type Zones } from "@pulumi-ovn/provider/targets";
import { type Counter, uncounted } from "../progress";
import { agreements } from "./agreements";
import { type Database, readDatabase } from "./database";
import { ImportError } from "./errors";
import { type Match, matchArgs, Mismatch } from "./match";
import { callRow, UniqueNames } from "./names";
import { indexRows, inOrder } from "./order";
import { importFile, programText } from "./program";
import { recognize, type Veto } from "./recognize";
import { reportText, type ZoneReport } from "./report";
import { importedResource, type ImportedResource, type Stack } from "./resource";
import { restOf } from "./rest";

export { ImportError } from "./errors";
export type { Stack } from "./resource";

/** Files and report of an import. */
export interface Import {
  /** The stack program in TypeScript. */
  readonly program: string;
  /** For `pulumi import --file`. */
  readonly importFile: string;
  /** Report of the rows that are in the stack and of those that are not. */
  readonly report: string;
  readonly resources: number;
}

/**
 * Reads the Northbound databases of zones, and makes a stack of their rows: only reads, one transaction of selects in
 * each zone. Throws an ImportError when a zone has nothing to import, and what connections throw when one does not
 * answer; nothing is left half done.
 * @param count counts zones that have been read
 */
export async function importZones(zones: Zones, names: readonly string[], stack: Stack, count: Counter = uncounted): Promise<Import> {
  const connections = new Connections(zones);
  try {
    for (const zone of names) connections.endpoints(zone, "OVN_Northbound");
    const done = count(names.length);
    const reading = names.map(async (zone) => {
      const database = await readZone(connections, zone);
      done();
      return [zone, database] as const;
    });
    const read = await Promise.all(reading);
    const veto = agreements();
    const taken = new UniqueNames();
    const reports: ZoneReport[] = [];
    for (const [zone, database] of read) reports.push(await importZone(zone, database, { stack, connections, veto, taken }));
    return written(reports);
  } finally {
    await connections.close();
  }
}

async function readZone(connections: Connections, zone: string): Promise<Database> {
  try {
    return await readDatabase(await connections.get(zone, "OVN_Northbound"));
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    throw new ImportError(code ?? "OVN_INTERNAL", `zone "${zone}": ${message}`, { cause: error });
  }
}

interface Context {
  readonly stack: Stack;
  readonly connections: Connections;
  readonly veto: Veto;
  readonly taken: UniqueNames;
}

async function importZone(zone: string, database: Database, context: Context): Promise<ZoneReport> {
  const { matches, nearMisses } = recognize(zone, database, context.veto);
  const { groups, settings, owned } = restOf(zone, database, matches);
  const resources: ImportedResource[] = [];
  const refused: { rows: ZoneReport["settings"]; reason: string }[] = [];
  const add = async (match: Match, wanted: string): Promise<void> => {
    resources.push(await importedResource(database, match, context.taken.take(`${zone}-${wanted}`), context.stack, context.connections));
  };
  for (const match of matches) await add(match, nameOf(match));
  for (const { row, args, adopted, rows } of groups) {
    try {
      const match = matchArgs(database, rowKind("NorthboundRows"), args, new Set(), adopted);
      await add(match, rows.includes(row) ? callRow(row) : `${callRow(row)}-rows`);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      refused.push({ rows, reason: error.message });
    }
  }
  if (resources.length === 0) throw nothing(zone, database, owned);
  const imported = new Set(resources.flatMap(({ rows }) => [...rows.keys()]));
  return { zone, rows: database.rows.size, resources, settings, owned, refused, nearMisses: nearMisses.filter(({ row }) => imported.has(row.uuid)) };
}

/** Name of its main row. A resource that extends another's row adds its purpose. */
function nameOf({ kind, pairs, args }: Match): string {
  const row = pairs.find(({ desired }) => desired.parent === undefined)?.row ?? pairs[0]!.row;
  if (kind.name === "WorkloadPorts") return "workloads";
  return kind.name === "GatewayPeer" ? `peer-${String(args.node)}` : callRow(row);
}

function nothing(zone: string, database: Database, owned: Readonly<Record<string, number>>): ImportError {
  const rows = Object.values(owned).reduce((sum, number) => sum + number, 0);
  const why = rows === 0 ? "its Northbound database has no rows of networks" : `its ${rows} rows belong to stacks already (${Object.keys(owned)[0]} for one)`;
  return new ImportError("OVN_NOTHING_TO_IMPORT", `zone "${zone}" has nothing to import: ${why}; leave it out of --zones (${database.rows.size} rows in all)`);
}

function written(reports: readonly ZoneReport[]): Import {
  const resources = reports.flatMap((report) => report.resources);
  const ordered = inOrder(resources, indexRows(resources));
  return { program: programText(ordered), importFile: importFile(ordered), report: reportText(reports), resources: resources.length };
}
