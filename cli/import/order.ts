import type { Access, ImportedResource } from "./resource";

/** Rows of all resources by UUID. */
export type RowIndex = ReadonlyMap<string, { readonly resource: ImportedResource; readonly access: Access | undefined }>;

export function indexRows(resources: readonly ImportedResource[]): RowIndex {
  return new Map(resources.flatMap((resource) => [...resource.rows].map(([uuid, access]) => [uuid, { resource, access }] as const)));
}

/** UUIDs of other resources' rows to which the arguments, or further references of the rows, refer. */
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

/** Orders each resource after the resources whose rows it names. A cycle is broken at one of its resources. */
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
