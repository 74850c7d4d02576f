import { HIDDEN } from "../hidden";
import type { Properties } from "./handler";
import { codedForms } from "./secret-forms";
import { isWithin, type SecretPath, valueAt } from "./secret-paths";

/**
 * Takes what is secret among a resource's arguments out of texts. The arguments arrive as plain text.
 * @param at property that the text is about: of a secret there even short parts are taken out
 */
export function hideSecrets(text: string, properties: Properties, secrets: readonly SecretPath[], at?: string): string {
  const pattern = secretPattern(properties, secrets, at);
  return pattern ? text.replace(pattern, HIDDEN) : text;
}

/** Finds every secret in texts, in any case; undefined where there is none. */
export function secretPattern(properties: Properties, secrets: readonly SecretPath[], at?: string): RegExp | undefined {
  const [atoms, parts] = [new Set<string>(), new Set<string>()];
  for (const path of secrets) {
    const inside = at !== undefined && isWithin(at, path);
    for (const atom of atomsOf(valueAt(properties, path), path !== LIST)) {
      atoms.add(atom);
      for (const part of partsOf(atom, inside)) parts.add(part);
    }
  }
  const patterns = [...[...atoms].flatMap(formsOf).map((form) => [form, patternOf(form)] as const), ...[...parts].map((part) => [part, asWord(part)] as const)];
  const longestFirst = new Map(patterns.sort(([a], [b]) => b.length - a.length));
  return longestFirst.size === 0 ? undefined : new RegExp([...longestFirst.values()].join("|"), "gi");
}

/** A number or an address is no secret as a part of a longer one, nor is a short word. */
const COMMON = /^(?:[\s0-9a-f.:/,_-]*|[^]{1,5})$/i;

function patternOf(text: string): string {
  return COMMON.test(text) ? asWord(text) : literal(text);
}

function asWord(text: string): string {
  return `(?<![A-Za-z0-9])${literal(text)}(?![A-Za-z0-9])`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** How a text may stand in others; of an address with a prefix length messages may show the address alone. */
function formsOf(text: string): string[] {
  const address = /^[0-9a-f.:]+\/\d+$/i.test(text) ? [text.split("/")[0]!] : [];
  return [text, ...address, ...codedForms(text)].filter(Boolean);
}

/** Where a text is judged, a part of it is named: one field of a flow, say. */
const SEPARATORS = /[\s,;=()[\]{}"'|/]+/;

/** Shorter ones are parts of many words. */
const SHORTEST_PART = 4;

/** Elsewhere only what is no word of a language, nor of OVN. */
const TELLING = /^(?=.*\d)(?=.*[a-z]).{6,}$/i;

function partsOf(text: string, all: boolean): string[] {
  return text.split(SEPARATORS).filter((part) => part !== text && (all ? part.length >= SHORTEST_PART : TELLING.test(part)));
}

/** A reference to a list that others tell. One secret in the list makes it one: names in it need not be. */
const LIST = "members";

/** Names of arguments are of this form: they are no secret. Whether a name is one of a map its value does not tell. */
const ARGUMENT = /^[a-z][A-Za-z]*$/;

/** Names in a secret map are as secret as what they name. */
function atomsOf(value: unknown, names: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => atomsOf(item, names));
  if (typeof value === "object" && value !== null) return [...(names ? Object.keys(value).filter((name) => !COMMON.test(name) && !ARGUMENT.test(name)) : []), ...Object.values(value).flatMap((item) => atomsOf(item, names))];
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
