import * as pulumi from "@pulumi/pulumi";

/** An argument, or the path to a part of one. */
type Path = string | string[];

/**
 * Paths of secret arguments, sorted. Undefined if no argument is secret. A part has its own path if the program passes the part as a
 * secret of its own: a map or list from one output is secret as a whole.
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
  return (await Promise.all(Object.entries(value).map(([key, item]) => pathsIn(item, [...path, key])))).flat();
}
