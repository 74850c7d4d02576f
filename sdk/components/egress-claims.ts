import { Claims } from "../claims";
import { ProgramError } from "../program-error";

/** Two egress policies want what only one can have. OVN would take both rows, and which one counts would be chance. */
export class EgressConflictError extends ProgramError {
  readonly code = "OVN_EGRESS_CONFLICT";
}

const claims = new Claims<string>();

/** Claims addresses, marks and workload addresses, all or nothing. Throws an EgressConflictError that names the first that another policy has. */
export function claimEgress(policy: string, values: readonly string[]): void {
  const conflict = claims.take(values, policy, (other) => other === policy);
  if (!conflict) return;
  throw new EgressConflictError(
    `OVN_EGRESS_CONFLICT: EgressIPPolicy "${policy}": ${conflict.key} is used by EgressIPPolicy "${conflict.other}" already; choose another one`,
  );
}
