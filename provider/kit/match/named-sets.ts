import { tokenAt } from "./lexer";

/** A set that a match expression refers to. */
export interface SetName {
  readonly table: "Address_Set" | "Port_Group";
  readonly name: string;
}

const TABLES = { addressSet: "Address_Set", portGroup: "Port_Group" } as const;

/** Address sets (`$NAME`) and port groups (`@NAME`) of a match expression, each once. */
export function namedSets(text: string): SetName[] {
  if (!/[$@]/.test(text)) return [];
  const sets = new Map<string, SetName>();
  for (let token = tokenAt(text, 0); token.kind !== "end" && token.kind !== "error"; token = tokenAt(text, token.end)) {
    if (token.kind !== "addressSet" && token.kind !== "portGroup") continue;
    const set = { table: TABLES[token.kind], name: token.text };
    sets.set(`${set.table} ${set.name}`, set);
  }
  return [...sets.values()];
}
