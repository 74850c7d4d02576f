import type { IntentResult } from "../simulate/intents/results";
import type { Report } from "../simulate/report/report";
import type { Word } from "@pulumi-ovn/provider/tools";
import type { Target } from "../plan/target";
import type { Untold } from "../plan/untold";

/**
 * Differences of a preview, for a reviewer. The JSON output has the same field names: docs/how-to/diff.md documents them.
 * Everything is sorted, so that the same change gives the same text.
 */
export interface Difference {
  readonly project: string;
  readonly stack: string;
  /** The preview ended with errors: what follows is only a part. */
  readonly failed: boolean;
  readonly counts: Counts & { readonly zones: number; readonly hosts: number; readonly clusters: number };
  readonly diagnostics: readonly Diagnostic[];
  readonly zones: readonly ZoneDifference[];
  readonly hosts: readonly HostDifference[];
  readonly clusters: readonly ClusterDifference[];
  readonly intents: readonly IntentDifference[];
  /** All intents of the program, judged before and after the update. Undefined if that was not asked for. */
  readonly judged?: readonly IntentResult[];
  /** Effects on packets. Undefined if they were not asked for. */
  readonly simulated?: Report;
  /** Resources without rows: of ovn such as a wait, or of other providers. */
  readonly others: readonly OtherDifference[];
}

/** Counts of rows, or of objects in clusters. */
export interface Counts {
  /** Added rows. */
  readonly added: number;
  /** Existing rows that are adopted or shared without a change. */
  readonly adopted: number;
  /** Rows in which a column changes, including adopted rows. */
  readonly changed: number;
  /** Removed rows. */
  readonly removed: number;
  /** Rows that are written again because their resource is replaced. */
  readonly recreated: number;
  /** Resources whose rows the preview does not show, or only counts. */
  readonly uncounted: number;
}

export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Without colours and trailing white space; may have several lines. */
  readonly message: string;
  /** Name of the resource that the message concerns. */
  readonly resource?: string;
}

interface Changes {
  readonly counts: Counts;
  readonly resources: readonly ResourceDifference[];
}

interface ZoneDifference extends Changes {
  readonly zone: string;
}

interface HostDifference extends Changes {
  readonly host: string;
}

interface ClusterDifference extends Changes {
  readonly cluster: string;
}

export interface TargetDifference extends Target, Changes {}

/** All targets, zones first. */
export function targetDifferences({ zones, hosts, clusters }: Pick<Difference, "zones" | "hosts" | "clusters">): TargetDifference[] {
  return [
    ...zones.map(({ zone, ...changes }): TargetDifference => ({ kind: "zone", name: zone, ...changes })),
    ...hosts.map(({ host, ...changes }): TargetDifference => ({ kind: "host", name: host, ...changes })),
    ...clusters.map(({ cluster, ...changes }): TargetDifference => ({ kind: "cluster", name: cluster, ...changes })),
  ];
}

/** Operation on a resource: `replace` if it stays at its target, `move-in` and `move-out` if it changes the zone, host or cluster. */
type Operation = "create" | "update" | "replace" | "move-in" | "move-out" | "delete" | "forget" | "import";

export interface ResourceDifference {
  readonly kind: string;
  readonly name: string;
  readonly operation: Operation;
  /** Arguments that force the replacement. */
  readonly replaceReasons?: readonly string[];
  /** The other zone, host or cluster of a resource that moves. */
  readonly otherZone?: string;
  readonly counts: Counts;
  readonly rows: readonly RowDifference[];
  /** Tables whose rows the preview only counts. */
  readonly tables?: readonly TableDifference[];
  /** Drift that a refresh has found, if tables are only counted. */
  readonly drift?: readonly DriftedRow[];
  /** Reason why there are no rows to show. */
  readonly untold?: Untold;
}

export interface DriftedRow {
  /** `TABLE NAME`. */
  readonly row: string;
  /** In the words of the output `drift`. */
  readonly found: string;
}

export interface RowDifference {
  readonly operation: "add" | "adopt" | "change" | "remove";
  /** Only for an existing row that the stack does not own: whether the resource adopts the row or shares it with its owners. */
  readonly adoption?: "adopted" | "shared";
  readonly table: string;
  /** The row's name, or what identifies it in its resource. */
  readonly row: string;
  /** The previous name of a renamed row. */
  readonly renamedFrom?: string;
  /** Changed columns. All columns of an added or removed row; no columns of a row that is adopted unchanged. */
  readonly columns: readonly ColumnDifference[];
}

/** `null` is a column that is not there, or not set by us. */
export interface ColumnDifference {
  /** `column`, or `column:key` of a map; "" for what is put into a row of others. */
  readonly column: Word["name"];
  readonly before: string | null;
  readonly after: string | null;
}

export interface TableDifference {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

export interface OtherDifference {
  readonly operation: string;
  readonly type: string;
  readonly name: string;
  readonly ovn: boolean;
  /** Top-level properties that change; of a replacement, those that force it. */
  readonly properties: readonly string[];
}

/** An intent of the program. `change`: the same labels select other workloads. */
export interface IntentDifference {
  /** Class of the network. */
  readonly kind: string;
  readonly network: string;
  readonly operation: "add" | "change" | "remove";
  readonly intent: string;
}

export const NO_COUNTS: Counts = { added: 0, adopted: 0, changed: 0, removed: 0, recreated: 0, uncounted: 0 };

export function sumOf(all: readonly Counts[]): Counts {
  const sum = { ...NO_COUNTS };
  for (const counts of all) for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
  return sum;
}

/** Whether an update would do anything at all. */
export function hasChanges(difference: Difference): boolean {
  return targetDifferences(difference).length > 0 || difference.intents.length > 0 || difference.others.length > 0;
}
