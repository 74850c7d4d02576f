import * as pulumi from "@pulumi/pulumi";

/** Two egress policies want what only one can have. OVN would take both rows, and which one counts would be chance. */
export class EgressConflictError extends pulumi.RunError {
  readonly code = "OVN_EGRESS_CONFLICT";
}

/** What the egress policies of this program hold: addresses, marks, workload addresses. */
export class EgressClaims {
  readonly #holders = new Map<string, string>();

  /** Claims all or nothing. Throws an EgressConflictError that names the first value that another policy has. */
  claim(policy: string, values: readonly string[]): void {
    for (const value of values) {
      const other = this.#holders.get(value);
      if (other === undefined || other === policy) continue;
      throw new EgressConflictError(`OVN_EGRESS_CONFLICT: EgressIPPolicy "${policy}": ${value} is used by EgressIPPolicy "${other}" already`);
    }
    for (const value of values) this.#holders.set(value, policy);
  }
}
