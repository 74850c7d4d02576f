import { gunzipSync, gzipSync } from "node:zlib";
import type { ApplyFacts, Phase } from "../../../targets/apply/record";
import type { Cluster, LiveObject } from "../../../targets/cluster/cluster";
import { ObjectError } from "../../../targets/cluster/errors";
import { refText } from "../../../targets/cluster/reference";
import { parallel } from "../../../kit/parallel";
import { otherApply, PendingApplyError } from "../../../targets/errors";
import type { ObjectInverse } from "./inverse";

/** Secret with the record of a cluster's apply, because objects may contain secrets. */
const SECRET = { apiVersion: "v1", kind: "Secret", namespace: "kube-system", name: "pulumi-ovn-apply" } as const;

/** Label of Secrets with inverses, one for each write of a resource: its value is the apply's ID. */
const LABEL = "pulumi-ovn/apply";

/** Pending or undone apply of one cluster, without its inverses. */
export interface ObjectFacts extends ApplyFacts {
  readonly id: string;
  readonly phase: Phase;
  /** Whether an undo is in progress. Then further writes are refused. */
  readonly isEnding?: boolean;
  /** Objects that were not undone, because another manager changed them. */
  readonly kept: readonly string[];
}

export interface ObjectRecord extends ObjectFacts {
  /** In the order of the changes. */
  readonly inverses: readonly ObjectInverse[];
}

/** Attempts while another process writes the record. */
const ATTEMPTS = 5;

/** Undefined without an apply. */
export async function readObjectRecord(cluster: Cluster): Promise<ObjectRecord | undefined> {
  const facts = await readFacts(cluster);
  if (facts?.phase !== "pending") return facts && { ...facts, inverses: [] };
  const parts = (await partsOf(cluster, `${LABEL}=${facts.id}`)).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return { ...facts, inverses: parts.flatMap((part) => contentsOf<readonly ObjectInverse[]>(part)) };
}

export async function readFacts(cluster: Cluster): Promise<ObjectFacts | undefined> {
  const live = await cluster.get(SECRET);
  return live && contentsOf<ObjectFacts>(live);
}

/** Throws a PendingApplyError if there is a record already. */
export async function layDownObjects(cluster: Cluster, id: string, facts: ApplyFacts): Promise<void> {
  try {
    await cluster.apply(secretOf(SECRET.name, { ...facts, id, phase: "pending", kept: [] }), { force: false, uid: undefined });
  } catch (error) {
    const other = error instanceof ObjectError && error.code === "OVN_CONTENTION" ? await readFacts(cluster) : undefined;
    throw other ? otherApply(other, { cause: error }) : error;
  }
  // A command that died in a confirmation may have left some.
  await deleteParts(cluster, LABEL);
}

/** Changes the record of an apply in this phase. Throws a PendingApplyError if it is in another one, or not there. */
export async function changeObjectRecord(cluster: Cluster, id: string, phase: Phase, change: (record: ObjectFacts) => ObjectFacts | undefined): Promise<void> {
  for (let left = ATTEMPTS; ; left--) {
    const live = await cluster.get(SECRET);
    const record = live && contentsOf<ObjectFacts>(live);
    if (record?.id !== id || record.phase !== phase)
      throw new PendingApplyError(`apply ${id} is ${record?.id === id ? record.phase : "not there"}, not ${phase}`);
    const next = change(record);
    const { uid, resourceVersion } = live!.metadata;
    try {
      if (next === undefined) await cluster.delete(SECRET, uid);
      else await cluster.apply(secretOf(SECRET.name, next, { resourceVersion }), { force: false, uid });
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof ObjectError) || !["OVN_FIELD_CONFLICT", "OVN_CONTENTION"].includes(error.code)) throw error;
    }
  }
}

let appended = 0;

/** Appends inverses, at a cost that does not depend on those that are there. Returns what removes them again. */
export async function append(cluster: Cluster, id: string, inverses: readonly ObjectInverse[]): Promise<() => Promise<void>> {
  // Names sort in the order of the changes.
  const name = `${SECRET.name}-${id}-${String(Date.now()).padStart(15, "0")}-${String(appended++).padStart(6, "0")}`;
  const { metadata } = await cluster.apply(secretOf(name, inverses, { labels: { [LABEL]: id } }), { force: false, uid: undefined });
  return async () => void (await cluster.delete({ ...SECRET, name }, metadata.uid));
}

/** Deletes all inverses of an apply. */
export const forgetInverses = (cluster: Cluster, id: string): Promise<void> => deleteParts(cluster, `${LABEL}=${id}`);

const partsOf = (cluster: Cluster, labels: string): Promise<LiveObject[]> =>
  cluster.list(SECRET.apiVersion, SECRET.kind, { namespace: SECRET.namespace, labels });

async function deleteParts(cluster: Cluster, labels: string): Promise<void> {
  await parallel(await partsOf(cluster, labels), ({ metadata: { name, uid } }) => cluster.delete({ ...SECRET, name }, uid));
}

function secretOf(name: string, contents: object, more: { readonly labels?: Readonly<Record<string, string>>; readonly resourceVersion?: string } = {}) {
  const { apiVersion, kind, namespace } = SECRET;
  const text = gzipSync(JSON.stringify(contents)).toString("base64");
  return { apiVersion, kind, metadata: { namespace, name, ...more }, type: "Opaque", data: { record: text } };
}

function contentsOf<T>(object: LiveObject): T {
  try {
    const { record } = object["data"] as { readonly record: string };
    return JSON.parse(gunzipSync(Buffer.from(record, "base64")).toString()) as T;
  } catch (cause) {
    const { namespace, name } = object.metadata;
    const message = `${refText({ ...SECRET, namespace, name })}: its record of an apply is damaged; compare the objects with "pulumi-ovn drift", then delete this Secret`;
    throw new ObjectError("OVN_CLUSTER_ERROR", message, { cause });
  }
}
