import type { Entries } from "./types";

/** Codes of operations on a zone's databases. */
export const rowCodes: Entries = {
  OVN_ABORTED: ["", ""],
  OVN_AMBIGUOUS: ["", ""],
  OVN_CLAIMED: [
    "Another row has the tunnel key or switch name, or another stack the address or MAC on the physical network ([rule](../how-to/external-networks.md#one-address-one-owner)).",
    "Choose another value, or delete the other row.",
  ],
  OVN_CONSTRAINT: ["The database refuses the values.", "Correct the argument of the named row."],
  OVN_CONTENTION: [
    "Another writer changed the rows at 12 attempts, or the object at 6, or a finalizer blocked a deletion for the cluster's `timeout`.",
    "Find it, then run again.",
  ],
  OVN_DATABASE: ["The database refuses the transaction.", "Correct what they name."],
  OVN_FOREIGN_ROW: ["The row belongs to another resource or manager.", "Delete it there, or use `adopt: { owners: [...] }`."],
  OVN_IMMUTABLE: ["", ""],
  OVN_INTERNAL: ["A defect of this package.", "Report text and stack."],
  OVN_MEMBERS: ["`--target` omits the network's `NAME-members`.", "Add the `--target` in the message."],
  OVN_NAME_TAKEN: ["Another row has the same indexed value, usually the name.", "Choose another name, delete the other row, or `adopt` it."],
  OVN_NOT_EMPTY: ["A router or switch to be deleted has rows of other resources.", "Delete those first, or add the `--target` in the message."],
  OVN_NOT_FOUND: ["No row, or several, has the name. With `adopt`: the row or object does not exist.", "Use a UUID; omit `adopt`."],
  OVN_NOT_PROPAGATED: [
    "northd or a chassis did not apply the rows in time, or a remote port has no chassis.",
    "Check the named daemon; set `tunnelAddresses` or start ovn-ic; run again.",
  ],
  OVN_OBSERVED: ["Facts changed since the preview.", "Run again."],
  OVN_PARENT_MISSING: [
    "The parent switch or router does not exist, `--target` left its resource out, or a row of a non-root table has no `parent`.",
    "Pass the parent's `uuid` output. Add the `--target` in the message. After a database restore, run `pulumi up --refresh`.",
  ],
  OVN_REFERENCED: ["", ""],
  OVN_SHARED: ["", ""],
  OVN_VERSION: [
    "The schema is too old: the database would store the rows, and OVN would ignore them.",
    "[Convert it](../how-to/operations.md#the-database-is-too-old).",
  ],
  OVN_ZONE: [
    "The zone is no longer configured, or its endpoint is another zone's.",
    "Configure it, or see [lost zones](../how-to/operations.md#a-zone-is-permanently-lost).",
  ],
};
