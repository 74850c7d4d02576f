import { type AnyKind, type KubernetesObject, kinds } from "@pulumi-ovn/provider";
import { objectId, objectLabel, objectSetDigest, objectWords, readObjectLines, readWord } from "@pulumi-ovn/provider/tools";
import type { ZodType } from "zod";
import type { Known } from "./known";
import type { State } from "../plan/preview";

interface AnyObjectKind {
  readonly schema: ZodType;
  readonly render: (args: unknown, observed: unknown) => { readonly set: { readonly objects: readonly KubernetesObject[] } };
}

/** Whether a resource consists of objects in a Kubernetes cluster. */
export function isOfCluster({ inputs }: State): boolean {
  return inputs.cluster !== undefined;
}

/** The objects of a resource, field by field at any size; undefined where its arguments do not give those of the preview. */
export function objectsFromArguments({ type, inputs }: State): Known | undefined {
  const name = type.slice(type.lastIndexOf(":") + 1);
  const kind = Object.hasOwn(kinds, name) ? (kinds[name as keyof typeof kinds] as unknown as AnyKind) : undefined;
  if (kind?.backend !== "objects") return undefined;
  const { schema, render } = kind as unknown as AnyObjectKind & { readonly schema: { readonly shape: object } };
  try {
    const args = schema.parse(
      Object.fromEntries(Object.keys(schema.shape).flatMap((argument) => (inputs[argument] === undefined ? [] : [[argument, inputs[argument]]]))),
    );
    const { set } = render(args, inputs.observed);
    if (objectSetDigest(set) !== inputs.digest) return undefined;
    return {
      rows: new Map(set.objects.map((object) => [objectId(object), { label: objectLabel(object), words: objectWords(object).map(readWord) }])),
      tables: new Map(),
    };
  } catch {
    // Arguments of another release; the lines are there.
    return undefined;
  }
}

/** The objects as a preview shows them. */
export function objectsFromLines(lines: Readonly<Record<string, string>>): Known {
  const { rows, tables } = readObjectLines(lines);
  return { rows: new Map([...rows].map(([label, words]) => [label, { label, words }])), tables };
}
