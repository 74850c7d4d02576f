import { mapped } from "../../../kit/entries";
import { isMap, isReference } from "./words";
import type { Atom, ColumnValue, Contribution, DesiredRow, ForeignReference, Reference, RowSet } from "../set";

/** The set with the UUIDs of foreign rows replaced. Pure. */
export function redirected(set: RowSet, to: (uuid: string) => string): RowSet {
  const { rows, contributions } = set;
  return {
    ...set,
    rows: rows.map((row) => redirectedRow(row, to)),
    ...(contributions && { contributions: contributions.map((each) => redirectedPart(each, to)) }),
  };
}

/** UUIDs of foreign rows that a set refers to. Pure. */
export function foreignUuids(set: RowSet): Set<string> {
  const uuids = new Set<string>();
  redirected(set, (uuid) => (uuids.add(uuid), uuid));
  return uuids;
}

type Redirect = (uuid: string) => string;

const reference = <R extends Reference | ForeignReference>(given: R, to: Redirect): R => ("uuid" in given ? { ...given, uuid: to(given.uuid) } : given);
const single = (item: Atom | Reference, to: Redirect): Atom | Reference => (typeof item === "object" ? reference(item, to) : item);

function redirectedRow(row: DesiredRow, to: Redirect): DesiredRow {
  const { columns, parent } = row;
  return { ...row, columns: mapped(columns, (value) => redirectedValue(value, to)), ...(parent && { parent: { ...parent, row: reference(parent.row, to) } }) };
}

function redirectedValue(value: ColumnValue, to: Redirect): ColumnValue {
  if (typeof value !== "object" || value === null) return value;
  if (isMap(value)) return { map: mapped(value.map, (item) => single(item, to)) };
  return isReference(value) ? reference(value, to) : (value as readonly (Atom | Reference)[]).map((item) => single(item, to));
}

function redirectedPart(contribution: Contribution, to: Redirect): Contribution {
  const { row, part } = contribution;
  const redirectedElement = part.kind === "element" ? { ...part, element: single(part.element, to) } : part;
  return { ...contribution, row: reference(row, to), part: redirectedElement };
}
