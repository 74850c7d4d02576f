import { adoptionKey } from "../rows/resolve";
import type { ImportedResource } from "./resource";

/** How one resource's program text gets at a row of another resource. */
export interface Exposed {
  readonly resource: ImportedResource;
  /** After the name of the resource's constant; undefined when the resource does not expose this row. */
  readonly access: { readonly entry: string | undefined } | undefined;
}

/** Rows of all resources by UUID. */
export type RowIndex = ReadonlyMap<string, Exposed>;

export function indexRows(resources: readonly ImportedResource[]): RowIndex {
  const index = new Map<string, Exposed>();
  for (const resource of resources) {
    const { rendered, pairs, adopted } = resource.match;
    for (const { row } of pairs) index.set(row.uuid, { resource, access: undefined });
    const { primary, exposes = [] } = rendered;
    for (const { table, key } of exposes) index.set(adopted[adoptionKey(table, key)]!, { resource, access: { entry: key } });
    if (primary) index.set(adopted[adoptionKey(primary.table, primary.key)]!, { resource, access: { entry: undefined } });
  }
  return index;
}

/** The UUIDs of rows of other resources that the arguments name, or that the rows refer to beside them. */
export function namedRows(resource: ImportedResource, index: RowIndex): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      const exposed = index.get(value);
      if (exposed && exposed.resource !== resource) found.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(resource.args);
  visit(resource.refersTo);
  return [...found];
}

/** Every resource after those whose rows it names. Of resources that name each other, one goes first all the same. */
export function inOrder(resources: readonly ImportedResource[], index: RowIndex): ImportedResource[] {
  const ordered: ImportedResource[] = [];
  const seen = new Set<ImportedResource>();
  const visit = (resource: ImportedResource): void => {
    if (seen.has(resource)) return;
    seen.add(resource);
    for (const uuid of namedRows(resource, index)) visit(index.get(uuid)!.resource);
    ordered.push(resource);
  };
  resources.forEach(visit);
  return ordered;
}
