import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cacheIn } from "@pulumi-ovn/provider/cache";
import { isErrno, SandboxError } from "./errors";

/** Folder of downloaded and built tools: `PULUMI_OVN_CACHE`, or the package's folder in the user's cache folder. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env, home?: () => string): string => {
  const folder = cacheIn(env, home);
  if (folder === undefined)
    throw new SandboxError(
      "no-cache",
      "this user has no home folder, in which the programs of the sandbox would be kept",
      "Name a folder for them: PULUMI_OVN_CACHE=/path",
    );
  return folder;
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Creates `folder` once: `make` fills a private folder, which is renamed in one step, so an interrupted run leaves nothing that looks complete.
 * A second process waits for the first.
 * @returns whether this call created it
 */
export const makeOnce = async (folder: string, make: (scratch: string) => Promise<void>, onWait?: () => void): Promise<boolean> => {
  if (await exists(folder)) return false;
  await mkdir(dirname(folder), { recursive: true });
  const unlock = await lock(`${folder}.lock`, onWait);
  const scratch = `${folder}.${process.pid}.part`;
  try {
    if (await exists(folder)) return false;
    await removeParts(folder);
    await mkdir(scratch);
    await make(scratch);
    await rename(scratch, folder);
    return true;
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await unlock();
  }
};

/** Removes partial folders of killed processes. The caller holds the lock. */
const removeParts = async (folder: string): Promise<void> => {
  const parts = (await readdir(dirname(folder))).filter((name) => name.startsWith(`${basename(folder)}.`) && name.endsWith(".part"));
  await Promise.all(parts.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })));
};

/** The lock only saves double work: what is made appears by one rename, so a lock taken over wrongly costs time, not correctness. */
export const lock = async (path: string, onWait?: () => void): Promise<() => Promise<void>> => {
  for (let waited = false; ; waited = true) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    const age =
      Date.now() -
      (await stat(path).then(
        (file) => file.mtimeMs,
        () => Date.now(),
      ));
    // The file is empty for the moment between its creation and its writing.
    if (owner > 0 ? !isAlive(owner) : age > 10_000) await rm(path, { force: true });
    else {
      if (!waited) onWait?.();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, "ESRCH");
  }
};
