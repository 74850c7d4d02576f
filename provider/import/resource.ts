import { RowHandler } from "../handlers/row-handler";
import type { Properties } from "../handlers/handler";
import type { RowKind } from "../kind";
import { managerOf } from "../rows/ownership";
import type { Connections } from "../zones/connections";
import type { Database } from "./database";
import { Mismatch, type Match } from "./match";
import { unmanagedReferences } from "./unmanaged";

/** The stack that the rows will belong to. */
export interface Stack {
  readonly project: string;
  readonly stack: string;
  /** The text of `__provider` in the state of a kind's resources. */
  readonly providerText: (kind: string) => string;
}

/** A resource of the stack, with the state that it would have if the stack had adopted the rows. */
export interface ImportedResource {
  readonly kind: string;
  readonly type: string;
  readonly name: string;
  /** As the program says them, with UUIDs where it may have another resource's outputs. */
  readonly args: Properties;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly match: Match;
  /** Rows that the resource's rows refer to though its arguments do not. */
  readonly refersTo: readonly string[];
}

/**
 * The inputs and outputs come from the very handler that serves the resource, so the first preview compares like with
 * like. Throws a Mismatch when the handler would refuse the arguments.
 */
export async function importedResource(database: Database, match: Match, name: string, stack: Stack, connections: Connections): Promise<ImportedResource> {
  const kind = match.kind.name;
  const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
  const owner = `urn:pulumi:${stack.stack}::${stack.project}::${type}::${name}`;
  const owners = managers(match);
  const args = { ...match.args, ...(owners.length > 0 && { adopt: { owners } }) };
  const handler = new RowHandler(match.kind as unknown as RowKind<never>);
  const { inputs, failures } = await handler.check({ owner, adopted: match.adopted }, { ...args, owner }, connections);
  if (failures.length > 0) throw new Mismatch(failures.map(({ path, message }) => `${path}: ${message}`).join("; "));
  const { id, outs } = handler.state(inputs);
  const provider = { __provider: stack.providerText(kind) };
  return { kind, type, name, args, id, inputs: json({ ...inputs, ...provider }), outputs: json({ ...outs, ...provider }), match, refersTo: unmanagedReferences(database, match) };
}

/** Other managers whose marks the rows carry, by the part that all their marks begin with. */
function managers({ pairs }: Match): string[] {
  const marks = pairs.flatMap(({ row }) => managerOf(row.columns) ?? []);
  return [...new Set(marks.map((mark) => /^(?:[^=/:]+)(?=[/:])/.exec(mark)?.[0] ?? mark))].sort();
}

function json(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties)) as Properties;
}
