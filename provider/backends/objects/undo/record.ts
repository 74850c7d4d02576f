import { gunzipSync, gzipSync } from "node:zlib";
import { APPLY_VARIABLE, type ApplyFacts, type Phase } from "../../../targets/apply";
import type { Cluster, LiveObject } from "../../../targets/cluster/cluster";
import { ObjectError } from "../../../targets/cluster/errors";
import { refText } from "../../../targets/cluster/reference";
import { otherApply, PendingApplyError } from "../../../targets/errors";
import type { ObjectInverse } from "./inverse";

/** Secret with the record of a cluster's apply, because objects may contain secrets. */
const SECRET = { apiVersion: "v1", kind: "Secret", namespace: "kube-system", name: "pulumi-ovn-apply" } as const;

/** Pending or undone apply of one cluster. */
export interface ObjectRecord extends ApplyFacts {
  readonly id: string;
  readonly phase: Phase;
  /** In the order of the changes. */
  readonly inverses: readonly ObjectInverse[];
  /** Objects that were not undone, because another manager changed them. */
  readonly kept: readonly string[];
}

/** Attempts while another process writes the record. */
const ATTEMPTS = 5;

/** Undefined without an apply. */
export async function readObjectRecord(cluster: Cluster): Promise<ObjectRecord | undefined> {
  const live = await cluster.get(SECRET);
  return live && recordIn(live);
}

/** Throws an ObjectError with OVN_CONTENTION if there is a record already. */
export async function layDownObjects(cluster: Cluster, id: string, facts: ApplyFacts): Promise<void> {
  await cluster.apply(secretOf({ ...facts, id, phase: "pending", inverses: [], kept: [] }), { force: false, uid: undefined });
}

/** Changes the record of an apply in this phase. Throws a PendingApplyError if it is in another one, or not there. */
export async function changeObjectRecord(
  cluster: Cluster,
  id: string,
  phase: Phase,
  change: (record: ObjectRecord) => ObjectRecord | undefined,
): Promise<void> {
  for (let left = ATTEMPTS; ; left--) {
    const live = await cluster.get(SECRET);
    const record = live && recordIn(live);
    if (record?.id !== id || record.phase !== phase)
      throw new PendingApplyError(`apply ${id} is ${record?.id === id ? record.phase : "not there"}, not ${phase}`);
    const next = change(record);
    const { uid, resourceVersion } = live!.metadata;
    try {
      if (next === undefined) await cluster.delete(SECRET, uid);
      else await cluster.apply(secretOf(next, resourceVersion), { force: false, uid });
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof ObjectError) || !["OVN_FIELD_CONFLICT", "OVN_CONTENTION"].includes(error.code)) throw error;
    }
  }
}

const queues = new WeakMap<Cluster, Promise<unknown>>();

/**
 * Before objects are changed: records their inverses if this update belongs to an apply. Throws a PendingApplyError if it does not, and one is
 * pending.
 */
export async function recordObjects(cluster: Cluster, inverses: readonly ObjectInverse[]): Promise<void> {
  const id = process.env[APPLY_VARIABLE];
  if (id === undefined) return refusePending(cluster);
  // Resources of one update write the record one after the other.
  const turn = (queues.get(cluster) ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => changeObjectRecord(cluster, id, "pending", (record) => ({ ...record, inverses: [...record.inverses, ...inverses] })));
  queues.set(cluster, turn);
  await turn;
}

async function refusePending(cluster: Cluster): Promise<void> {
  const record = await readObjectRecord(cluster).catch((error: unknown) => {
    // Most users of a cluster may not read Secrets of kube-system. The undo keeps and names what they change meanwhile.
    if (error instanceof ObjectError && error.code === "OVN_FORBIDDEN") return undefined;
    throw error;
  });
  if (record) throw otherApply(record);
}

function secretOf(record: ObjectRecord, resourceVersion?: string) {
  const { apiVersion, kind, ...metadata } = SECRET;
  const text = gzipSync(JSON.stringify(record)).toString("base64");
  return { apiVersion, kind, metadata: { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) }, type: "Opaque", data: { record: text } };
}

function recordIn(object: LiveObject): ObjectRecord {
  try {
    const { record } = object["data"] as { readonly record: string };
    return JSON.parse(gunzipSync(Buffer.from(record, "base64")).toString()) as ObjectRecord;
  } catch (cause) {
    const message = `${refText(SECRET)}: its record of an apply is damaged; compare the objects with "pulumi-ovn drift", then delete this Secret`;
    throw new ObjectError("OVN_CLUSTER_ERROR", message, { cause });
  }
}
