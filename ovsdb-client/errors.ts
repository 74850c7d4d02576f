import { printable } from "./text";

/** Base class of all errors of this package. `code` is stable; the text may change. It is one line of at most 4000 characters. */

const MOST = 4000;

export interface ErrorContext {
  /** The endpoint in use, as `describeEndpoint` shows it. */
  readonly endpoint?: string | undefined;
  readonly cause?: unknown;
}

export abstract class OvsdbError extends Error {
  abstract readonly code: string;
  readonly endpoint: string | undefined;

  constructor(message: string, context: ErrorContext = {}) {
    super(printable(message, MOST), context.cause === undefined ? undefined : { cause: context.cause });
    this.name = new.target.name;
    this.endpoint = context.endpoint;
  }

  /** Message without the leading endpoint. */
  get reason(): string {
    if (this.endpoint === undefined) return this.message;
    const head = `${this.endpoint}: `;
    return this.message.startsWith(head) ? this.message.slice(head.length) : this.message;
  }
}

/** Adds the endpoint to a message, unless the message contains it. */
function about(message: string, { endpoint }: ErrorContext): string {
  return endpoint === undefined || message.includes(endpoint) ? message : `${endpoint}: ${message}`;
}

/** No connection, or it was lost before the call was sent: nothing was written by the call. */
export class ConnectionError extends OvsdbError {
  readonly code: string = "OVSDB_CONNECTION";

  constructor(message: string, context: ErrorContext = {}) {
    super(about(message, context), context);
  }
}

/** The server answers, but is not (or no longer) the cluster's leader, or has lost its cluster. */
export class NotLeaderError extends ConnectionError {}

/** The server's data is older than what this client has read from the cluster: reads there would go back in time. */
export class StaleMemberError extends NotLeaderError {}

/** The server's database belongs to another cluster than the one in use. */
export class WrongClusterError extends ConnectionError {}

/** The other side does not speak RFC 7047: the connection is given up. */
export class ProtocolError extends OvsdbError {
  readonly code = "OVSDB_PROTOCOL";

  constructor(message: string, context: ErrorContext = {}) {
    super(about(message, context), context);
  }
}

/** No reply within the call's timeout. Only for calls that write nothing. */
export class TimeoutError extends OvsdbError {
  readonly code = "OVSDB_TIMEOUT";
}

/**
 * A write was sent, and no reply came: it may have been written, or may be written later (a cluster without
 * a quorum keeps it), or not. It is never sent again by itself; read the rows to find out.
 */
export class OutcomeUnknownError extends OvsdbError {
  readonly code = "OVSDB_OUTCOME_UNKNOWN";
}

/** The call was stopped by its AbortSignal, and nothing was written. */
export class AbortError extends OvsdbError {
  readonly code = "OVSDB_ABORTED";
}

/** The server's schema has no such table or column (or is not a schema at all). */
export class SchemaError extends OvsdbError {
  readonly code = "OVSDB_SCHEMA";
  readonly table: string | undefined;
  readonly column: string | undefined;
  /** The release that brought it, where the client's `since` option knows. */
  readonly since: string | undefined;

  constructor(message: string, where: { table?: string; column?: string; since?: string | undefined } = {}) {
    super(where.since === undefined ? message : `${message} (it came with ${where.since})`);
    this.table = where.table;
    this.column = where.column;
    this.since = where.since;
  }
}

/** A transaction was tried several times, and each time others had changed what it verifies. Nothing was written. */
export class ConflictError extends OvsdbError {
  readonly code = "OVSDB_CONFLICT";
  readonly attempts: number;

  constructor(attempts: number, last: OperationError) {
    const { table } = (last.operation ?? {}) as { table?: string };
    super(`what the transaction read of ${table ?? "the database"} was changed by others before the commit, ${attempts} ${attempts === 1 ? "time" : "times"}`, {
      endpoint: last.endpoint,
      cause: last,
    });
    this.attempts = attempts;
  }
}

/** A value that the column's type does not allow, or that the server could not read. */
export class ValueError extends OvsdbError {
  readonly code = "OVSDB_VALUE";
  /** Path of the value, such as `Logical_Switch.other_config["subnet"]`. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}

function errorText(subject: string, error: string, details: string | undefined): string {
  return `${subject}: ${printable(error)}${details === undefined ? "" : `: ${printable(details)}`}`;
}

/** The server refused the whole request: unknown database, unknown method, ... */
export class RpcError extends OvsdbError {
  readonly code = "OVSDB_RPC";
  /** The server's own word: "unknown database", "syntax error", ... */
  readonly error: string;
  /** Further text of the server, in one line, shortened in the middle. */
  readonly details: string | undefined;

  constructor(method: string, error: string, details?: string, context?: ErrorContext) {
    super(errorText(method, error, details), context);
    this.error = printable(error);
    this.details = details && printable(details);
  }
}

export interface OperationFailure {
  /** RFC 7047 section 3.1: "constraint violation", "referential integrity violation", "timed out", ... */
  readonly error: string;
  readonly details?: string | undefined;
  /** The failing operation, or "commit" when all were fine by themselves and the transaction as a whole was not. */
  readonly operationIndex: number | "commit";
  readonly operation?: object | undefined;
  /** The reply as it came: results of the operations before the failing one, then the error, then nulls. */
  readonly results: readonly unknown[];
  /** Added to the text: what else the client knows. */
  readonly hint?: string | undefined;
}

/** The transaction was refused: nothing of it was written. */
export class OperationError extends OvsdbError {
  readonly code = "OVSDB_OPERATION";
  readonly error: string;
  /** Further text of the server, in one line, shortened in the middle. */
  readonly details: string | undefined;
  readonly operationIndex: number | "commit";
  readonly operation: object | undefined;
  readonly results: readonly unknown[];
  /** Additional advice, such as the release that added a column. */
  readonly hint: string | undefined;

  constructor(failure: OperationFailure, context?: ErrorContext) {
    const where = failure.operationIndex === "commit" ? "commit" : `operation ${failure.operationIndex}`;
    const hint = failure.hint === undefined ? "" : ` (${failure.hint})`;
    super(`${errorText(where, failure.error, failure.details)}${hint}`, context);
    this.error = printable(failure.error);
    this.details = failure.details && printable(failure.details);
    this.operationIndex = failure.operationIndex;
    this.operation = failure.operation;
    this.results = failure.results;
    this.hint = failure.hint;
  }
}
