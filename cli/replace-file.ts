import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file atomically: after a kill or a power cut, either the old file or the new file exists. A symbolic link stays a link; mode and owner
 * stay unchanged. A failure, such as a full disk, leaves no temporary file, and its message names the file.
 */
export function replaceFile(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.new`;
  try {
    writeDraft(draft, text, statSync(target, { throwIfNoEntry: false }));
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    (error as Error).message = (error as Error).message.replaceAll(draft, path);
    throw error;
  }
  // The name, too, is on the disk then: what follows may rely on the new file.
  if (process.platform !== "win32") onDisk(openSync(dirname(target), "r"), () => undefined);
}

function writeDraft(draft: string, text: string, before: Stats | undefined): void {
  // With its own mode the file may be more widely readable: only once it is the same owner's.
  onDisk(openSync(draft, "w", before === undefined ? 0o666 : 0o600), (descriptor) => {
    writeFileSync(descriptor, text);
    if (before === undefined) return;
    keepOwner(descriptor, before);
    fchmodSync(descriptor, before.mode & 0o777);
  });
}

/** As far as that is allowed: root may give a file to another one, others may give it to their groups. */
function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

function onDisk(descriptor: number, write: (descriptor: number) => void): void {
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
