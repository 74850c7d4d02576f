import { memo } from "../../kit/memo/memo";
import { digestOf } from "../../kit/digest";
import { type LabelledRow, type RowLines, summarize, WIDTH } from "../rows/lines";
import { atom, PLAIN, type RowWords } from "../rows/set/words";
import { objectDigest } from "./set/marks";
import type { ObjectSet } from "./set";
import type { KubernetesObject } from "../../targets/cluster/object";
import { groupOf, identityOf, refOf, refText } from "../../targets/cluster/reference";

/** Objects as people read them: one line each, or one for each part of it where that is too long for a preview. */
export function objectLines({ objects }: ObjectSet): RowLines {
  return linesOf(objects.map((object) => ({ object, present: true })));
}

/** An object to show, or the position of one that is not there. */
export interface Shown {
  readonly object: KubernetesObject;
  readonly present: boolean;
}

export function linesOf(objects: readonly Shown[]): RowLines {
  return summarize(objects.map(labelled), "objects");
}

/** Equal for equal sets, in any order of objects and fields. */
export function objectSetDigest({ objects }: ObjectSet): string {
  return digestOf(
    objects
      .map((object) => `${identityOf(refOf(object))} ${objectDigest(object)}`)
      .sort()
      .join("\n"),
  );
}

function labelled({ object, present }: Shown): LabelledRow {
  const { kind, apiVersion } = object;
  const group = groupOf(apiVersion);
  return { table: group === "" ? kind : `${kind}.${group}`, label: refText(refOf(object)), words: present ? wordsOf(object) : undefined, apart: true };
}

/** Contents of an object without its label. */
function contentsOf({
  apiVersion: _version,
  kind: _kind,
  metadata: { name: _name, namespace: _namespace, ...metadata },
  ...fields
}: KubernetesObject): Record<string, unknown> {
  return { ...(Object.keys(metadata).length > 0 && { metadata }), ...fields };
}

/**
 * All fields as `spec.asn=64512`. Long lines are split by list items, whose fields are named relative to them. A check shows the same
 * lines as a refresh.
 */
const wordsOf = memo((object: KubernetesObject): RowWords => {
  const contents = contentsOf(object);
  const whole = flat(contents, "");
  if (whole.join(" ").length <= WIDTH) return [["", whole]];
  const parts = new Map<string, string[]>();
  collect(contents, "", "", parts);
  return [...parts].filter(([, words]) => words.length > 0);
});

/** Every field, by its name in the whole object, at any length. */
export function objectWords(object: KubernetesObject): string[] {
  return flat(contentsOf(object), "");
}

/** Every field in one list of words. */
function flat(value: unknown, path: string): string[] {
  const parts = new Map<string, string[]>();
  collect(value, path, path, parts, true);
  return [...parts.values()].flat();
}

/**
 * @param at the list item that the words belong to; "" is the object itself
 * @param path of the value
 * @param whole whether words of list items go to the object itself
 */
function collect(value: unknown, at: string, path: string, parts: Map<string, string[]>, whole = false): void {
  const words = parts.get(at) ?? [];
  parts.set(at, words);
  const name = at !== "" && path.startsWith(`${at}.`) ? path.slice(at.length + 1) : path;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null)) words.push(`${name}=${value.length === 0 ? "[]" : value.map(scalar).join(",")}`);
    else value.forEach((item, index) => collect(item, whole ? at : `${path}[${index}]`, `${path}[${index}]`, parts, whole));
  } else if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, content]) => content !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (fields.length === 0 && name !== "") words.push(`${name}={}`);
    for (const [field, content] of fields) collect(content, at, path === "" ? segment(field) : `${path}.${segment(field)}`, parts, whole);
  } else words.push(`${name}=${scalar(value)}`);
}

function segment(field: string): string {
  return PLAIN.test(field) ? field : JSON.stringify(field);
}

export function scalar(value: unknown): string {
  if (typeof value === "string") return value === "" ? '""' : atom(value);
  return JSON.stringify(value) ?? "nothing";
}
