/**
 * Internal functions that this repository's tests call. Packages are published without this file; nothing else imports it.
 * Why: docs/explanation/decisions/tests-import-entries.md
 */
export { Framer, type FramerLimits } from "./framing/framer";
export { isDenormal, parseJson, stringifyJson } from "./framing/json";
export { Part, PartCollector, placeParts } from "./framing/parts";
export { applyDifference, cellValue, defaultCell, sameCell } from "./monitor/cell";
export { Copy } from "./monitor/copy";
export { type Answered, Inquiry } from "./monitor/inquiry";
export { StringPool } from "./monitor/intern";
export { CellReader } from "./monitor/reader";
export { type Contents, NO_TRANSACTION } from "./monitor/request";
export { applySorted } from "./monitor/sorted";
export { applyContents, applyUpdates } from "./monitor/updates";
export { type Call, type Nature, newCall } from "./rpc/call";
export { Pending } from "./rpc/pending";
export { Shared } from "./rpc/shared";
export { knownSchema } from "./schema/known";
export { Backoff } from "./session/backoff";
export { ClusterServers } from "./session/cluster-servers";
export { shuffled } from "./session/dialer";
export { expired, lost } from "./session/fate";
export { refuse } from "./session/refusal";
export { type ServerDatabase, ServerRow } from "./session/server";
export { writesNothing } from "./transact/operations";
export { readResults } from "./transact/results";
export { describeCommand, replacingShell, withoutCommand } from "./transport/command";
export { resultGuard, rowGuard } from "./typed/guard";
export { findUndefined } from "./typed/inserted";
export { encodeMutations } from "./typed/mutations";
export { encodeWhere } from "./typed/where";
