import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { RowError } from "../errors";
import type { RowSet } from "../set";

/** Refuses a database that is too old to do what the rows ask for: it would store them and do nothing. */
export function checkRequirements(set: RowSet, schema: DatabaseSchema): void {
  for (const { feature, schema: lowest, release } of set.requires ?? []) {
    if (compareVersions(schema.version, lowest) >= 0) continue;
    throw new RowError(
      "OVN_VERSION",
      `${feature} needs OVN ${release} or newer (schema ${lowest} of ${schema.name}); this database has schema ${schema.version}. Upgrade its OVN central components and run ovsdb-client convert, or ovn-ctl's upgrade, on the database`,
      undefined,
    );
  }
}

/** Negative when left is older. Versions are three numbers with dots (RFC 7047 3.1). */
export function compareVersions(left: string, right: string): number {
  const a = left.split(".").map(Number);
  const b = right.split(".").map(Number);
  return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!;
}
