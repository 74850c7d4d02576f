import { plural } from "../../texts";
import type { ColumnDifference, ResourceDifference, RowDifference } from "../model";
import type { TargetKind } from "../../plan/target";
import { visible } from "@pulumi-ovn/provider/tools";
import { clipped } from "../sizes";
import { nounOf, resourceNote, shortName, untoldText } from "./sentences";

/** `#` is a resource; the others as in a diff, `~` for a row that changes, `=` for one that is taken over as it is. */
type Mark = "#" | "+" | "-" | "~" | "=" | " ";

/** One line of what happens to a resource, without the marks of a format. */
export interface Line {
  readonly mark: Mark;
  /** 0: the resource, 1: its rows, 2: their columns. */
  readonly depth: 0 | 1 | 2;
  readonly text: string;
}

/** How long things may be. */
export interface Lengths {
  readonly value: number;
  readonly line: number;
  /** Columns of one row. */
  readonly columns: number;
}

export const WHOLE: Lengths = { value: Infinity, line: Infinity, columns: Infinity };
export const CLIPPED: Lengths = { value: 160, line: 400, columns: 12 };

/** Everything that is known of what happens to a resource. */
export function resourceLines(resource: ResourceDifference, target: TargetKind, lengths: Lengths): Line[] {
  const { kind, name, operation, rows, tables = [], drift = [], untold } = resource;
  const noun = nounOf(target);
  const say = (mark: Mark, text: string): Line => ({ mark, depth: 1, text });
  const head: Line = { mark: "#", depth: 0, text: `${shortName(kind)} ${shortName(name)}${resourceNote(resource, target)}` };
  const lines = [
    ...(untold ? [say(" ", untoldText(untold, target))] : []),
    ...tables.map(({ table, before, after }) =>
      say("~", `${shortName(table)}: ${plural(before, noun)} before, ${after} after; there are too many for lines of their own in this preview`),
    ),
    ...drift.map(({ row, found }) => say(" ", clipped(`drift of ${visible(row)}: ${clipped(visible(found), lengths.value)}`, lengths.line))),
    ...rows.flatMap((row) => rowLines(row, lengths)),
  ];
  const silent = lines.length === 0 && operation !== "forget";
  return [head, ...(silent ? [say(" ", `no ${noun} differs`)] : lines)];
}

const ADOPTION = { adopted: " (adopted)", shared: " (shared with its owners)" } as const;

function rowLines({ operation, adoption, table, row, renamedFrom, columns }: RowDifference, lengths: Lengths): Line[] {
  const label = `${clipped(visible(`${table} ${row}`), lengths.line)}${adoption === undefined ? "" : ADOPTION[adoption]}`;
  if (operation === "adopt") return [{ mark: "=", depth: 1, text: label }];
  if (operation !== "change") {
    const values = columns.map(({ column, before, after }) => ({ column, value: (after ?? before)! })).filter(({ value }) => value !== "[]" && value !== '""');
    const words = values.map(({ column, value }) => word(column, value, lengths.value)).join(" ");
    return [{ mark: operation === "add" ? "+" : "-", depth: 1, text: words === "" ? label : clipped(`${label}: ${words}`, lengths.line) }];
  }
  const renamed = renamedFrom === undefined ? "" : ` (was ${clipped(visible(renamedFrom), lengths.value)})`;
  const shown = columns.slice(0, lengths.columns);
  const more: Line[] = shown.length < columns.length ? [{ mark: " ", depth: 2, text: `… and ${plural(columns.length - shown.length, "more column")}` }] : [];
  return [{ mark: "~", depth: 1, text: `${label}${renamed}` }, ...shown.flatMap((column) => columnLines(column, lengths)), ...more];
}

function columnLines({ column, before, after }: ColumnDifference, { value, line }: Lengths): Line[] {
  const [old, wanted, stay] = elementsThatDiffer(before, after);
  const rest = stay > 0 ? ` (${stay} ${stay === 1 ? "stays" : "stay"})` : "";
  const say = (mark: "+" | "-", text: string | null): Line[] =>
    text === null ? [] : [{ mark, depth: 2, text: clipped(word(column, text, value), line) + rest }];
  return [...say("-", old), ...say("+", wanted)];
}

/** Elements of a set in ovn-nbctl's words. Commas inside quotes do not separate. */
const ELEMENTS = /(?:[^",]|"(?:[^"\\]|\\.)*")+/g;
/** A set with as many elements is shown by those that come and go. */
const MANY = 4;

function elementsThatDiffer(before: string | null, after: string | null): readonly [string | null, string | null, number] {
  const listed = (text: string | null): readonly string[] => text?.match(ELEMENTS) ?? [];
  const [old, wanted] = [listed(before), listed(after)];
  if (Math.max(old.length, wanted.length) < MANY) return [before, after, 0];
  const [had, has] = [new Set(old), new Set(wanted)];
  const stay = wanted.filter((element) => had.has(element)).length;
  if (stay === 0) return [before, after, 0];
  const only = (list: readonly string[], others: ReadonlySet<string>) => list.filter((element) => !others.has(element)).join(",") || null;
  return [only(old, has), only(wanted, had), stay];
}

function word(column: string, value: string, most: number): string {
  const text = clipped(visible(value), most);
  // A column that is removed without its value shows only its name.
  if (value === "") return clipped(visible(column), most);
  return column === "" ? text : `${clipped(visible(column), most)}=${text}`;
}
