import { AsyncLocalStorage } from "node:async_hooks";
import { openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { CallOptions, Operation, OperationResult, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { LogError } from "./errors";
import { projectFolder } from "./source";

/** Variable with the destination of the transaction log: a file, relative to the project's folder, or `stderr`. Unset or empty: no log. */
const LOG_VARIABLE = "PULUMI_OVN_LOG";

/** Purpose of transactions. */
export interface Purpose {
  /** Name of the resource. */
  readonly resource: string;
  /** Whether something of its arguments is, or was, secret: values are not logged then. */
  readonly secret: boolean;
}

const purposes = new AsyncLocalStorage<Purpose>();

/** Runs a call whose transactions are for this purpose. */
export const withPurpose = <T>(purpose: Purpose, call: () => T): T => purposes.run(purpose, call);

type Write = (line: string) => void;

let opened: { readonly where: string; readonly write: Write } | undefined;

/** Throws a LogError when the file can't be written. */
export function logWriter(environment: NodeJS.ProcessEnv): Write | undefined {
  const where = environment[LOG_VARIABLE];
  if (!where) return undefined;
  if (where === "stderr") return (line) => void process.stderr.write(line);
  if (opened?.where !== where) opened = { where, write: fileWriter(resolve(projectFolder(process.cwd()), where)) };
  return opened.write;
}

function fileWriter(path: string): Write {
  try {
    const file = openSync(path, "a", 0o600);
    // In one piece: several processes of one update write to the file.
    return (line) => void writeSync(file, line);
  } catch (error) {
    throw new LogError(`the file that ${LOG_VARIABLE} names can't be written: ${(error as Error).message}`);
  }
}

/** The same client, with one line of JSON for each transaction. */
export function logging(client: OvsdbClient, target: { readonly zone: string; readonly database: string }, write: Write): OvsdbClient {
  const transact = async (operations: readonly Operation[], options?: CallOptions): Promise<readonly OperationResult[]> => {
    const [time, start, purpose] = [new Date().toISOString(), performance.now(), purposes.getStore()];
    const open = purpose !== undefined && !purpose.secret;
    const log = (outcome: object) => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      write(
        `${JSON.stringify({ time, ...target, endpoint: client.endpoint, resource: purpose?.resource, operations: open ? operations : operations.map(shapeOf), ms, ...outcome }, bigAsText)}\n`,
      );
    };
    try {
      const results: readonly OperationResult[] = await client.transact(operations, options);
      log({ results: results.map(resultOf) });
      return results;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      log({ error: open ? { code, message } : { code } });
      throw error;
    }
  };
  return new Proxy(client, { get: (target, name, receiver): unknown => (name === "transact" ? transact : Reflect.get(target, name, receiver)) });
}

/** An operation without the values that it holds. */
function shapeOf(operation: Operation): object {
  const { op, table, row, mutations } = operation as {
    op: string;
    table?: string;
    row?: object;
    mutations?: readonly (readonly [column: string, mutator: string, value: unknown])[];
  };
  return { op, table, columns: row ? Object.keys(row) : mutations?.map(([column]) => column) };
}

/** How many rows came, or were changed. */
function resultOf(result: OperationResult): object {
  const { rows, ...rest } = result as { rows?: readonly unknown[] };
  return rows ? { rows: rows.length } : rest;
}

function bigAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
