import { seconds } from "../stack/live-stack";

/** Seconds of `--revert-in`. */
export function revertTime(text: string): number {
  return seconds("revert-in", text, 3600, 10);
}
