import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Finding, Findings } from "./finding";

const DAY = 24 * 3600 * 1000;

/** Days before the end at which a certificate is a problem, and a note. */
const URGENT = 7;
const SOON = 30;

/** Certificates of a target's `tls`, by what they are, with their ends in milliseconds since 1970. */
export type Expiries = readonly { readonly what: string; readonly expiry: number }[];

/** Reads the ends of a target's certificates. Files that can't be read are left out: the connection fails with them. */
export async function expiriesOf(tls: { certificate?: string | undefined; ca?: string | undefined } | undefined): Promise<Expiries> {
  const files = [
    ["the certificate", tls?.certificate],
    ["the CA certificate", tls?.ca],
  ] as const;
  const read = files.map(async ([what, file]) => {
    try {
      return file === undefined ? [] : [{ what: `${what} ${file}`, expiry: new X509Certificate(await readFile(file)).validToDate.getTime() }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}

/** Pure. */
export function judgeExpiry(findings: Findings, what: string, expiry: number, now: number): void {
  const state: Finding["state"] = expiry - now < URGENT * DAY ? "problem" : expiry - now < SOON * DAY ? "note" : "ok";
  const day = new Date(expiry).toISOString().slice(0, 10);
  const message = expiry < now ? `${what} expired on ${day}` : `${what} is valid until ${day}`;
  if (state === "ok") findings.ok("tls", message);
  else findings[state]("tls", message, "issue a new one");
}
