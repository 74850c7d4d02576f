import { mkdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sameJson } from "@pulumi-ovn/provider/tools";
import type { Deployment } from "@pulumi/pulumi/automation";
import { z } from "zod";
import { CommandError } from "../command";
import type { Engine } from "../upgrade/engine";

interface Resource {
  readonly urn: string;
  readonly custom?: boolean;
  readonly id?: unknown;
  readonly inputs?: unknown;
  readonly outputs?: unknown;
}

const kept = z.object({ stack: z.string(), changing: z.array(z.string()), state: z.unknown() });

const resourcesIn = (state: Deployment): readonly Resource[] =>
  ((state.deployment as { resources?: readonly Resource[] | null } | null)?.resources ?? []) as never;

/** State of a stack before an apply. It is kept in the project's folder until the apply is confirmed, or undone and put back. */
export class KeptState {
  readonly path: string;

  constructor(
    folder: string,
    readonly id: string,
  ) {
    this.path = join(folder, ".pulumi-ovn", `apply-${id}.json`);
  }

  /** @param changing URNs that the apply may change */
  save(stack: string, state: Deployment, changing: readonly string[]): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    writeFileSync(this.path, JSON.stringify({ stack, changing, state }), { mode: 0o600, flush: true });
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
    rmSync(this.path, { force: true });
    try {
      rmdirSync(dirname(this.path));
    } catch {
      // Another apply's file is in it.
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
