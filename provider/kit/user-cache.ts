import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Folder of the programs that the sandbox fetches: `PULUMI_OVN_CACHE`, or the package's folder in the user's cache folder. Relative paths are ignored (XDG Base Directory Specification). Undefined without a home folder, such as for a
 * container's user without a name.
 */
export function cacheIn(environment: Readonly<NodeJS.ProcessEnv> = process.env, home: () => string = homedir): string | undefined {
  if (environment["PULUMI_OVN_CACHE"]) return environment["PULUMI_OVN_CACHE"];
  const xdg = environment["XDG_CACHE_HOME"] ?? "";
  if (isAbsolute(xdg)) return join(xdg, "pulumi-ovn");
  try {
    const folder = home();
    return isAbsolute(folder) ? join(folder, ".cache", "pulumi-ovn") : undefined;
  } catch {
    return undefined;
  }
}
