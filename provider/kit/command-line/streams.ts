import { setImmediate } from "node:timers/promises";
import { visibleLines } from "../text/visible";

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
  // Streams report a failure after the write.
  await setImmediate();
  return failure;
}

/** Exit code of a program that outlives its output. 1 if it succeeds and standard output is incomplete, which is reported on standard error. */
export async function codeWithOutput(program: string, run: () => Promise<number>): Promise<number> {
  outliveOutput();
  const code = await run();
  const incomplete = await outputFailure();
  if (incomplete === undefined) return code;
  process.stderr.write(visibleLines(`${program}: can't write to standard output: ${incomplete.message}\n`));
  return code || 1;
}
