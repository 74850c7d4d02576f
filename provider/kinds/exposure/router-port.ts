import { formatPrefix } from "../../kit/address";
import { readable } from "../../kit/address/readable";
import { inOrder } from "../topology/fields";
import type { BgpExposureSpec } from "./args";

type Ids = Readonly<Record<string, string>>;

/** Neutron's key for the address scope of a family, in `external_ids` of a router's port or of the switch's port to it. */
export const SCOPE_KEYS = ([4, 6] as const).map((family) => [String(family), `neutron:subnet_pool_addr_scope${family}`] as const);

/** Neutron's address scope of each family. */
export function scopesIn(ids: Ids): Record<string, string> {
  return Object.fromEntries(SCOPE_KEYS.filter(([, key]) => ids[key] !== undefined).map(([family, key]) => [family, ids[key]!]));
}

/** Returns the entries of `external_ids` that selections ask for, sorted. */
export function labelsIn(ids: Ids, { select, exclude }: Pick<BgpExposureSpec, "select" | "exclude">): Record<string, string> {
  const wanted = [...new Set([select, exclude].flatMap((selection) => Object.keys(selection?.labels ?? {})))].sort();
  return Object.fromEntries(wanted.filter((key) => ids[key] !== undefined).map((key) => [key, ids[key]!]));
}

/**
 * Addresses of a Logical_Router_Port with prefix lengths, without link-local ones, sorted. If northd cannot read all of
 * them, it ignores the port.
 */
export function networksIn(networks: readonly string[]): string[] {
  const read = networks.flatMap(readable);
  return read.length < networks.length ? [] : inOrder(read.map(formatPrefix).filter((text) => !text.startsWith("fe80:")));
}
