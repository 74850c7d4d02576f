import { readdir, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Location of a stack's state. */
export interface StackLocation {
  /** URL as `pulumi whoami` prints it: `file:///home/me`, `https://api.pulumi.com`. */
  readonly backend: string;
  /** Base folder for a relative path of the backend. */
  readonly folder: string;
  readonly project: string;
  /** Undefined: any stack of the project, because Pulumi does not report the selected stack while its state is unreadable. */
  readonly stack: string | undefined;
}

/** Milliseconds after which an unchanged file is considered abandoned: writing takes microseconds. */
const PAUSE = 200;

/**
 * Runs an operation on a stack. If the operation fails and a killed Pulumi has left an unreadable state, repairs the state and runs the
 * operation again. With such a state every Pulumi command prints "failed to load checkpoint: EOF".
 * @param location called only after a failure
 */
export async function mending<T>(operation: () => Promise<T>, location: () => Promise<StackLocation>, say: (text: string) => void): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const mended = await mendState(location);
    if (mended.length === 0) throw error;
    say(`a Pulumi that was killed left attributes of the state half written: removed ${mended.join(", ")}`);
    return operation();
  }
}

/**
 * Removes attribute files of a file backend's state that are empty or half written, and returns their paths. They contain a content
 * type and a checksum that are not needed. The state itself is replaced atomically, so it is complete.
 */
async function mendState(location: () => Promise<StackLocation>): Promise<string[]> {
  try {
    const files = await attributeFiles(await location());
    const before = await Promise.all(files.map(brokenSince));
    if (before.every((since) => since === undefined)) return [];
    await setTimeout(PAUSE);
    const after = await Promise.all(files.map(brokenSince));
    const broken = files.filter((_, index) => before[index] !== undefined && before[index] === after[index]);
    await Promise.all(broken.map((file) => rm(file)));
    return broken;
  } catch {
    return []; // the operation's message is better
  }
}

/** When the file was written, if nothing can be read from it; undefined when it is whole, or not there. */
async function brokenSince(file: string): Promise<bigint | undefined> {
  try {
    const text = await readFile(file, "utf8");
    return isJson(text) ? undefined : (await stat(file, { bigint: true })).mtimeNs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Files that Pulumi's library (gocloud.dev/blob/fileblob) writes next to a state, plain or compressed, and next to the stack's tags. */
async function attributeFiles({ backend, folder, project, stack }: StackLocation): Promise<string[]> {
  const root = /^file:\/\/([^?]*)/.exec(backend)?.[1];
  if (root === undefined) return [];
  const path = root.startsWith("~") ? join(homedir(), root.slice(1)) : resolve(folder, root);
  const stacks = join(path, ".pulumi/stacks", project);
  if (stack === undefined)
    return (await readdir(stacks))
      .filter((name) => name.endsWith(".attrs"))
      .sort()
      .map((name) => join(stacks, name));
  // `organization/PROJECT/STACK` is a stack's whole name.
  const base = join(stacks, stack.slice(stack.lastIndexOf("/") + 1));
  return [".json", ".json.gz", ".json.zst", ".pulumi-tags"].map((extension) => `${base}${extension}.attrs`);
}
