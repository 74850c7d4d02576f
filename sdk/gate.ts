import * as pulumi from "@pulumi/pulumi";

/**
 * A value that is there once checks have passed. In a preview a check of what is not known yet does not run, and holds up
 * nothing.
 */
export async function gated<T>(value: T, ...checks: readonly pulumi.Output<unknown>[]): Promise<T> {
  // The one public promise of an output that also settles when the value is not known; it fails when the value has failed.
  await Promise.all(checks.map((check) => pulumi.isSecret(check)));
  return value;
}
