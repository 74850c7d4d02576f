import type { Condition, OperationResult, Select, WireRow } from "@pulumi-ovn/ovsdb-client";

export function select(table: string, where: readonly Condition[], columns: readonly string[]): Select {
  return { op: "select", table, where, columns };
}

export function rowsOf(result: OperationResult | undefined): readonly WireRow[] {
  return result?.rows ?? [];
}

export function uuidIn(row: WireRow): string {
  return (row._uuid as readonly ["uuid", string])[1];
}
