import type { Value } from "@pulumi-ovn/ovsdb-client";
import type { LiveRow } from "../database/row";
import type { ContributionLocation } from "../set";

/** Live value of a contribution; undefined without one, "" for an element of a set. */
export function currentValue({ column, key, name }: ContributionLocation, live: LiveRow): string | undefined {
  if (key === undefined) return elements(live[column]).includes(name!) ? "" : undefined;
  const text = entryOf(live, column, key);
  return name === undefined ? text : listItems(text).find((item) => item.name === name)?.value;
}

function elements(set: Value | undefined): string[] {
  return Array.isArray(set) ? set.map(String) : set === null || set === undefined ? [] : [String(set)];
}

export function entryOf(live: LiveRow, column: string, key: string): string | undefined {
  const map = live[column];
  const value = map instanceof Map ? (map as ReadonlyMap<unknown, unknown>).get(key) : undefined;
  return value === undefined ? undefined : String(value);
}

export interface Item {
  readonly name: string;
  readonly value: string;
  /** Original text in the list: foreign items stay unchanged. */
  readonly text: string;
}

export function listItems(list: string | undefined): Item[] {
  if (list === undefined || list === "") return [];
  return list.split(",").map((text) => {
    const [name = "", ...rest] = text.trim().split(":");
    return { name, value: rest.join(":"), text };
  });
}
