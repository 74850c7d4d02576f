import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isKeptName, keptIn, type KeptUpdate, type Problem } from "@pulumi-ovn/provider/agent";
import { problemOf } from "./problem";

/** Last updates of a host's resources, and files that hold no update. */
export interface Kept {
  readonly updates: readonly KeptUpdate[];
  readonly problems: readonly Problem[];
}

/** Reads the folder that updates write to. One that does not exist is empty. */
export async function readKept(folder: string): Promise<Kept> {
  const updates: KeptUpdate[] = [];
  const problems: Problem[] = [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names.filter(isKeptName).sort()) {
    try {
      updates.push(keptIn(await readFile(join(folder, name), "utf8"), name));
    } catch (error) {
      // An update has removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") problems.push(problemOf(join(folder, name), error));
    }
  }
  return { updates, problems };
}
