import { listed as shared } from "@pulumi-ovn/provider/tools";

/** Names as a list that stays readable. */
export const listed = (names: readonly string[]): string => shared(names, 8);

/** A count with its noun: `1 row`, `2 rows`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
