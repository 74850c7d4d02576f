import { visible } from "@pulumi-ovn/provider/tools";
import type { Seen, Shown, Table } from "./section";

const RED = 31;

/** Pure. Tables as text, columns aligned; rows in error begin with "!", and are red where colours are asked for. */
export function statusText(seen: readonly Seen[], shown: Shown, colours: boolean): string {
  return seen
    .flatMap((each) => each.tables(shown))
    .map((table) => tableText(table, colours))
    .join("\n");
}

function tableText({ title, columns, rows, note }: Table, colours: boolean): string {
  const texts = rows.map(({ cells, error }) => ({ error, cells: [error ? "!" : " ", ...cells.map(visible)] }));
  const all = [["", ...columns], ...texts.map(({ cells }) => cells)];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  const paint = (text: string, error: boolean) => (error && colours ? `\u001b[${RED}m${text}\u001b[0m` : text);
  const head = rows.length === 0 ? [] : [line(all[0]!)];
  return [visible(title), ...head, ...texts.map(({ cells, error }) => paint(line(cells), error)), ...(note === undefined ? [] : [`   ${note}`]), ""].join("\n");
}

/** Pure. One object: the facts of each section by its name. */
export function statusJson(stack: { readonly project: string | undefined; readonly stack: string | undefined }, seen: readonly Seen[]): unknown {
  return {
    version: 1,
    project: stack.project ?? null,
    stack: stack.stack ?? null,
    problems: problemsOf(seen),
    ...Object.fromEntries(seen.map(({ name, facts }) => [name, facts])),
  };
}

export function problemsOf(seen: readonly Seen[]): number {
  return seen.reduce((sum, { problems }) => sum + problems, 0);
}
