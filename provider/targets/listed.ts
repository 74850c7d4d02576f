import { listed } from "../kit/text/listed";

/** Names in errors, as many as can be read. */
export const namesOf = (names: readonly string[]): string => listed(names, 12);
