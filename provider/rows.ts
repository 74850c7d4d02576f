/** The row engine, for tools that write row sets without Pulumi. */
export { ensureRows, removeOwned, removeRows, type EnsureOptions } from "./backends/rows/engine";
export type { Target } from "./backends/rows/live/target";
export { RowError, type RowErrorCode } from "./backends/rows/errors";
export type { Extent } from "./backends/rows/marks/extent";
export { OWNER_KEY, rowUuid } from "./kit/identity";
export { setDigest } from "./backends/rows/lines/digest";
export { rowLines, type RowLines } from "./backends/rows/lines";
export { readOwned, readRows, writtenRows } from "./backends/rows/live";
export type * from "./backends/rows/set";
export type { Written } from "./backends/rows/marks/written";
