import { watch, type FSWatcher } from "node:fs";
import { basename } from "node:path";

/** Milliseconds between two attempts to open a missing folder. */
const AGAIN = 1_000;

/**
 * Reports names that are added to a folder, until the returned function is called. The folder may be created later, and more than
 * once: a service that stops deletes its folder in /run.
 *
 * @param onAppeared called when the folder exists again; names that were added before this call were not reported
 */
export function watchFolder(folder: string, onName: (name: string) => void, onAppeared: () => void): () => void {
  let ended = false;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = (again: boolean) => {
    try {
      const opened = watch(folder, { persistent: false }, (_, name) => {
        // This event means that the folder itself was deleted or moved (inotify(7): IN_DELETE_SELF, IN_MOVE_SELF).
        if (name === basename(folder)) lost(opened);
        else if (name !== null) onName(name);
      });
      watcher = opened;
      opened.on("error", () => lost(opened));
      if (again) onAppeared();
    } catch {
      later();
    }
  };
  const lost = (of: FSWatcher) => {
    if (of !== watcher) return;
    watcher = undefined;
    of.close();
    later();
  };
  const later = () => {
    if (!ended) timer = setTimeout(() => open(true), AGAIN).unref();
  };
  open(false);
  return () => {
    ended = true;
    clearTimeout(timer);
    watcher?.close();
  };
}
