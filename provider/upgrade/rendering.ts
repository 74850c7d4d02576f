import type { ZodObject } from "zod";
import type { RowSet } from "../rows/rowset";
import { kinds } from "../topology";
import type { StackResource } from "./network";

interface AnyKind {
  readonly schema: ZodObject;
  readonly render: (args: unknown) => { readonly set: RowSet };
}

/** Last part of a resource's type. */
export function kindOf({ type }: StackResource): string {
  return type.slice(type.lastIndexOf(":") + 1);
}

/** The rows of a resource, from its inputs alone; undefined when it has none, or when its arguments are hidden as secrets. */
export function renderedRows(resource: StackResource): RowSet | undefined {
  const name = kindOf(resource);
  if (!Object.hasOwn(kinds, name)) return undefined;
  const { schema, render } = kinds[name as keyof typeof kinds] as unknown as AnyKind;
  const given = Object.keys(schema.shape).flatMap((argument) => (resource.inputs[argument] === undefined ? [] : [[argument, resource.inputs[argument]]]));
  const parsed = schema.safeParse(Object.fromEntries(given));
  return parsed.success ? render(parsed.data).set : undefined;
}
