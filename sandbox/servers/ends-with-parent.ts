import type { Command } from "../kit/process";
import { findOnPath } from "../tools/path";

/** The kernel ends the program when the process that started it dies, however it dies. */
export const endsWithParent = ({ file, args }: Command): Command => {
  const setpriv = findOnPath("setpriv");
  return setpriv === undefined ? { file, args } : { file: setpriv, args: ["--pdeathsig", "KILL", file, ...args] };
};
