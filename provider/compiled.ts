import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where modules are kept compiled: of this user alone, as they are code, and not in a folder for temporary files, where others may write.
 * Undefined for a user without a home, such as a container's that has no name.
 */
export function compiledFolder(environment: Readonly<NodeJS.ProcessEnv> = process.env, home: () => string = homedir): string | undefined {
  try {
    return join(environment["XDG_CACHE_HOME"] || join(home(), ".cache"), "pulumi-ovn", "modules");
  } catch {
    return undefined;
  }
}

/**
 * Keeps the modules that this process loads from now on compiled for those that come after it: each of Pulumi's operations starts several
 * processes, which load the same hundreds. Where NODE_COMPILE_CACHE names a folder, that stays in use, and NODE_DISABLE_COMPILE_CACHE
 * is heeded; where the folder can't be written, modules are compiled each time.
 */
export function keepCompiled(): void {
  const folder = compiledFolder();
  if (folder !== undefined) enableCompileCache(folder);
}
