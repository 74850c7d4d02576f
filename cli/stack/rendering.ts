import { argumentNames, kindOfType, type RowSet, rowKindOfType } from "@pulumi-ovn/provider";
import type { StackResource } from "./resource";

export function kindOf({ type }: StackResource): string {
  return kindOfType(type);
}

/** The resource's own arguments, as its kind takes them; undefined when it has no rows. */
export function argumentsOf(resource: StackResource): Readonly<Record<string, unknown>> | undefined {
  const kind = rowKindOfType(resource.type);
  return kind && argumentsIn(kind.schema, resource.inputs);
}

/** The inputs that are arguments of a kind with this schema. */
export function argumentsIn(schema: Parameters<typeof argumentNames>[0], inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(argumentNames(schema).flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]]])));
}

/** The rows of a resource, only from its inputs. Undefined if it has no rows or its arguments are hidden as secrets. */
export function renderedRows(resource: StackResource): RowSet | undefined {
  const kind = rowKindOfType(resource.type);
  if (!kind) return undefined;
  const parsed = kind.schema.safeParse(argumentsOf(resource));
  return parsed.success ? kind.render(parsed.data).set : undefined;
}
