import { OperationError, ProtocolError } from "../errors";
import type { Since } from "../schema/table";
import type { Operation, OperationResult } from "./operations";

/**
 * Reads the result of a transact (RFC 7047 section 4.1.3): an element for each operation; after a failed one
 * only nulls; one element more when the commit failed. Throws an OperationError for a refused transaction
 * and a ProtocolError for anything that cannot be such a result.
 */
export function readResults(operations: readonly Operation[], result: unknown, since: Since, endpoint: string): OperationResult[] {
  if (!Array.isArray(result)) throw new ProtocolError("the result of a transact is not an array");
  const failed = result.findIndex((element) => element === null || typeof element !== "object" || "error" in element);
  if (failed !== -1) throw failure(operations, result, failed, since, endpoint);
  if (result.length !== operations.length) throw new ProtocolError(`${result.length} results for ${operations.length} operations`);
  for (let index = 0; index < operations.length; index++) checkShape(operations[index]!, result[index], index);
  return result as OperationResult[];
}

function failure(operations: readonly Operation[], results: unknown[], at: number, since: Since, endpoint: string): OperationError {
  const { error, details, "io-error": cause } = (results[at] ?? {}) as Record<string, unknown>;
  if (typeof error !== "string" || at > operations.length || results.length > operations.length + 1) {
    throw new ProtocolError("the result of a transact holds an element that is neither a result nor an error");
  }
  const operation = operations[at];
  const text = typeof details !== "string" ? undefined : typeof cause === "string" ? `${details} (${cause})` : details;
  const operationIndex = at === operations.length ? "commit" : at;
  return new OperationError({ error, details: text, operationIndex, operation, results, hint: hint(text, operation, since) }, { endpoint });
}

/** Advice that a server does not give: the release that added a table or column, and what to do about a read-only endpoint. */
function hint(details: string | undefined, operation: Operation | undefined, since: Since): string | undefined {
  const column = /^No column (\w+) in table (\w+)\.$/.exec(details ?? "");
  const table = /No table named (\w+)\.?$/.exec(details ?? "");
  const unknown = /^(\w+) is not a valid column name$/.exec(details ?? "");
  const owner = operation !== undefined && "table" in operation ? operation.table : undefined;
  if (details?.endsWith("in read only mode")) return "use an endpoint that takes writes: this one is read only, as that of a backup server";
  if (column !== null) return came(`${column[2]}.${column[1]}`, since(column[2]!, column[1]!));
  if (table !== null) return came(`table ${table[1]}`, since(table[1]!));
  if (unknown !== null && owner !== undefined) return came(`${owner}.${unknown[1]}`, since(owner, unknown[1]!));
  return undefined;
}

function came(what: string, release: string | undefined): string | undefined {
  return release === undefined ? undefined : `${what} came with ${release}`;
}

function checkShape(operation: Operation, result: Record<string, unknown>, index: number): void {
  let fits = true;
  switch (operation.op) {
    case "insert":
      fits = Array.isArray(result["uuid"]) && result["uuid"][0] === "uuid" && typeof result["uuid"][1] === "string";
      break;
    case "select":
      fits = Array.isArray(result["rows"]);
      break;
    case "update":
    case "mutate":
    case "delete":
      fits = typeof result["count"] === "number";
      break;
    default: // has an empty result
  }
  if (!fits) throw new ProtocolError(`result ${index} is not that of ${operation.op}`);
}
