import { judgeExpiry } from "./expiry";
import type { DatabaseFacts } from "./database";
import type { Findings } from "./finding";

/**
 * Pure. Judges what holds for any database; returns whether it could be read.
 * @param use what needs write rights. Undefined: this package only reads it in most stacks
 */
export function judgeDatabase(findings: Findings, subject: string, facts: DatabaseFacts, now: number, use: string | undefined): boolean {
  const { endpoints, failure, schema, readOnly, certificateExpiry } = facts;
  if (failure !== undefined) {
    findings.problem(subject, `${endpoints}: ${failure}`);
    return false;
  }
  const found = `${endpoints}: schema ${schema}`;
  if (readOnly === undefined) findings.ok(subject, `${found}, read and write`);
  else if (use === undefined)
    findings.note(subject, `${found}, read only (${readOnly})`, "RemoteChassis and SouthboundRows need an endpoint that takes writes");
  else findings.problem(subject, `${found}, read only (${readOnly})`, `${use}: name an endpoint that takes writes`);
  if (certificateExpiry !== undefined) judgeExpiry(findings, `the certificate of the ${subject} server`, certificateExpiry, now);
  return true;
}
