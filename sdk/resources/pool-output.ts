import * as pulumi from "@pulumi/pulumi";

/**
 * Output of a pool by owner. Mocks of unit tests return no such output; the result is then what a new pool assigns, so that
 * resources which use it get valid values.
 *
 * @param assign throws if the arguments are invalid, which the provider's check reports
 */
export function assignedBy<Assigned>(output: pulumi.Output<Assigned>, args: object, assign: (args: object) => Assigned): pulumi.Output<Assigned> {
  const withArgs = pulumi.all([output as pulumi.Output<Assigned | undefined>, args]);
  return withArgs.apply(([assigned, known]) => assigned ?? attempt(() => assign(known))) as pulumi.Output<Assigned>;
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
