import { hash } from "node:crypto";

/** First 16 characters of the SHA-256 of a text, in base64url. */
export function digestOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16);
}

/** Prefix of the digest of a drifted state. No desired state has such a digest. */
const DRIFT = "drift-";

/** Digest of a live state: that of the desired state, or one of the differences. */
export function liveDigest(desired: string, drift: Readonly<Record<string, string>>): string {
  return Object.keys(drift).length === 0 ? desired : DRIFT + digestOf(JSON.stringify(drift));
}

/** Whether a refresh has found drift. */
export const isDriftDigest = (digest: unknown): boolean => String(digest).startsWith(DRIFT);
