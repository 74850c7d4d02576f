import { constants, enableCompileCache } from "node:module";
import { join } from "node:path";
import { projectCache, userCache } from "./folders";
import { pruneCompiled } from "./pruning";

// The sandbox keeps its programs there.
export { userCache } from "./folders";

/** Processes that load this package. */
export type Loader = "program" | "provider" | "command";

const STARTED = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/](run|dynamic-provider)[\\/]/;

/** What this process is if Pulumi has started it: not somebody's own program that holds a stack program (Automation API), nor a test. */
export function startedByPulumi(script: string | undefined = process.argv[1]): Loader | undefined {
  const started = STARTED.exec(script ?? "")?.[1];
  return started === undefined ? undefined : started === "run" ? "program" : "provider";
}

/**
 * Where modules are kept compiled, best first: beside the installed package, else with the user. They are code, so never in a folder for
 * temporary files, where others may write. Programs and providers have folders of their own: Pulumi sets a flag of V8 in programs, so
 * neither can use what the other has compiled, and each would write the other's files again, at each start.
 */
export function compiledFolders(loader: Loader, caches: readonly (string | undefined)[] = [projectCache(), userCache()]): string[] {
  return caches.filter((cache) => cache !== undefined).map((cache) => join(cache, "compiled", loader));
}

/**
 * Keeps the modules that this process loads from now on compiled for those that come after it: each of Pulumi's operations starts several
 * processes, which load the same hundreds. Where NODE_COMPILE_CACHE names a folder, that stays in use, and NODE_DISABLE_COMPILE_CACHE
 * is heeded; where no folder can be written, modules are compiled each time.
 */
export function keepCompiled(loader: Loader): void {
  // A Node.js that is too old has no such function; what tells the user of it is loaded later.
  const enable = enableCompileCache as typeof enableCompileCache | undefined;
  if (enable !== undefined) compiledFolders(loader).find((folder) => enable(folder).status !== constants.compileCacheStatus.FAILED);
  // At the end, when nobody waits. Providers are killed; the programs and commands of the same user do it for them.
  const cache = userCache();
  if (cache !== undefined) process.once("exit", () => pruneCompiled(cache));
}

/** The option of Node.js that loads a module before anything else. */
export function preloading(module: string): string {
  return `--require ${JSON.stringify(module)}`;
}

/**
 * For a process that Pulumi may have started. Any other one decides for itself what it keeps.
 * @param preload the module that calls this. Its option has reached the last process that it is meant for, so those that this one starts,
 * such as programs for credentials, with a Node.js of their own, are without it.
 */
export function keepCompiledByKind(preload: string): void {
  const loader = startedByPulumi();
  if (loader === undefined) return;
  keepCompiled(loader);
  const rest = process.env["NODE_OPTIONS"]?.replace(preloading(preload), () => "").trim();
  if (rest) process.env["NODE_OPTIONS"] = rest;
  else delete process.env["NODE_OPTIONS"];
}
