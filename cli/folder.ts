import { statSync } from "node:fs";

/** Whether a path is that of an existing folder. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
