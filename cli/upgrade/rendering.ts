import { kindOfType, kinds, type RowSet } from "@pulumi-ovn/provider";
import type { ZodObject } from "zod";
import type { StackResource } from "./network";

interface AnyKind {
  readonly schema: ZodObject;
  readonly render: (args: unknown) => { readonly set: RowSet };
}

export function kindOf({ type }: StackResource): string {
  return kindOfType(type);
}

/** The resource's own arguments, as its kind takes them; undefined when it has no rows. */
export function argumentsOf(resource: StackResource): Readonly<Record<string, unknown>> | undefined {
  const kind = rowKind(resource);
  return (
    kind &&
    Object.fromEntries(
      Object.keys(kind.schema.shape).flatMap((argument) => (resource.inputs[argument] === undefined ? [] : [[argument, resource.inputs[argument]]])),
    )
  );
}

/** The rows of a resource, from its inputs alone; undefined when it has none, or when its arguments are hidden as secrets. */
export function renderedRows(resource: StackResource): RowSet | undefined {
  const kind = rowKind(resource);
  if (!kind) return undefined;
  const parsed = kind.schema.safeParse(argumentsOf(resource));
  return parsed.success ? kind.render(parsed.data).set : undefined;
}

function rowKind(resource: StackResource): AnyKind | undefined {
  const name = kindOf(resource);
  return Object.hasOwn(kinds, name) ? (kinds[name as keyof typeof kinds] as unknown as AnyKind) : undefined;
}
