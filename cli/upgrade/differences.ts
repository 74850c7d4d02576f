import { contributionLines, rowLabel, rowWords } from "@pulumi-ovn/provider/tools";
import { nameOf, type StackResource } from "../stack/resource";
import { kindOf, renderedRows } from "../stack/rendering";

/** Effect of a stage on one row. */
export interface RowDifference {
  readonly label: string;
  /** undefined: the row is new. */
  readonly before: string | undefined;
  /** Undefined: the row is deleted. */
  readonly after: string | undefined;
}

/** Effect of a stage on one resource. */
export interface ResourceDifference {
  readonly resource: string;
  readonly kind: string;
  readonly zone: string;
  readonly rows: readonly RowDifference[];
}

type Lines = ReadonlyMap<string, string>;

/**
 * Differences between two states of a stack, row by row, from the kinds' own render functions. They include stages that the engine
 * can't preview, because the state before these stages does not exist yet, and resources whose previews contain only digests.
 */
export function rowDifferences(before: readonly StackResource[], after: readonly StackResource[]): ResourceDifference[] {
  const old = new Map(before.map((resource) => [resource.urn, resource]));
  const kept = new Set(after.map(({ urn }) => urn));
  const pairs = [
    ...after.map((resource) => [old.get(resource.urn), resource] as const),
    ...before.filter(({ urn }) => !kept.has(urn)).map((resource) => [resource, undefined] as const),
  ];
  const found = pairs.flatMap(([from, to]) => {
    const resource = (to ?? from)!;
    if (from && to && from.inputs.digest === to.inputs.digest) return [];
    const rows = compare(from ? linesOf(from) : new Map(), to ? linesOf(to) : new Map());
    return rows.length === 0 ? [] : [{ resource: nameOf(resource.urn), kind: kindOf(resource), zone: String(resource.inputs.zone), rows }];
  });
  return found.sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

function compare(before: Lines, after: Lines): RowDifference[] {
  const labels = [...new Set([...before.keys(), ...after.keys()])].sort();
  return labels.flatMap((label) => {
    const row = { label, before: before.get(label), after: after.get(label) };
    return row.before === row.after ? [] : [row];
  });
}

function linesOf(resource: StackResource): Lines {
  const set = renderedRows(resource);
  // A resource whose arguments hold a secret has no other lines than those it shows.
  if (!set) return new Map(Object.entries((resource.inputs.rows ?? {}) as Record<string, string>));
  const rows = set.rows.map((row): [string, string] => [
    rowLabel(row),
    rowWords(row)
      .flatMap(([, words]) => words)
      .join(" "),
  ]);
  return new Map([...rows, ...contributionLines(set)]);
}

/** Numbers of added, changed and removed rows. */
export function countRows(differences: readonly ResourceDifference[]): { readonly added: number; readonly changed: number; readonly removed: number } {
  const rows = differences.flatMap(({ rows }) => rows);
  return {
    added: rows.filter(({ before }) => before === undefined).length,
    changed: rows.filter(({ before, after }) => before !== undefined && after !== undefined).length,
    removed: rows.filter(({ after }) => after === undefined).length,
  };
}
