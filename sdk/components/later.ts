import * as pulumi from "@pulumi/pulumi";
import { gated } from "../gate";

/** Arguments of a resource, each of which may be an output. */
export type PartArgs = Readonly<Record<string, unknown>>;

/**
 * Result of `make` as soon as the arguments that it needs are known and the checks have passed. It is wrapped in a function, because Pulumi
 * copies all other values that an output holds.
 */
export function later<Needs extends object, Made>(
  needs: Needs,
  make: (known: Needs) => Made,
  checks: readonly pulumi.Output<unknown>[] = [],
): pulumi.Output<() => Made> {
  return pulumi.output(needs).apply(async (known) => {
    const made = make((await gated(known, ...checks)) as Needs);
    return () => made;
  }) as pulumi.Output<() => Made>;
}

/**
 * Splits an output of arguments into single arguments, as a resource takes them.
 *
 * @param names of the arguments
 * @param known arguments that are known: the zone or the host
 */
export function spread<Known extends PartArgs>(names: readonly string[], known: Known, made: pulumi.Output<object>): PartArgs & Known {
  const rest = names.filter((name) => !Object.hasOwn(known, name));
  return { ...Object.fromEntries(rest.map((name) => [name, made.apply((all) => (all as Record<string, unknown>)[name])])), ...known };
}
