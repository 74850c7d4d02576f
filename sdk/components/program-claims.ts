import { ClaimBook, type ProgramClaim } from "@pulumi-ovn/provider";
import { PerRun } from "../per-run";
import { refusal } from "../program-error";

/** Claims of the components of this run. */
const book = new PerRun(() => new ClaimBook());

/** Throws a ProgramError that lists every claim that another component of the program already has. The error names both components. */
export function claimInProgram(component: string, zones: Iterable<string>, claims: readonly ProgramClaim[]): void {
  const failures = book.current.enter({ name: component, zones: new Set(zones) }, claims);
  if (failures.length > 0) throw refusal(component, failures);
}
