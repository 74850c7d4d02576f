import { ClaimBook, type ProgramClaim } from "@pulumi-ovn/provider";
import { PerRun } from "../per-run";
import { refusal } from "../program-error";

/** What the components of this run have, and say. */
const book = new PerRun(() => new ClaimBook());

/** Throws a ProgramError that names both sides of everything that another component of the program has already. */
export function claimInProgram(component: string, zones: Iterable<string>, claims: readonly ProgramClaim[]): void {
  const failures = book.current.enter({ name: component, zones: new Set(zones) }, claims);
  if (failures.length > 0) throw refusal(component, failures);
}
