import type { Properties } from "./handler";

/** Stands in texts for what must not be read. */
const HIDDEN = "[secret]";

/**
 * Takes what is secret among a resource's arguments out of texts. The arguments arrive as plain text; `redact` names
 * those that hold a secret, and everything inside of them counts as one.
 */
export function hideSecrets(text: string, { redact, ...properties }: Properties): string {
  if (!Array.isArray(redact)) return text;
  const secrets = [...new Set(redact.flatMap((name) => atomsOf(properties[String(name)])))].sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return text;
  // A number is no secret as a part of another one; case differs in addresses.
  const words = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return text.replace(new RegExp(`(?<![A-Za-z0-9])(?:${words})(?![A-Za-z0-9])`, "gi"), HIDDEN);
}

/** Of an address with a prefix length, messages may show the address alone. */
function withAddress(text: string): string[] {
  return [text, ...(/^[0-9a-f.:]+\/\d+$/i.test(text) ? [text.split("/")[0]!] : [])].filter(Boolean);
}

function atomsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(atomsOf);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(atomsOf);
  return typeof value === "string" || typeof value === "number" ? withAddress(String(value)) : [];
}
