import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder on a file system of its own, of 1 MB. Needs root. */
export class SmallDisk implements Disposable {
  constructor(readonly folder: string) {
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", folder]);
  }

  /** Fills the disk up to this number of bytes. */
  fill(free: number): void {
    const { bavail, bsize } = statfsSync(this.folder);
    writeFileSync(this.#filling, Buffer.alloc(bavail * bsize - free));
  }

  empty(): void {
    rmSync(this.#filling);
  }

  get #filling(): string {
    return join(this.folder, "filling");
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["--lazy", this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}
