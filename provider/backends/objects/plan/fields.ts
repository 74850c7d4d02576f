import { sameJson } from "../../../kit/arguments/unknown";
import type { FieldTree, LiveObject, ManagedFields } from "../../../targets/cluster/cluster";
import { FIELD_MANAGER } from "../../../targets/cluster/cluster";
import type { KubernetesObject } from "../../../targets/cluster/object";

/** A path in an object: names of fields, and indexes of lists. */
export type Path = readonly (string | number)[];

/** `spec.bgp.routers[0].asn`, `metadata.labels["a.b/c"]` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** A field that is not as it should be. */
export interface Difference {
  readonly path: Path;
  /** undefined: should not be there. */
  readonly wanted: unknown;
  /** undefined: is not there. */
  readonly found: unknown;
  /** Who has it: other managers, those that declare what should be (`Apply`) and those that just wrote (`Update`). */
  readonly holders: readonly Pick<ManagedFields, "manager" | "operation">[];
}

/** Fields that no stack sets on purpose. */
const IDENTITY: ReadonlySet<string> = new Set(["apiVersion", "kind"]);

interface Walk {
  /** Whether a field counts that is still ours, and only looks different. */
  readonly values: boolean;
  readonly others: readonly ManagedFields[];
  readonly found: Difference[];
}

type Branch = FieldTree | undefined;
type Branches = readonly Branch[];

/**
 * Differences of an object from what was applied, field by field. The server lists the fields of each manager: foreign fields are ignored, and a
 * field that is still ours is as applied, although the server may store it in other words.
 *
 * @param values compares our fields, too, because the desired state has changed
 */
export function differencesOf(wanted: KubernetesObject, live: LiveObject, values: boolean): Difference[] {
  const managers = live.metadata.managedFields ?? [];
  const own = managers.find(({ manager, operation, subresource }) => manager === FIELD_MANAGER && operation === "Apply" && subresource === undefined)?.fieldsV1;
  const others = managers.filter(({ manager }) => manager !== FIELD_MANAGER);
  const walk: Walk = { values, others, found: [] };
  const { name: _name, namespace: _namespace, ...metadata } = wanted.metadata;
  const fields = Object.entries({ ...wanted, metadata }).filter(([field]) => !IDENTITY.has(field));
  const branches = others.map(({ fieldsV1 }) => fieldsV1);
  objectFields(Object.fromEntries(fields), live, [], own, branches, walk);
  surplus({ ...wanted, metadata }, live, own ?? {}, [], walk);
  return walk.found;
}

function objectFields(wanted: Record<string, unknown>, live: Record<string, unknown>, path: Path, own: Branch, others: Branches, walk: Walk): void {
  for (const [field, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    compare(
      value,
      live[field],
      [...path, field],
      own?.[`f:${field}`],
      others.map((branch) => branch && (branch[`f:${field}`] ?? (isLeaf(branch) ? branch : undefined))),
      walk,
    );
  }
}

function compare(wanted: unknown, live: unknown, path: Path, own: Branch, others: Branches, walk: Walk): void {
  if (isObject(wanted) && Object.keys(wanted).length > 0 && (isObject(live) || live === undefined))
    return objectFields(wanted, live ?? {}, path, own, others, walk);
  // Built-in kinds lose empty maps and lists; the list of managers still shows that they were applied.
  if (live === undefined && own !== undefined && isEmpty(wanted)) return;
  const keys = Array.isArray(wanted) && Array.isArray(live) ? mergeKeys([own, ...others]) : undefined;
  if (keys) {
    for (const [index, item] of withKeys(wanted as unknown[], live as unknown[], keys).entries()) {
      const found = (live as Record<string, unknown>[]).find((liveItem) => hasKeys(liveItem, item, keys));
      const key = `k:${JSON.stringify(Object.fromEntries(keys.map((name) => [name, item[name]])))}`;
      const branch = [branchOf(own, key), others.map((branch) => branchOf(branch, key))] as const;
      if (found === undefined) differs(item, undefined, [...path, index], branch[1], walk);
      else compare(item, found, [...path, index], ...branch, walk);
    }
    return;
  }
  const isSet =
    Array.isArray(wanted) && Array.isArray(live) && [own, ...others].some((branch) => branch && Object.keys(branch).some((key) => key.startsWith("v:")));
  const same = isSet ? wanted.every((item) => (live as unknown[]).some((liveItem) => sameJson(liveItem, item))) : holds(live, wanted);
  if (!same && (own === undefined || live === undefined || walk.values)) differs(wanted, live, path, others, walk);
}

function differs(wanted: unknown, found: unknown, path: Path, others: Branches, walk: Walk): void {
  const holders = walk.others.filter((_manager, index) => others[index] !== undefined).map(({ manager, operation }) => ({ manager, operation }));
  walk.found.push({ path, wanted, found, holders });
}

/** Our fields that are no longer wanted, left by an interrupted run. */
function surplus(wanted: unknown, live: unknown, own: FieldTree, path: Path, walk: Walk): void {
  for (const [key, branch] of Object.entries(own)) {
    if (key.startsWith("f:")) {
      const field = key.slice(2);
      const [value, found] = [fieldOf(wanted, field), fieldOf(live, field)];
      if (value === undefined && found !== undefined) walk.found.push({ path: [...path, field], wanted: undefined, found, holders: [] });
      else if (value !== undefined) surplus(value, found, branch, [...path, field], walk);
    } else if (key.startsWith("k:") && Array.isArray(wanted) && Array.isArray(live)) {
      const match = JSON.parse(key.slice(2)) as Record<string, unknown>;
      const keys = Object.keys(match);
      const isMeant = (item: unknown) => hasKeys(item, match, keys);
      const index = withKeys(wanted, live, keys).findIndex(isMeant);
      const found = live.find(isMeant) as unknown;
      if (index < 0 && found !== undefined) walk.found.push({ path: [...path, live.indexOf(found)], wanted: undefined, found, holders: [] });
      else if (index >= 0) surplus(wanted[index], found, branch, [...path, index], walk);
    } else if (key.startsWith("v:") && Array.isArray(wanted)) {
      const value: unknown = JSON.parse(key.slice(2));
      if (!wanted.some((item) => sameJson(item, value))) walk.found.push({ path, wanted: undefined, found: value, holders: [] });
    }
  }
}

/** Whether the wanted value exists; a server adds defaults, also inside lists. */
function holds(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(live) && live.length === wanted.length && wanted.every((item, index) => holds(live[index], item));
  if (!isObject(wanted)) return sameJson(live, wanted);
  return isObject(live) && Object.entries(wanted).every(([field, value]) => value === undefined || holds(live[field], value));
}

/** Names of the fields that identify the items of a list, if the server merges it item by item. */
function mergeKeys(branches: Branches): string[] | undefined {
  const key = branches.flatMap((branch) => Object.keys(branch ?? {})).find((name) => name.startsWith("k:"));
  return key === undefined ? undefined : Object.keys(JSON.parse(key.slice(2)) as object);
}

/** Items of a list with keys that the server has added, such as `protocol` of a port, if no other item matches. */
function withKeys(wanted: readonly unknown[], live: readonly unknown[], keys: readonly string[]): Record<string, unknown>[] {
  const items = wanted as readonly Record<string, unknown>[];
  const named = items.filter((item) => keys.every((key) => item[key] !== undefined));
  return items.map((item) => {
    const given = keys.filter((key) => item[key] !== undefined);
    if (given.length === keys.length) return item;
    const found = live.find((liveItem) => hasKeys(liveItem, item, given) && !named.some((other) => hasKeys(liveItem, other, keys)));
    return { ...Object.fromEntries(keys.map((key) => [key, fieldOf(found, key)])), ...item };
  });
}

const hasKeys = (liveItem: unknown, item: Record<string, unknown>, keys: readonly string[]): boolean =>
  keys.every((key) => sameJson(fieldOf(liveItem, key), item[key]));

/** An item's branch; the server writes keys in its own order. */
function branchOf(branch: Branch, key: string): Branch {
  if (branch === undefined || isLeaf(branch)) return branch;
  const wanted: unknown = JSON.parse(key.slice(2));
  return Object.entries(branch).find(([name]) => name.startsWith("k:") && sameJson(JSON.parse(name.slice(2)), wanted))?.[1];
}

/** A field that is set as a whole. */
function isLeaf(branch: FieldTree): boolean {
  return Object.keys(branch).length === 0;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
