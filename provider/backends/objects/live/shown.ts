import type { Difference, Path } from "../plan/fields";
import type { KubernetesObject } from "../../../targets/cluster/object";

/** The object as it should be, with what differs as it is: what a refresh shows. */
export function withDifferences(object: KubernetesObject, differences: readonly Difference[]): KubernetesObject {
  if (differences.length === 0) return object;
  const shown = structuredClone(object) as Record<string, unknown>;
  for (const { path, found } of differences) setAt(shown, path, found);
  return shown as unknown as KubernetesObject;
}

function setAt(root: Record<string, unknown>, path: Path, value: unknown): void {
  let at: Record<string | number, unknown> = root;
  for (const part of path.slice(0, -1)) {
    const next = at[part];
    // A list item that is not wanted has no position among those that are.
    if (typeof next !== "object" || next === null) {
      if (value === undefined) return;
      at[part] = {};
    }
    at = at[part] as Record<string | number, unknown>;
  }
  const last = path.at(-1)!;
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}
