import type { Host } from "./schema";

/** The words of a host's command, which the words of a program follow; none where programs run on this machine. */
export function commandOf({ command }: Host): readonly string[] {
  return command ?? [];
}

/** The program of a host's command in errors. Its arguments are left out: they may hold secrets. */
export function describeCommand(host: Host): string {
  const [program, ...rest] = commandOf(host);
  if (program === undefined) return "this machine";
  return rest.length === 0 ? `"${program}"` : `"${program} ..."`;
}

/** Shorter words are not secret, and parts of many words. */
const LONGEST_SHOWN = 3;

/** Removes a command's arguments from a program's output: some programs repeat them. */
export function withoutArguments(text: string, [, ...words]: readonly string[]): string {
  const hidden = words.flatMap((word) => [word, ...word.split("=").slice(1)]).filter((word) => word.length > LONGEST_SHOWN);
  return hidden.sort((a, b) => b.length - a.length).reduce((kept, word) => kept.replaceAll(word, () => "..."), text);
}
