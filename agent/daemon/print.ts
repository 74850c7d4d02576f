import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";

/** Writes lines of a log to standard error, as they are or as JSON. */
export function logTo(json: boolean): (line: string) => void {
  return (line) => void process.stderr.write(`${json ? JSON.stringify({ time: new Date().toISOString(), message: line }) : line}\n`);
}

/** Prints what a single round has left: lines on standard error, or one object on standard output. Returns the exit code. */
export function printProblems(problems: readonly Problem[], json: boolean): number {
  if (json) process.stdout.write(`${JSON.stringify({ version: 1, problems }, null, 2)}\n`);
  else for (const { code, subject, message } of problems) process.stderr.write(`${code} ${printable(subject)}: ${printable(message)}\n`);
  return problems.length === 0 ? 0 : 1;
}
