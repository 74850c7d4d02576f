import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The user's cache folder. Relative paths are ignored (XDG Base Directory Specification). Undefined without a home folder, such as for a
 * container's user without a name.
 */
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
