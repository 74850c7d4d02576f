import { defineKind } from "../define";
import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { z } from "zod";
import type { Rendered } from "../../backends/rows/kind";
import { judgeMatches } from "../../kit/match/rows";
import { isMark } from "../../kit/identity";
import { knownSchema } from "../../backends/rows/database/known-schema";
import type { Atom, DesiredRow, Reference } from "../../backends/rows/set";
import type { DatabaseName } from "../../targets/database";
import type { ResolvedValue } from "../../backends/rows/set/values";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { misfitsOf, type RawFitting } from "./raw-fit";
import { byName, common, MARK, schemaOf } from "./fields";
import { type TopologyArgs, foreign, listedIn, local, withExternalIds } from "./rows";
import { mapped, sortedEntries } from "../../kit/entries";

/** Rows of any table that no other resource creates (ACLs, load balancers, DHCP options), with ownership, guards and previews as for all rows. */
export interface RawRowsArgs extends TopologyArgs {
  /** Rows by a name. It must stay, because the UUID derives from it. */
  entries: Record<string, RawRowArgs>;
}

export interface RawRowArgs {
  /** Name of the table. Unknown tables are refused. */
  table: string;
  /**
   * Columns by name: text, number or boolean; a list for a set; an object for a map; null for an empty column. Omitted columns and
   * map keys are not touched. A new row needs each column without a valid default (RFC 7047, 5.2.1). Default: none.
   */
  columns?: Record<string, RawValue>;
  /** Columns with references: a name from `entries`, a UUID, or the `name` of an existing row; a list for a set. Default: none. */
  references?: Record<string, string | string[]>;
  /** Row whose set column lists this one; rows of non-root tables need it (ovn-nb(5)). Default: none. */
  parent?: RawParentArgs;
}

export type RawValue = string | number | boolean | null | (string | number | boolean)[] | Record<string, string | number | boolean>;

export interface RawParentArgs {
  /** Name of the parent's table. */
  table: string;
  /** A name from `entries`, a UUID, or the `name` of a row that exists. */
  row: string;
  /** The column that lists the row, such as `ports` or `acls`. */
  column: string;
}

const identifier = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be a name of letters, digits and _");
const atom = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([atom, z.null(), z.array(atom), z.record(z.string(), atom)], {
  error: "must be text, a number, a boolean, null, a list of these, or an object of these",
});

const schema = schemaOf<RawRowsArgs>()(
  z.strictObject({
    ...common,
    entries: byName(
      z.strictObject({
        table: identifier,
        columns: z.record(identifier, value).default({}),
        references: z.record(identifier, z.union([z.string().min(1), z.array(z.string().min(1))])).default({}),
        parent: z.strictObject({ table: identifier, row: z.string().min(1), column: identifier }).optional(),
      }),
    ),
  }),
);
type Spec = z.output<typeof schema>;
type Row = Spec["entries"][string];

function check({ entries }: Spec): void {
  const failures = new Failures();
  if (Object.keys(entries).length === 0) failures.add("entries", "required", "needs at least one row");
  for (const [key, { columns, references, parent }] of sortedEntries(entries)) {
    for (const column of Object.keys(references)) {
      if (Object.hasOwn(columns, column))
        failures.add(propertyPath(["entries", key, "references", column]), "duplicate", `column "${column}" is among the columns too`);
    }
    for (const id of Object.keys(columns["external_ids"] ?? {}))
      if (isMark(id)) failures.add(propertyPath(["entries", key, "columns", "external_ids", id]), "reserved", MARK);
    if (!parent || !Object.hasOwn(entries, parent.row)) continue;
    const { table } = entries[parent.row]!;
    if (table !== parent.table)
      failures.add(propertyPath(["entries", key, "parent", "table"]), "mismatch", `"${parent.row}" is a row of ${table}, not of ${parent.table}`);
  }
  failures.throwIfAny();
}

/** Columns in the order of their names, in which the protocol hands them over too. */
function rowOf(spec: Spec, key: string, { table, columns, references, parent }: Row): DesiredRow {
  const reference = (text: string): Reference => (Object.hasOwn(spec.entries, text) ? local(spec.entries[text]!.table, text) : foreign(text));
  const referring = sortedEntries(references).map(([column, target]) => [column, Array.isArray(target) ? target.map(reference) : reference(target)] as const);
  return {
    table,
    key,
    columns: { ...Object.fromEntries(sortedEntries(columns).map(([column, given]) => [column, columnValue(given)])), ...Object.fromEntries(referring) },
    ...(parent && { parent: listedIn(parent.table, reference(parent.row), parent.column) }),
  };
}

function fittings(entries: Spec["entries"]): Record<string, RawFitting> {
  const tableOf = (row: string) => (Object.hasOwn(entries, row) ? entries[row]!.table : undefined);
  return mapped(entries, ({ table, columns, references, parent }) => ({
    table,
    parent,
    columns: mapped(columns, columnValue),
    references: mapped(references, (to) => [to].flat().map(tableOf)),
  }));
}

function judge({ entries }: Spec): void {
  judgeMatches(sortedEntries(entries).map(([key, { table, columns }]) => ({ table, columns, path: propertyPath(["entries", key, "columns", "match"]) })));
}

function columnValue(given: RawValue): ResolvedValue {
  if (given === null || typeof given !== "object") return given;
  return Array.isArray(given) ? given : { map: given as Record<string, Atom> };
}

/** The part that the kinds of all databases have in common. */
function rawRows(database: DatabaseName) {
  // A table that is not known may have the column.
  const hasIds = (table: string) => knownSchema(database).tables.get(table)?.columns.has("external_ids") ?? true;
  const withOwnIds = (row: DesiredRow, { externalIds }: Spec) => (externalIds && hasIds(row.table) ? withExternalIds(row, externalIds) : row);
  const render = (args: Spec): Rendered => {
    check(args);
    const rows = sortedEntries(args.entries).map(([key, row]) => withOwnIds(rowOf(args, key, row), args));
    return { set: { database, rows }, exposes: rows.map(({ table, key }) => local(table, key)) };
  };
  // Not in `render`, so that rows in a state can always be read and removed.
  const misfits = ({ entries }: Spec, database: DatabaseSchema, adopts: boolean) => misfitsOf(database, fittings(entries), adopts);
  return { database, schema, judge, misfits, render, outputs: [] };
}

/** Any rows of a Northbound database. */
export const northboundRows = defineKind({ backend: "rows", name: "NorthboundRows", ...rawRows("OVN_Northbound") });
/** Any rows of a Southbound database. */
export const southboundRows = defineKind({ backend: "rows", name: "SouthboundRows", ...rawRows("OVN_Southbound") });
/** Any rows of a host's Open vSwitch database. */
export const openVSwitchRows = defineKind({ backend: "rows", name: "OpenVSwitchRows", ...rawRows("Open_vSwitch") });
