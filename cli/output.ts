import { visibleJson, visibleLines } from "@pulumi-ovn/provider/tools";

let printed = false;

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

/** Begins a command, which has printed nothing. */
export function beginOutput(): void {
  printed = false;
}

/** Writes to standard error. */
export function printError(text: string): void {
  process.stderr.write(visibleLines(text));
}
