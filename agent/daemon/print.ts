import { printable } from "@pulumi-ovn/ovsdb-client";
import { type Problem, visibleJson, visibleLines } from "@pulumi-ovn/provider/agent";

/** Writes lines of a log to standard error, as they are or as JSON. */
export function logTo(json: boolean): (line: string) => void {
  return (line) =>
    void process.stderr.write(json ? visibleJson(`${JSON.stringify({ time: new Date().toISOString(), message: line })}\n`) : visibleLines(`${line}\n`));
}

/** Prints what a single round has left: lines on standard error, or one object on standard output. Returns the exit code. */
export function printProblems(problems: readonly Problem[], json: boolean): number {
  if (json) printJson({ version: 1, problems });
  else for (const { code, subject, message } of problems) process.stderr.write(`${code} ${printable(subject)}: ${printable(message)}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Prints an object for programs. */
export const printJson = (value: unknown): void => void process.stdout.write(visibleJson(`${JSON.stringify(value, null, 2)}\n`));
