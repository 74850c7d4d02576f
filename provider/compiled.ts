import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Processes that load this package. */
export type Loader = "program" | "provider" | "command";

const STARTED = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/](run|dynamic-provider)[\\/]/;

/** What this process is if Pulumi has started it: not somebody's own program that holds a stack program (Automation API), nor a test. */
export function startedByPulumi(script: string | undefined = process.argv[1]): Loader | undefined {
  const started = STARTED.exec(script ?? "")?.[1];
  return started === undefined ? undefined : started === "run" ? "program" : "provider";
}

/**
 * Where modules are kept compiled: of this user alone, as they are code, and not in a folder for temporary files, where others may write.
 * Programs and providers have folders of their own: Pulumi sets a flag of V8 in programs, so neither can use what the other has compiled,
 * and each would write the other's files again, at each start. Undefined for a user without a home, such as a container's that has no name.
 */
export function compiledFolder(loader: Loader, environment: Readonly<NodeJS.ProcessEnv> = process.env, home: () => string = homedir): string | undefined {
  try {
    return join(environment["XDG_CACHE_HOME"] || join(home(), ".cache"), "pulumi-ovn", "compiled", loader);
  } catch {
    return undefined;
  }
}

/**
 * Keeps the modules that this process loads from now on compiled for those that come after it: each of Pulumi's operations starts several
 * processes, which load the same hundreds. Where NODE_COMPILE_CACHE names a folder, that stays in use, and NODE_DISABLE_COMPILE_CACHE
 * is heeded; where the folder can't be written, modules are compiled each time.
 */
export function keepCompiled(loader: Loader): void {
  const folder = compiledFolder(loader);
  // A Node.js that is too old has no such function; what tells the user of it is loaded later.
  if (folder !== undefined) (enableCompileCache as typeof enableCompileCache | undefined)?.(folder);
}

/** For a process that Pulumi may have started. Any other one decides for itself what it keeps. */
export function keepCompiledByKind(): void {
  const loader = startedByPulumi();
  if (loader !== undefined) keepCompiled(loader);
}
