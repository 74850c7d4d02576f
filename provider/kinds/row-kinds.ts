import type { RowKind } from "../backends/rows/kind";
import { kindOfType, TYPE_PREFIX } from "../kit/provider-text";
import type { AnyKind } from "./define";
import { kinds } from "./table";

type Kinds = typeof kinds;

/** Any kind whose rows follow from its arguments only. Its `render` takes what its schema returns. */
export type AnyRowKind = RowKind<never>;

export type RowKindName = { [Name in keyof Kinds]: Kinds[Name] extends RowKind<infer _Args> ? Name : never }[keyof Kinds];

export function rowKind(name: RowKindName): AnyRowKind {
  return kinds[name] as unknown as AnyRowKind;
}

/** Kind of a resource type. Undefined if such resources have no rows, observe facts, or are another provider's. */
export function rowKindOfType(type: string): AnyRowKind | undefined {
  const name = kindOfType(type);
  if (!type.startsWith(TYPE_PREFIX) || !Object.hasOwn(kinds, name)) return undefined;
  const kind = kinds[name as keyof Kinds] as unknown as AnyKind;
  return kind.backend === "rows" && !kind.observe ? (kind as unknown as AnyRowKind) : undefined;
}
