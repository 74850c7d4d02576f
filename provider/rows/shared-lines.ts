import type { Contribution, RowSet } from "./rowset";

/** `Open_vSwitch . external_ids:ovn-bridge-mappings:locnet`: the row of others, and the place in it. */
export function contributionLabel({ table, row, column, part }: Contribution): string {
  const at = [column, ...(part.kind === "element" ? [] : [part.key]), ...(part.kind === "item" ? [part.name] : [])].join(":");
  return `${table} ${"uuid" in row ? row.uuid : row.name} ${at}${part.kind === "element" ? ` ${elementText(part.element)}` : ""}`;
}

function elementText(element: Extract<Contribution["part"], { kind: "element" }>["element"]): string {
  if (typeof element !== "object") return String(element);
  return "key" in element ? element.key : "uuid" in element ? element.uuid : element.name;
}

/** What a line says of a contribution: the value, or that an element is in its set. */
export function contributionText({ part }: Contribution): string {
  return part.kind === "element" ? "included" : part.value;
}

/** One line for each contribution, by label. */
export function contributionLines(set: RowSet): [string, string][] {
  return (set.contributions ?? []).map((contribution) => [contributionLabel(contribution), contributionText(contribution)]);
}
