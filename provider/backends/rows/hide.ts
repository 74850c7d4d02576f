import { sameJson } from "../../kit/arguments/unknown";
import { HIDDEN, hiddenNames } from "../../kit/text/hidden";
import { isMap } from "./set/words";
import { contributionLabel } from "./lines/contributions";
import type { Atom, ColumnValue, Contribution, DesiredRow, MapValue, Reference, RowSet } from "./set";

/**
 * Row set for display, without differences from a set that was rendered from other secrets. Rows that the other set lacks have keys, and mostly
 * names, that derive from secrets.
 */
export function hideRows(set: RowSet, other: RowSet): RowSet {
  const twins = new Map(other.rows.map((row) => [identity(row), row]));
  const named = hiddenNames();
  const rows = set.rows.map((row) => hideRow(row, twins.get(identity(row)), named));
  const shared = new Map((other.contributions ?? []).map((contribution) => [contributionLabel(contribution), contribution]));
  const contributions = set.contributions?.map((contribution) => hideContribution(contribution, shared.get(contributionLabel(contribution)), named));
  return { ...set, rows, ...(contributions && { contributions }) };
}

const identity = ({ table, key }: DesiredRow) => JSON.stringify([table, key]);

function hideRow(row: DesiredRow, twin: DesiredRow | undefined, named: () => string): DesiredRow {
  const columns = Object.fromEntries(
    Object.entries(row.columns).map(([column, value]): [string, ColumnValue] => [column, hideValue(value, twin?.columns[column])]),
  );
  if (twin && columns.name !== HIDDEN) return { table: row.table, key: row.key, columns };
  // The label has the name or the key.
  const label = named();
  return { table: row.table, key: label, columns: { ...columns, name: label } };
}

function hideValue(value: ColumnValue, twin: ColumnValue | undefined): ColumnValue {
  if (twin === undefined) return HIDDEN;
  if (sameJson(value, twin)) return value;
  if (isMap(value) && isMap(twin)) return hideMap(value, twin);
  return Array.isArray(value) && Array.isArray(twin) ? hideSet(value as readonly Element[], twin as readonly Element[]) : HIDDEN;
}

type Element = Atom | Reference;

function hideSet(elements: readonly Element[], twin: readonly Element[]): Element[] {
  return elements.map((element) => (twin.some((kept) => sameJson(kept, element)) ? element : HIDDEN));
}

function hideMap({ map }: MapValue, twin: MapValue): MapValue {
  const entries = Object.entries(map).map(([key, value]): [string, Element] => {
    if (!Object.hasOwn(twin.map, key)) return [HIDDEN, HIDDEN];
    return [key, sameJson(value, twin.map[key]) ? value : HIDDEN];
  });
  return { map: Object.fromEntries(entries) };
}

/** @param twin the one of the same position */
function hideContribution(contribution: Contribution, twin: Contribution | undefined, named: () => string): Contribution {
  const { table, part } = contribution;
  if (!twin) return { table, row: { name: HIDDEN }, column: named(), part: { kind: "entry", key: HIDDEN, value: HIDDEN } };
  return part.kind === "element" || sameJson(part, twin.part) ? contribution : { ...contribution, part: { ...part, value: HIDDEN } };
}
