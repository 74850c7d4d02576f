import type { DatabaseSchema, TableSchema } from "@pulumi-ovn/ovsdb-client";
import { currentValue } from "./values";
import type { ContributionLocation } from "../set";
import { OWNER_KEY } from "../../../kit/identity";
import type { LiveRow } from "../database/row";

/** Key in a row's `external_ids` whose value is the owner of a contribution to the row. */
export function contributionMark({ column, key, name }: ContributionLocation): string {
  return [OWNER_KEY, column, key, name].filter((word) => word !== undefined).join("/");
}

export interface MarkedContribution extends ContributionLocation {
  readonly mark: string;
  /** Live value; undefined if only the mark is left. */
  readonly value: string | undefined;
}

/**
 * Contributions of this owner to a row, by its marks. The mark of a map entry whose key has a slash looks like that of a list item: the row's
 * contents decide.
 */
export function markedPlaces(live: LiveRow, owner: string, schema: DatabaseSchema, table: string): MarkedContribution[] {
  const ids = live.external_ids instanceof Map ? [...live.external_ids] : [];
  return ids
    .filter(([mark, value]) => value === owner && String(mark).startsWith(`${OWNER_KEY}/`))
    .map(([mark]) => markedPlace(String(mark), live, schema.table(table)));
}

/** The columns that marks name. */
export function markedColumns(live: LiveRow, owner: string, schema: DatabaseSchema, table: string): string[] {
  return markedPlaces(live, owner, schema, table)
    .map(({ column }) => column)
    .filter((column) => schema.table(table).columns.has(column));
}

function markedPlace(mark: string, live: LiveRow, table: TableSchema): MarkedContribution {
  const [column = "", ...words] = mark.slice(OWNER_KEY.length + 1).split("/");
  const rest = words.join("/");
  const isMap = table.columns.get(column)?.isMap ?? false;
  const locations: ContributionLocation[] = isMap
    ? [
        { column, key: rest, name: undefined },
        ...words.slice(1).map((_, index) => ({ column, key: words.slice(0, index + 1).join("/"), name: words.slice(index + 1).join("/") })),
      ]
    : [{ column, key: undefined, name: rest }];
  const current = locations.find((location) => currentValue(location, live) !== undefined) ?? locations[0]!;
  return { ...current, mark, value: currentValue(current, live) };
}
