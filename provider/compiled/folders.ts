import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Everything that this package keeps in the user's cache folder. Paths that are not absolute are ignored, as the XDG Base Directory Specification wants it; undefined where none is left, such as for a container's user without a name. */
export function userCache(environment: Readonly<NodeJS.ProcessEnv> = process.env, home: () => string = homedir): string | undefined {
  const xdg = environment["XDG_CACHE_HOME"] ?? "";
  if (isAbsolute(xdg)) return join(xdg, "pulumi-ovn");
  try {
    const folder = home();
    return isAbsolute(folder) ? join(folder, ".cache", "pulumi-ovn") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What this package keeps in the `node_modules` of the project that it is installed in. Node has an entry for each path of a module:
 * in the user's folder, each checkout's would stay when it has gone.
 * @param own this file's folder; one of this repository's is in no `node_modules`
 */
export function projectCache(own: string = __dirname): string | undefined {
  const modules = /^.*?[\\/]node_modules(?=[\\/])/.exec(own)?.[0];
  return modules === undefined ? undefined : join(modules, ".cache", "pulumi-ovn");
}
