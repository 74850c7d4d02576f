import { typeToken } from "@pulumi-ovn/provider";
import { adoptionKey, managerOf, isError, type Properties, rowHandler } from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Database } from "./database";
import { type Match, Mismatch } from "./match";
import { unmanaged, unmanagedReferences } from "./unmanaged";

/** The stack that the rows will belong to. */
export interface Stack {
  readonly project: string;
  readonly stack: string;
  /** The text of `__provider` in the state of a kind's resources. */
  readonly providerText: (kind: string) => string;
}

/** A resource of the stack. Large imports have thousands: only what files are made of is kept. */
export interface ImportedResource {
  readonly kind: string;
  readonly name: string;
  /** Arguments of the program, with UUIDs instead of outputs of other resources. */
  readonly args: Properties;
  /** The resource in the import file: JSON, with the state that it would have if the stack had adopted the rows. */
  readonly entry: string;
  /** UUIDs of its rows; for those that others may refer to by an output, how. */
  readonly rows: ReadonlyMap<string, Access | undefined>;
  /** Rows that the resource's rows refer to though its arguments do not. */
  readonly refersTo: readonly string[];
  /** Columns of its rows that the stack does not manage, as `Table.column`, with the number of rows. */
  readonly unmanaged: Readonly<Record<string, number>>;
}

/** The output that is a row's UUID: the resource's own, or that of one of its entries. */
export interface Access {
  readonly entry: string | undefined;
}

/**
 * The inputs and outputs come from the very handler that serves the resource, so the first preview compares like with
 * like. Throws a Mismatch when the handler would refuse the arguments.
 */
export async function importedResource(database: Database, match: Match, name: string, stack: Stack, connections: Connections): Promise<ImportedResource> {
  const kind = match.kind.name;
  const type = typeToken(kind);
  const owner = `urn:pulumi:${stack.stack}::${stack.project}::${type}::${name}`;
  const owners = managers(match);
  const args = { ...match.args, ...(owners.length > 0 && { adopt: { owners } }) };
  const handler = rowHandler(match.kind);
  const { inputs, diagnostics } = await handler.check({ urn: owner, secrets: [], targets: connections, olds: { adopted: match.adopted }, news: args });
  const failures = diagnostics.filter(isError);
  if (failures.length > 0) throw new Mismatch(failures.map(({ path, message }) => `${path}: ${message}`).join("; "));
  const { id, outs } = handler.state(owner, inputs);
  const envelope = { owner, __provider: stack.providerText(kind) };
  const entry = JSON.stringify({ type, name, id, inputs: { ...inputs, ...envelope }, outputs: { ...outs, ...envelope } });
  return { kind, name, args, entry, rows: accesses(match), refersTo: unmanagedReferences(database, match), unmanaged: unmanaged(database, match) };
}

function accesses({ rendered: { primary, exposes = [] }, pairs, adopted }: Match): Map<string, Access | undefined> {
  const rows = new Map<string, Access | undefined>(pairs.map(({ row }) => [row.uuid, undefined]));
  for (const { table, key } of exposes) rows.set(adopted[adoptionKey(table, key)]!, { entry: key });
  if (primary) rows.set(adopted[adoptionKey(primary.table, primary.key)]!, { entry: undefined });
  return rows;
}

/** Other managers whose marks the rows carry, by the part that all their marks begin with. */
function managers({ pairs }: Match): string[] {
  const marks = pairs.flatMap(({ row }) => managerOf(row.columns) ?? []);
  return [...new Set(marks.map((mark) => /^(?:[^=/:]+)(?=[/:])/.exec(mark)?.[0] ?? mark))].sort();
}
