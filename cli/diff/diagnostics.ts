import { stripVTControlCharacters } from "node:util";
import type { EngineDiagnostic, Preview } from "../plan/preview";
import { partsOf } from "../plan/steps";
import type { Diagnostic } from "./model";
import { sortedBy } from "./order";

/**
 * Pure. Errors and warnings of a preview, sorted, without duplicates.
 * @param further own ones about it
 */
export function diagnosticsOf({ diagnostics }: Pick<Preview, "diagnostics">, further: readonly Diagnostic[] = []): Diagnostic[] {
  const all = [...diagnostics.flatMap(ofProvider).flatMap(shown), ...further];
  const unique = new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return sortedBy([...unique.values()], ({ severity, resource: about = "", message }) => [severity, about, message]);
}

function shown({ severity, message, urn }: EngineDiagnostic): Diagnostic[] {
  if (severity !== "error" && severity !== "warning") return [];
  // The engine puts the severity before the text.
  const text = withoutFrames(stripVTControlCharacters(message).replace(new RegExp(`^${severity}: `), "")).trim();
  return text === "" ? [] : [{ severity, message: text, ...(urn && { resource: partsOf(urn).name }) }];
}

/** Prefix of warnings from a dynamic provider, which reach the engine as lines of standard error. */
const RUNTIME = /^warning: \[runtime\] /;

function ofProvider(diagnostic: EngineDiagnostic): EngineDiagnostic[] {
  if (!diagnostic.severity.startsWith("info")) return [diagnostic];
  const lines = stripVTControlCharacters(diagnostic.message)
    .split("\n")
    .filter((line) => RUNTIME.test(line));
  return lines.map((line) => ({ severity: "warning", message: line.replace(RUNTIME, "") }));
}

/** Removes the stack of a program that threw: it has paths of one machine, which do not help a reviewer. */
function withoutFrames(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s+at .*:\d+:\d+\)?$/.test(line))
    .join("\n");
}
