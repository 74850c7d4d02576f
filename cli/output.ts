import { setImmediate } from "node:timers/promises";
import { visibleJson, visibleLines } from "@pulumi-ovn/provider/tools";

/** Errors of a closed terminal or pipe: the reader has ended. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["EIO", "EPIPE"]);

let failure: Error | undefined;
let printed = false;

const keep = (error: NodeJS.ErrnoException): void => {
  if (!CLOSED.has(error.code)) failure ??= error;
};
const ignore = (): void => undefined;

/**
 * Continues a command whose output can't be written, for example in the middle of a stage of an upgrade. The listeners stay installed: a slow
 * reader may end after the command.
 */
export function outliveOutput(stdout: NodeJS.WriteStream = process.stdout, stderr: NodeJS.WriteStream = process.stderr): void {
  failure = undefined;
  printed = false;
  stdout.off("error", keep).on("error", keep);
  stderr.off("error", ignore).on("error", ignore);
}

/** Reason why standard output is incomplete, such as a full disk. Undefined if the reader has ended. */
export async function outputFailure(): Promise<Error | undefined> {
  // Streams tell of a failure after the write.
  await setImmediate();
  return failure;
}

/** Names in databases and previews can contain escape sequences: no output passes them on to a terminal. */
const FORMS = { text: visibleLines, json: visibleJson, visible: (text: string) => text } as const;

/**
 * Writes to standard output.
 * @param form "visible": text without control characters of others, which may have colours
 */
export function print(text: string, form: keyof typeof FORMS = "text"): void {
  printed = true;
  process.stdout.write(FORMS[form](text));
}

export const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`, "json");
export const printJsonLine = (value: unknown): void => print(`${JSON.stringify(value)}\n`, "json");

/** Whether the command has printed anything to standard output. */
export const hasPrinted = (): boolean => printed;

/** Writes to standard error. */
export function printError(text: string): void {
  process.stderr.write(visibleLines(text));
}
