import { rm, stat } from "node:fs/promises";
import { lock } from "../kit/cache";
import { isErrno } from "../kit/errors";
import { signalQuietly, until } from "../kit/process";
import { layout } from "../plan/layout";
import { removeSandboxesFolder, sandboxesFolder, sandboxFolder } from "./folder";
import { readLayout } from "./kept";
import { findFirst } from "./namespaces";

/**
 * Ends a sandbox in any state and removes its folder. Does nothing without a sandbox of this name.
 * @returns the instance that was ended
 */
export const down = async (name = "default"): Promise<string | undefined> => {
  const folder = sandboxFolder(layout({ name }).name);
  const instance = (await readLayout(folder))?.instance;
  const present = await stat(sandboxesFolder()).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
  });
  if (present === undefined) return undefined;
  // Taken even without the sandbox's folder: an `up` that was killed may have left its lock.
  const unlock = await lock(`${folder}.lock`);
  try {
    await end(folder);
  } finally {
    await unlock();
  }
  await removeSandboxesFolder();
  return instance;
};

/** Ends the processes of a sandbox and removes its folder; the caller holds the sandbox's lock. */
export const end = async (folder: string): Promise<void> => {
  const first = await findFirst(folder);
  if (first !== undefined) {
    // The kernel ends every process of the namespace with its first one, then `unshare` ends.
    signalQuietly(first.init || first.unshare, "SIGKILL");
    await until(`the end of ${folder}`, 10_000, async () => (await findFirst(folder)) === undefined);
  }
  await rm(folder, { recursive: true, force: true });
};
