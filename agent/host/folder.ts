import { watch, type FSWatcher } from "node:fs";
import { basename } from "node:path";

/** Milliseconds after which a folder that is not there is looked for again. */
const AGAIN = 1_000;

/**
 * Tells of names that come in a folder, until it is called off. The folder may come later, and be made again: a service that stops
 * takes its folder in /run with it.
 *
 * @param came the folder is there again; what was made in it meanwhile was not told
 */
export function watchFolder(folder: string, heard: (name: string) => void, came: () => void): () => void {
  let ended = false;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = (again: boolean) => {
    try {
      const opened = watch(folder, { persistent: false }, (_, name) => {
        // That is what the end of the folder itself looks like (inotify(7): IN_DELETE_SELF, IN_MOVE_SELF).
        if (name === basename(folder)) lost(opened);
        else if (name !== null) heard(name);
      });
      watcher = opened;
      opened.on("error", () => lost(opened));
      if (again) came();
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
