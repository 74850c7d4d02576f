import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { sameJson } from "@pulumi-ovn/provider/tools";
import type { Deployment } from "@pulumi/pulumi/automation";
import { z } from "zod";
import { CommandError } from "../command";
import { isFolder } from "../folder";
import type { Engine } from "../stack/engine";
import { isAlive } from "../stack/stack-lock";

const FOLDER = ".pulumi-ovn";

interface Resource {
  readonly urn: string;
  readonly custom?: boolean;
  readonly id?: unknown;
  readonly inputs?: unknown;
  readonly outputs?: unknown;
}

const kept = z.object({
  stack: z.string(),
  changing: z.array(z.string()),
  state: z.unknown(),
  /** Number of targets that the apply changes. */
  targets: z.number().default(0),
  /** Process of the command, and its machine. */
  command: z.object({ pid: z.number(), host: z.string() }).optional(),
});

const ID = /^[0-9a-f]{8}$/;
const FILE = /^apply-(.*)\.json$/;

const resourcesIn = (state: Deployment): readonly Resource[] =>
  ((state.deployment as { resources?: readonly Resource[] | null } | null)?.resources ?? []) as never;

/** State of a stack before an apply. It is kept in the project's folder until the apply is confirmed, or undone and put back. */
export class KeptState {
  readonly path: string;

  constructor(
    folder: string,
    readonly id: string,
  ) {
    // It comes from a database, and becomes the name of a file that is deleted.
    if (!ID.test(id)) throw new CommandError("OVN_APPLY_UNKNOWN", `invalid ID of an apply ${JSON.stringify(id)}: expected 8 hexadecimal digits`);
    this.path = join(folder, FOLDER, `apply-${id}.json`);
  }

  /** Saved states of a stack whose commands have ended. */
  static abandoned(folder: string, stack: string): KeptState[] {
    const files = isFolder(join(folder, FOLDER)) ? readdirSync(join(folder, FOLDER)) : [];
    const ids = files.flatMap((name) => FILE.exec(name)?.[1] ?? []).filter((id) => ID.test(id));
    const all = ids.map((id) => new KeptState(folder, id));
    return all.filter((each) => each.#isAbandoned(stack));
  }

  /**
   * Throws a CommandError, and leaves no file, if the state can't be saved.
   * @param changing URNs that the apply may change
   * @param targets number of targets that the apply changes
   */
  save(stack: string, state: Deployment, changing: readonly string[], targets: number): void {
    const command = { pid: process.pid, host: hostname() };
    try {
      createFolder(dirname(this.path));
      writeFileSync(this.path, JSON.stringify({ stack, changing, targets, command, state }), { mode: 0o600, flush: true });
    } catch (error) {
      if (existsSync(this.path)) this.delete();
      const { message, code } = error as NodeJS.ErrnoException;
      const reason = code === "ENOTDIR" ? `${dirname(this.path)} is a file and must be a folder: rename it` : message;
      throw new CommandError("OVN_APPLY_SAVE", `the state from before the change can't be saved (${reason}); nothing is changed`);
    }
  }

  /** Number of targets that the apply changes. Throws a CommandError if the state is not there. */
  get targets(): number {
    return this.#read().targets;
  }

  /** Like `targets`, and 0 on another machine than that of the apply. */
  get targetsIfHere(): number {
    return existsSync(this.path) ? this.targets : 0;
  }

  /** Imports the state. Throws a CommandError if it is not there, or if another update has changed the stack since. */
  async putBack(engine: Engine): Promise<void> {
    const { changing, state } = this.#read();
    const known = new Set(changing);
    const others = (each: Deployment) =>
      resourcesIn(each)
        .filter(({ urn, custom }) => custom === true && !known.has(urn))
        .map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }))
        .toSorted((a, b) => (a.urn < b.urn ? -1 : 1));
    const before = state as Deployment;
    const now = await engine.exportState();
    if (!sameJson(others(before), others(now)))
      throw new CommandError(
        "OVN_APPLY_STATE",
        `another update has changed the stack since apply ${this.id}, so its state is not put back; run "pulumi refresh", and then "pulumi-ovn cancel ${this.id} --forget"`,
      );
    if (!sameJson(resourcesIn(before), resourcesIn(now))) await engine.importState(before);
  }

  /** Deletes the file, and its folder if that is empty. */
  delete(): void {
    // `force` ignores a missing file, but not a file with the name of the folder.
    if (existsSync(this.path)) rmSync(this.path);
    try {
      rmdirSync(dirname(this.path));
    } catch {
      // Another apply's file is in it.
    }
  }

  #isAbandoned(stack: string): boolean {
    try {
      const { stack: own, command } = this.#read();
      return own === stack && command?.host === hostname() && !isAlive(command.pid);
    } catch {
      return false; // It may be a command that is writing the file.
    }
  }

  #read() {
    try {
      return kept.parse(JSON.parse(readFileSync(this.path, "utf8")));
    } catch (error) {
      throw new CommandError(
        "OVN_APPLY_STATE",
        `the state from before apply ${this.id} is in the project's folder on the machine that ran it, and not here (${(error as Error).message}); run the command there, or run "pulumi refresh" with the earlier program, and then "pulumi-ovn cancel ${this.id} --forget"`,
      );
    }
  }
}

/** For this user only. On a read-only file system, `recursive` would fail as if the parent were missing. */
function createFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
