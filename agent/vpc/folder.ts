import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isKeptName, keptIn, type KeptUpdate, type Problem } from "@pulumi-ovn/provider/agent";
import { readKeptFile, requireOwnFolder } from "./kept-file";
import { problemOf } from "./problem";

/** Last updates of a host's resources, and files that hold no update. */
export interface Kept {
  readonly updates: readonly KeptUpdate[];
  readonly problems: readonly Problem[];
}

/** Reads the folder that updates write to. A missing folder is empty. Throws an AgentError if other users can write to the folder. */
export async function readKept(folder: string): Promise<Kept> {
  const updates: KeptUpdate[] = [];
  const problems: Problem[] = [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length > 0) await requireOwnFolder(folder);
  for (const name of names.filter(isKeptName).sort()) {
    try {
      updates.push(keptIn(await readKeptFile(join(folder, name)), name));
    } catch (error) {
      // An update has just removed the file.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") problems.push(problemOf(join(folder, name), error));
    }
  }
  return { updates, problems };
}
