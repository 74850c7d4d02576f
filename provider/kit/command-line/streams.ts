import { setImmediate } from "node:timers/promises";

/** Errors of a closed terminal or pipe: the reader has ended. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["EIO", "EPIPE"]);

let failure: Error | undefined;

const keep = (error: NodeJS.ErrnoException): void => {
  if (!CLOSED.has(error.code)) failure ??= error;
};
const ignore = (): void => undefined;

/**
 * Continues a program whose output can't be written, for example in the middle of a stage of an upgrade. The listeners stay installed: a slow
 * reader may end after the program.
 */
export function outliveOutput(stdout: NodeJS.WriteStream = process.stdout, stderr: NodeJS.WriteStream = process.stderr): void {
  failure = undefined;
  stdout.off("error", keep).on("error", keep);
  stderr.off("error", ignore).on("error", ignore);
}

/** Reason why standard output is incomplete, such as a full disk. Undefined if the reader has ended. */
export async function outputFailure(): Promise<Error | undefined> {
  // Streams tell of a failure after the write.
  await setImmediate();
  return failure;
}
