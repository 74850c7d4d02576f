import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "../plan/layout";

/** Description of a sandbox, kept in its folder. */
export interface Kept extends Layout {
  readonly instance: string;
}

/** Reads it; undefined if it is missing or incomplete, as after an interrupted `up`. */
export const readLayout = async (folder: string): Promise<Kept | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, "sandbox.json"), "utf8")) as Kept;
  } catch {
    return undefined;
  }
};

/** `ready`, the log of what failed, or nothing while the work continues. */
export const outcome = async (folder: string): Promise<string | undefined> => {
  if ((await readFile(join(folder, "ready")).catch(() => undefined)) !== undefined) return "ready";
  return readFile(join(folder, "failed"), "utf8").then(
    (text) => text.slice(-2000) || "see its folder",
    () => undefined,
  );
};
