/** The row engine, for tools that write row sets without Pulumi. */
export { ensureRows, removeOwned, removeRows, type EnsureOptions } from "./engine";
export type { Target } from "./target";
export { RowError, type RowErrorCode } from "./errors";
export type { Extent } from "./extent";
export { OWNER_KEY, rowUuid } from "../../kit/identity";
export { setDigest } from "./digest";
export { rowLines, type RowLines } from "./lines";
export { readOwned, readRows, writtenRows } from "./read";
export type * from "./rowset";
export type { Written } from "./written";
