import { CommandError } from "../command";
import { seconds } from "../live-stack";

const SHORTEST = 10;
const LONGEST = 3600;

/** Seconds of `--revert-in`. */
export function revertTime(text: string): number {
  const time = seconds("revert-in", text, LONGEST);
  if (time < SHORTEST) throw new CommandError("OVN_USAGE", `--revert-in ${time}: expected seconds, ${SHORTEST} to ${LONGEST}`);
  return time;
}
