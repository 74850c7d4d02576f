/** Table by table, so that to sort what a renderer has made in order takes few steps. */
export function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Row[][] {
  return [...Map.groupBy(rows, ({ table }) => table).values()];
}
