import { readdir, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Where a stack's state is. */
export interface StackPlace {
  /** As `pulumi whoami` tells it: `file:///home/me`, `https://api.pulumi.com`. */
  readonly backend: string;
  /** Folder that a relative path of the backend begins at. */
  readonly folder: string;
  readonly project: string;
  /** undefined: any of the project's, where the selected one is not known; with such a state Pulumi does not tell it. */
  readonly stack: string | undefined;
}

/** Milliseconds after which a file that is still the same is nobody's who is writing it: that takes microseconds. */
const PAUSE = 200;

/**
 * Runs an operation on a stack, and once more when it failed beside a state that can't be read since Pulumi was killed, which is
 * mended first. Pulumi says "failed to load checkpoint: EOF" then, whatever it is asked.
 * @param place asked only after a failure
 */
export async function mending<T>(operation: () => Promise<T>, place: () => Promise<StackPlace>, say: (text: string) => void): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const mended = await mendState(place);
    if (mended.length === 0) throw error;
    say(`a Pulumi that was killed left attributes of the state half written: removed ${mended.join(", ")}`);
    return operation();
  }
}

/**
 * Removes the files of attributes beside a file backend's state that are empty or half written; returns their paths. They hold
 * a content type and a checksum that nobody asks for. The state itself is replaced in one step, so it is whole.
 */
async function mendState(place: () => Promise<StackPlace>): Promise<string[]> {
  try {
    const files = await attributeFiles(await place());
    const before = await Promise.all(files.map(brokenSince));
    if (before.every((since) => since === undefined)) return [];
    await setTimeout(PAUSE);
    const after = await Promise.all(files.map(brokenSince));
    const broken = files.filter((_, index) => before[index] !== undefined && before[index] === after[index]);
    await Promise.all(broken.map((file) => rm(file)));
    return broken;
  } catch {
    return []; // what the operation said is the better message
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

/** What Pulumi's library (gocloud.dev/blob/fileblob) writes beside a state, whole or compressed, and beside the stack's tags. */
async function attributeFiles({ backend, folder, project, stack }: StackPlace): Promise<string[]> {
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
