import * as pulumi from "@pulumi/pulumi";

/** An argument, or the path to a part of one. */
type Path = string | string[];

/**
 * Where arguments are secret, in one order; undefined when they are nowhere. A part is told from the rest where the program
 * gives it as a secret of its own: a map or list that an output gives as a whole is secret as a whole.
 */
export async function secretsIn(args: object): Promise<Path[] | undefined> {
  const found = await Promise.all(Object.entries(args).map(([name, value]) => pathsIn(value, [name])));
  const paths = found.flat().map((path) => (path.length === 1 ? path[0]! : path));
  return paths.length === 0 ? undefined : paths.sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

async function pathsIn(value: unknown, path: string[]): Promise<string[][]> {
  if (typeof value !== "object" || value === null) return [];
  // A promise may have outputs inside; they count as one, as in what Pulumi sends.
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return (await pulumi.isSecret(pulumi.output(value as unknown))) ? [path] : [];
  return (await Promise.all(Object.entries(value).map(([key, member]) => pathsIn(member, [...path, key])))).flat();
}
