import { HIDDEN } from "../../kit/text/hidden";
import type { Properties } from "./handler";
import { formsOf } from "./secret-forms";
import { partsOf, tellingPartsOf } from "./secret-parts";
import { isWithin, type SecretPath, valueAt } from "./secret-paths";

/** Arguments as plain text, and where they are secret. */
export interface KnownSecrets {
  readonly properties: Properties;
  readonly secrets: readonly SecretPath[];
}

/**
 * Takes what is secret out of texts.
 * @param at property that the text is about: of a secret there even short parts are taken out
 */
export type Cleaner = (text: string, at?: string) => string;

/** Cleans all texts of one request. Looks for the secrets once, for the first text. Most requests have none. */
export function cleanerOf(known: () => readonly KnownSecrets[]): Cleaner {
  let found: { readonly everywhere: RegExp | undefined; readonly within: (at: string) => RegExp[] } | undefined;
  return (text, at) => {
    if (found === undefined) {
      const values = known().flatMap(secretValues);
      found = { everywhere: patternOf(values), within: partsWithin(values) };
    }
    if (found.everywhere === undefined) return text;
    const parts = at === undefined ? [] : found.within(at);
    return parts.length === 0 ? text.replace(found.everywhere, HIDDEN) : hideAll(text, [found.everywhere, ...parts]);
  };
}

/** Returns a pattern that finds every secret in texts, ignoring case. Undefined without secrets. */
export function secretPattern(properties: Properties, secrets: readonly SecretPath[]): RegExp | undefined {
  return patternOf(secretValues({ properties, secrets }));
}

/** Secret value at a path. */
interface SecretValue {
  readonly path: SecretPath;
  readonly atoms: readonly string[];
}

function secretValues({ properties, secrets }: KnownSecrets): SecretValue[] {
  return secrets.map((path) => ({ path, atoms: atomsOf(valueAt(properties, path), path !== LIST) }));
}

function patternOf(values: readonly SecretValue[]): RegExp | undefined {
  const atoms = [...new Set(values.flatMap((value) => value.atoms))];
  const patterns = new Map(atoms.flatMap(tellingPartsOf).map((part) => [part, asWord(part)]));
  // A part may be the whole of another secret, which is hidden inside of words, too.
  for (const form of atoms.flatMap(formsOf)) patterns.set(form, COMMON.test(form) ? asWord(form) : literal(form));
  return anyOf(patterns);
}

/** Patterns of the parts of what is secret around a property, each made once. */
function partsWithin(values: readonly SecretValue[]): (at: string) => RegExp[] {
  const made = new Map<SecretValue, RegExp | undefined>();
  return (at) =>
    values
      .filter(({ path }) => isWithin(at, path))
      .flatMap((value) => {
        if (!made.has(value)) made.set(value, anyOf(new Map(value.atoms.flatMap(partsOf).map((part) => [part, asWord(part)]))));
        return made.get(value) ?? [];
      });
}

/** @param patterns by the texts that they are for */
function anyOf(patterns: ReadonlyMap<string, string>): RegExp | undefined {
  const longestFirst = [...patterns].sort(([a], [b]) => b.length - a.length);
  return longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(([, pattern]) => pattern).join("|"), "gi");
}

/** Hides what any of the patterns finds; where two of them overlap, all of both. */
function hideAll(text: string, patterns: readonly RegExp[]): string {
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  let [clean, end] = ["", 0];
  for (const { index, 0: match } of found) {
    if (index >= end) clean += text.slice(end, index) + HIDDEN;
    end = Math.max(end, index + match.length);
  }
  return clean + text.slice(end);
}

/** Numbers, addresses and short words are not hidden as a part of a longer text. */
const COMMON = /^(?:[\s0-9a-f.:/,_-]*|[^]{1,5})$/i;

function asWord(text: string): string {
  return `(?<![A-Za-z0-9])${literal(text)}(?![A-Za-z0-9])`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Property that refers to a list that another resource holds. One secret in the list makes the property secret, although names in the list may be public. */
const LIST = "members";

/** Form of argument names, which are not secret. A value does not show whether a name is a key of a map. */
const ARGUMENT = /^[a-z][A-Za-z]*$/;

/** Names in a secret map are as secret as what they name. */
function atomsOf(value: unknown, names: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => atomsOf(item, names));
  if (typeof value === "object" && value !== null)
    return [
      ...(names ? Object.keys(value).filter((name) => !COMMON.test(name) && !ARGUMENT.test(name)) : []),
      ...Object.values(value).flatMap((item) => atomsOf(item, names)),
    ];
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
