import { listed as shared } from "@pulumi-ovn/provider/tools";

/** Names as a list that stays readable. */
export const listed = (names: readonly string[]): string => shared(names, 8);
