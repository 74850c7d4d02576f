import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Folders to search for programs, in the order of preference: those of PATH together, then each that the sandbox has fetched, newest first. */
export function programFolders(environment: NodeJS.ProcessEnv): readonly (readonly string[])[] {
  const installed = [...(environment.PATH ?? "").split(delimiter).filter(Boolean), "/usr/local/sbin", "/usr/sbin", "/sbin"];
  return [installed, ...fetched(environment).map((folder) => [folder])];
}

/** Paths of programs by name. Undefined unless the folders have all of them. */
export function pathsIn<Name extends string>(folders: readonly string[], names: readonly Name[]): Readonly<Record<Name, string>> | undefined {
  const paths = names.map((name) => [name, folders.map((folder) => join(folder, name)).find(isExecutable)] as const);
  return paths.every(([, path]) => path !== undefined) ? (Object.fromEntries(paths) as Record<Name, string>) : undefined;
}

/** Folders of the sandbox's cache; see PULUMI_OVN_CACHE. */
function fetched({ PULUMI_OVN_CACHE: own, XDG_CACHE_HOME: user }: NodeJS.ProcessEnv): string[] {
  const cache = own || join(user || join(homedir(), ".cache"), "pulumi-ovn");
  if (!existsSync(cache)) return [];
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
