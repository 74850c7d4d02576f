import { hash } from "node:crypto";

/** First 16 characters of the SHA-256 of a text, in base64url. */
export function digestOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16);
}

const DRIFT = "drift-";

/** Digest that marks drift, which a check or a refresh has found. No desired state has such a digest. */
export const driftDigest = (digest: string): string => DRIFT + digest;

/** Digest of a live state: that of the desired state, or one of the differences. */
export function liveDigest(desired: string, drift: Readonly<Record<string, string>>): string {
  return Object.keys(drift).length === 0 ? desired : driftDigest(digestOf(JSON.stringify(drift)));
}

/** Whether a check or a refresh has found drift. */
export const isDriftDigest = (digest: unknown): boolean => String(digest).startsWith(DRIFT);
