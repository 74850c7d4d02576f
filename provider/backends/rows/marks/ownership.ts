import type { Value } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY } from "../../../kit/identity";

/** A row's columns as they were read. */
type Columns = Readonly<Record<string, Value>>;

/** Keys in external_ids by which other managers mark their rows. */
const FOREIGN_MARK = /^(k8s\.ovn\.org\/|neutron:|vendor$)/;

/** The URN in our own mark; undefined when the row has none. */
export function ownerIn(row: Columns): string | undefined {
  const ids = row.external_ids;
  return ids instanceof Map ? (ids.get(OWNER_KEY) as string | undefined) : undefined;
}

/** Owner of a row by its marks: a URN, or another manager's mark as `key=value`; undefined if unowned. */
export function managerOf(row: Columns): string | undefined {
  const owner = ownerIn(row);
  if (owner !== undefined) return owner;
  const ids = row.external_ids instanceof Map ? [...row.external_ids] : [];
  const mark = ids.find(([key]) => FOREIGN_MARK.test(String(key)));
  return mark && `${mark[0]}=${mark[1]}`;
}

/** Whether a list of managers names this one: whole, by its mark's key, or by the key's prefix (`k8s.ovn.org`, `neutron`). */
export function isNamed(manager: string, named: readonly string[]): boolean {
  return named.some(
    (name) => manager === name || (!manager.startsWith("urn:") && [`${name}=`, `${name}/`, `${name}:`].some((prefix) => manager.startsWith(prefix))),
  );
}
