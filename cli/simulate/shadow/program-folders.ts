import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheIn } from "@pulumi-ovn/provider/cache";

/** Folders to search for programs, in the order of preference: those of PATH together, then each that the sandbox has fetched, newest first. */
export function programFolders(environment: NodeJS.ProcessEnv): readonly [readonly string[], ...(readonly string[])[]] {
  const installed = [...(environment.PATH ?? "").split(delimiter).filter(Boolean), "/usr/local/sbin", "/usr/sbin", "/sbin"];
  return [installed, ...fetched(environment).map((folder) => [folder])];
}

/** Paths of programs by name. Undefined unless the folders have all of them. */
export function pathsIn<Name extends string>(folders: readonly string[], names: readonly Name[]): Readonly<Record<Name, string>> | undefined {
  const paths = names.map((name) => [name, folders.map((folder) => join(folder, name)).find(isExecutable)] as const);
  return paths.every(([, path]) => path !== undefined) ? (Object.fromEntries(paths) as Record<Name, string>) : undefined;
}

/** Folders of programs that the sandbox has fetched. */
function fetched(environment: NodeJS.ProcessEnv): string[] {
  const cache = cacheIn(environment);
  if (cache === undefined || !existsSync(cache)) return [];
  const trees = readdirSync(cache).filter((name) => /^ovn-\w+-\d+$/.test(name));
  return trees.reverse().map((name) => join(cache, name, "bin"));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
