import { closeSync, lstatSync, openSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

const DAY = 24 * 60 * 60 * 1000;
/** Folders of Node's compile cache in the user's cache folder; the last one was everybody's in earlier versions. */
const FOLDERS = ["compiled/program", "compiled/provider", "compiled/command", "modules"];

/**
 * Removes compiled modules that were not used for 30 days, at most once a day: Node removes none. Where the file system doesn't say when
 * a file was read, that is 30 days after they were written.
 * @param cache the package's folder in the user's cache folder, which holds other things, too; they stay
 */
export function pruneCompiled(cache: string, now: number = Date.now()): void {
  try {
    const marker = join(cache, ".pruned");
    // Also where the clock was ahead.
    if (Math.abs(now - (statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0)) < DAY) return;
    // First, so that of processes that end at the same time one does the work.
    closeSync(openSync(marker, "a"));
    utimesSync(marker, now / 1000, now / 1000);
  } catch {
    return; // There is no such folder, or it can't be written.
  }
  for (const folder of FOLDERS) pruneFolder(join(cache, folder), now - 30 * DAY);
}

/** Node has a folder in it for each of its versions and each user. A new one is empty until the process that has made it ends. */
function pruneFolder(folder: string, before: number): void {
  for (const version of namesIn(folder)) {
    const path = join(folder, version);
    const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    for (const name of namesIn(path)) ignoringErrors(() => pruneFile(join(path, name), before));
    // Fails unless nothing is left in it.
    if (written < before) ignoringErrors(() => rmdirSync(path));
  }
}

function pruneFile(path: string, before: number): void {
  const file = lstatSync(path);
  if (Math.max(file.atimeMs, file.mtimeMs) < before) rmSync(path);
}

/** None where it isn't a folder itself: what a link leads to is not ours. */
function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Other processes use the folders at the same time, and no run fails for what is only kept to be faster. */
function ignoringErrors(call: () => void): void {
  try {
    call();
  } catch {
    // The next day's tries again.
  }
}
