import type { Contribution, RowSet, ContributionLocation } from "../set";

/** `Open_vSwitch . external_ids:ovn-bridge-mappings:locnet`: the row of others, and the location in it. */
export function contributionLabel(contribution: Contribution): string {
  const { column, part } = contribution;
  if (part.kind === "element") return placeLabel(contribution, { column, key: undefined, name: elementText(part.element) });
  return placeLabel(contribution, { column, key: part.key, name: part.kind === "item" ? part.name : undefined });
}

/** Label of a location without a known contribution, by its row. */
export function placeLabel({ table, row }: Pick<Contribution, "table" | "row">, { column, key, name }: ContributionLocation): string {
  const at = key === undefined ? `${column} ${name}` : [column, key, ...(name === undefined ? [] : [name])].join(":");
  return `${table} ${"uuid" in row ? row.uuid : row.name} ${at}`;
}

function elementText(element: Extract<Contribution["part"], { kind: "element" }>["element"]): string {
  if (typeof element !== "object") return String(element);
  return "key" in element ? element.key : "uuid" in element ? element.uuid : element.name;
}

/** Text of a contribution: its value, or its presence in a set. */
export function contributionText({ part }: Contribution): string {
  return part.kind === "element" ? "included" : part.value;
}

/** One line for each contribution, by label. */
export function contributionLines(set: RowSet): [string, string][] {
  return (set.contributions ?? []).map((contribution) => [contributionLabel(contribution), contributionText(contribution)]);
}
