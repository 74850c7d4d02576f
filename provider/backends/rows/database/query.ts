import type { CallOptions, DatabaseSchema, Operation, OperationResult, OvsdbClient } from "@pulumi-ovn/ovsdb-client";

/** Whom to ask, and for how long. */
export interface Source {
  readonly client: OvsdbClient;
  readonly schema: DatabaseSchema;
  readonly call: CallOptions;
}

/** Operations that only read, and what their results say; several are asked in one transaction, so they see one state. */
export interface Query<Answer> {
  readonly operations: readonly Operation[];
  read(results: readonly OperationResult[]): Answer;
}

/** One transaction for all of them; none when there is nothing to ask. */
export async function ask<Answers extends readonly unknown[]>(
  client: OvsdbClient,
  call: CallOptions,
  ...queries: { readonly [Index in keyof Answers]: Query<Answers[Index]> }
): Promise<Answers> {
  const operations = queries.flatMap((query: Query<unknown>) => query.operations);
  const results: readonly OperationResult[] = operations.length === 0 ? [] : await client.transact(operations, call);
  let start = 0;
  return queries.map((query: Query<unknown>) => query.read(results.slice(start, (start += query.operations.length)))) as unknown as Answers;
}
