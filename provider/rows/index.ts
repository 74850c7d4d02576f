/** The row engine, for tools that write row sets without Pulumi. */
export { ensureRows, readRows, removeRows, type Target } from "./engine";
export { RowError, type RowErrorCode } from "./errors";
export { OWNER_KEY, rowUuid } from "./identity";
export { rowLines, setDigest, type RowLines } from "./lines";
export type * from "./rowset";
