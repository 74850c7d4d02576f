import { HIDDEN } from "../hidden";
import type { Properties } from "./handler";
import { type SecretPath, valueAt } from "./secret-paths";

/** Takes what is secret among a resource's arguments out of texts. The arguments arrive as plain text. */
export function hideSecrets(text: string, properties: Properties, secrets: readonly SecretPath[]): string {
  const pattern = secretPattern(properties, secrets);
  return pattern ? text.replace(pattern, HIDDEN) : text;
}

/** Finds every secret in texts, in any case; undefined where there is none. */
export function secretPattern(properties: Properties, secrets: readonly SecretPath[]): RegExp | undefined {
  const atoms = new Set(secrets.flatMap((path) => atomsOf(valueAt(properties, path))));
  const forms = [...new Set([...atoms].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return forms.length === 0 ? undefined : new RegExp(forms.map(patternOf).join("|"), "gi");
}

/** A number or an address is no secret as a part of a longer one, nor is a short word. */
const COMMON = /^(?:[\s0-9a-f.:/,_-]*|[^]{1,5})$/i;

function patternOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return COMMON.test(text) ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal;
}

/** How a text may stand in others: as it is, escaped, as the data of a Secret; and of an address with a prefix length, messages may show the address alone. */
function formsOf(text: string): string[] {
  const address = /^[0-9a-f.:]+\/\d+$/i.test(text) ? [text.split("/")[0]!] : [];
  const coded = COMMON.test(text) ? [] : [JSON.stringify(text).slice(1, -1), Buffer.from(text).toString("base64")];
  return [text, ...address, ...coded].filter(Boolean);
}

function atomsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(atomsOf);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(atomsOf);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
