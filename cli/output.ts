import { setImmediate } from "node:timers/promises";

/** A terminal or a pipe that is gone: nobody reads any more. */
const GONE: ReadonlySet<string | undefined> = new Set(["EIO", "EPIPE"]);

let failure: Error | undefined;

const keep = (error: NodeJS.ErrnoException): void => {
  if (!GONE.has(error.code)) failure ??= error;
};
const ignore = (): void => undefined;

/**
 * Output that can't be written is no reason to end a command in the middle of what it does, such as a stage of an upgrade. Listeners stay: a slow
 * reader may go when the command is through.
 */
export function outliveOutput(stdout: NodeJS.WriteStream = process.stdout, stderr: NodeJS.WriteStream = process.stderr): void {
  failure = undefined;
  stdout.off("error", keep).on("error", keep);
  stderr.off("error", ignore).on("error", ignore);
}

/** Why standard output has not everything, as on a full disk; undefined also where nobody reads it any more. */
export async function outputFailure(): Promise<Error | undefined> {
  // Streams tell of a failure after the write.
  await setImmediate();
  return failure;
}
