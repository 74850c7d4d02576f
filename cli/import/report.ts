import { visible } from "@pulumi-ovn/provider/tools";
import type { Row } from "./database";
import type { NearMiss } from "./recognize";
import type { ImportedResource } from "./resource";

/** Result for the rows of one zone. */
export interface ZoneReport {
  readonly zone: string;
  readonly rows: number;
  readonly resources: readonly ImportedResource[];
  readonly settings: readonly Row[];
  readonly owned: Readonly<Record<string, number>>;
  readonly refused: readonly { readonly rows: readonly Row[]; readonly reason: string }[];
  readonly nearMisses: readonly NearMiss[];
}

/** Maximum number of rows that are named one by one. */
const MOST_NAMED = 20;

/** The report for people: what is in the stack now, and everything that is not. */
export function reportText(reports: readonly ZoneReport[]): string {
  return `${reports.map(zoneText).join("\n\n")}\n`;
}

function zoneText({ zone, rows, resources, settings, owned, refused, nearMisses }: ZoneReport): string {
  const imported = resources.reduce((sum, { rows: imported }) => sum + imported.size, 0);
  return [
    `zone ${zone}: ${imported} of ${rows} rows imported as ${count(resources.map(({ kind }) => kind))}`,
    ...section("not imported, and left as they are", [
      ...settings.map(({ table, uuid }) => `${table} ${uuid}: a setting of the database itself`),
      ...Object.entries(owned).map(([owner, number]) => `${rowsText(number)} of ${owner}: in a stack already`),
      ...refused.flatMap(({ rows: left, reason }) => left.map((row) => `${label(row)}: ${reason}`)),
    ]),
    ...section(
      "columns of imported rows that the stack does not manage",
      resources.flatMap(({ name, unmanaged }) => {
        const entries = Object.entries(unmanaged).map(([what, number]) => (number === 1 ? what : `${what} (${number} rows)`));
        return entries.length === 0 ? [] : [`${name}: ${entries.join(", ")}`];
      }),
    ),
    ...section("imported row by row, though they look like more", few(nearMisses.map(({ kind, row, reason }) => `${label(row)} is not a ${kind}: ${reason}`))),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${visible(line)}`)];
}

function few(lines: readonly string[]): string[] {
  if (lines.length <= MOST_NAMED) return [...lines];
  return [...lines.slice(0, MOST_NAMED), `and ${lines.length - MOST_NAMED} more`];
}

function count(kinds: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts.size === 0 ? "nothing" : [...counts].map(([kind, number]) => `${number} ${kind}`).join(", ");
}

function rowsText(number: number): string {
  return number === 1 ? "1 row" : `${number} rows`;
}

function label({ table, uuid, columns: { name } }: Row): string {
  return `${table} ${typeof name === "string" && name !== "" ? JSON.stringify(name) : uuid}`;
}
