import { hash } from "node:crypto";

/** Whether a key of `external_ids` is a mark of this package, which no argument may set. */
export function isMark(key: string): boolean {
  return key.startsWith("pulumi-ovn:");
}

/** The `external_ids` key that names the resource (its URN) a row belongs to. */
export const OWNER_KEY = "pulumi-ovn:owner";

/** The `external_ids` key that names the stack of a row with marks of claims: `PROJECT/STACK`. */
export const STACK_KEY = "pulumi-ovn:stack";

/** Begins the `external_ids` keys that claims of other rows refer to. */
export const CLAIM_MARK = "pulumi-ovn:claim/";

/** Whether a key is one that `DesiredRow.marks` adds. */
export function isClaimMark(key: string): boolean {
  return key === STACK_KEY || key.startsWith(CLAIM_MARK);
}

/** The stack of a URN: `PROJECT/STACK`. Does not change when the stack is renamed, as the URN of a row's owner does not. */
export function stackOf(urn: string): string {
  const [stack = "", project = ""] = urn.slice("urn:pulumi:".length).split("::");
  return `${project}/${stack}`;
}

/**
 * UUID of a row: a function of its owner, table and key, given to OVSDB's `insert` (RFC 7047 5.2.1 with the `uuid` field of ovsdb-server 2.13).
 * A create whose reply was lost can be looked up, two runs can't create duplicates, and reads use `_uuid`, at equal cost in any database.
 *
 * The layout is RFC 9562 version 8: 122 bits of SHA-256.
 */
export function rowUuid(owner: string, table: string, key: string): string {
  const hex = hash("sha256", `${owner}\0${table}\0${key}`, "hex");
  // Version 8, and the variant of RFC 9562: "10" in the two upper bits of the ninth byte.
  const variant = "89ab"[parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a UUID looks like one of `rowUuid`: servers make random ones, of version 4. */
export function isDerivedUuid(uuid: string): boolean {
  return uuid[14] === "8";
}

/** One text for a row of a set, to look it up by. */
export function identity({ table, key }: { readonly table: string; readonly key: string }): string {
  return `${table}\0${key}`;
}
