import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The folders of programs: PATH, and those of the administrator, which an ordinary user's PATH often lacks. */
export const programFolders = (env: NodeJS.ProcessEnv = process.env): string[] => [
  ...new Set([...(env["PATH"] ?? "").split(delimiter).filter(Boolean), "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"]),
];

/** The first executable of this name. */
export const findOnPath = (name: string, folders: readonly string[] = programFolders()): string | undefined =>
  folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
