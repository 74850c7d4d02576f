import { sentences } from "../../kit/text/listed";
import { type LiveObject, leavingText } from "../../targets/cluster/cluster";
import { ObjectError } from "../../targets/cluster/errors";
import { type Difference, differencesOf, pathText } from "./plan/fields";
import { DIGEST_ANNOTATION, marked, objectDigest, ownerOf, writersOf } from "./set/marks";
import type { ObjectSet } from "./set";
import type { KubernetesObject } from "../../targets/cluster/object";
import type { Snapshot } from "./live/observe";
import { identityOf, type ObjectRef, refOf, refText } from "../../targets/cluster/reference";

/** An object to be applied. */
export interface Application {
  readonly object: KubernetesObject;
  /** Without our marks. */
  readonly wanted: KubernetesObject;
  /** Whether fields are taken from others who have changed them by hand. */
  readonly force: boolean;
  /** UID of the object that was read; undefined if it did not exist. */
  readonly uid: string | undefined;
}

export interface Deletion {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** Whether it is already being deleted and waits for a finalizer: then this is waited for, too. */
  readonly leaving: boolean;
}

/** Everything that is written, known before anything is. */
export interface Plan {
  readonly applications: readonly Application[];
  readonly deletions: readonly Deletion[];
}

export interface Owners {
  readonly owner: string;
  /** Owners and field managers whose objects and fields may be taken over; undefined when none. */
  readonly managers: readonly string[] | undefined;
}

/** Plan that makes a cluster hold exactly these objects of the owner. Throws for objects of other owners. Pure. */
export function planOf(wanted: ObjectSet, live: Snapshot, owners: Owners): Plan {
  const applications = wanted.objects.flatMap((object) => applicationOf(object, live.get(identityOf(refOf(object))), owners));
  const kept = new Set(wanted.objects.map((object) => identityOf(refOf(object))));
  return { applications, deletions: [...live].filter(([id, object]) => !kept.has(id) && isOwn(object, owners)).map(([, object]) => deletionOf(object)) };
}

/** Plan that deletes a resource's objects; objects of other owners stay. Pure. */
export function removalOf(live: Snapshot, owners: Owners): Deletion[] {
  return [...live.values()].filter((object) => isOwn(object, owners)).map(deletionOf);
}

function deletionOf(object: LiveObject): Deletion {
  return { ref: refOf(object), uid: object.metadata.uid, leaving: object.metadata.deletionTimestamp !== undefined };
}

export function isOwn(object: LiveObject, { owner }: Pick<Owners, "owner">): boolean {
  return ownerOf(object) === owner;
}

/** At most one: none for what is as it should be. */
export function applicationOf(object: KubernetesObject, live: LiveObject | undefined, owners: Owners): Application[] {
  const application = marked(object, owners.owner);
  if (live === undefined) return [{ object: application, wanted: object, force: false, uid: undefined }];
  refuseForeign(live, owners);
  const subject = refText(refOf(object));
  if (live.metadata.deletionTimestamp !== undefined) throw new ObjectError("OVN_CONTENTION", `${leavingText(live)}; run the update again when it is deleted`);
  const differences = changesOf(application, object, live);
  if (differences.length === 0) return [];
  refuseConflicts(subject, differences, owners);
  return [{ object: application, wanted: object, force: differences.some(({ holders }) => holders.length > 0), uid: live.metadata.uid }];
}

/** Differences from the object to apply. If exactly this was applied before, only later changes of others. */
export function changesOf(application: KubernetesObject, object: KubernetesObject, live: LiveObject): Difference[] {
  return differencesOf(application, live, live.metadata.annotations?.[DIGEST_ANNOTATION] !== objectDigest(object));
}

/** Refuses objects of other owners, unless `adopt` names them. */
export function refuseForeign(live: LiveObject, { owner, managers }: Owners): void {
  const holder = ownerOf(live);
  if (holder === owner) return;
  const subject = refText(refOf(live));
  if (holder === undefined) {
    if (managers !== undefined) return;
    const writers = writersOf(live).map((writer) => JSON.stringify(writer));
    throw new ObjectError(
      "OVN_FOREIGN_OBJECT",
      `${subject} exists already${writers.length > 0 ? `, written by ${writers.join(", ")}` : ""}; choose another name, remove it, or take it over with "adopt"`,
    );
  }
  if (managers?.some((name) => name === holder || holder.startsWith(`${name}/`))) return;
  throw new ObjectError(
    "OVN_FOREIGN_OBJECT",
    `${subject} belongs to ${holder}; remove it there, or take it over with adopt: { owners: [${JSON.stringify(holder)}] }`,
  );
}

/**
 * A plain write to our field (kubectl edit) is drift and is repaired. A declaration (server-side apply) would be restored by its manager again
 * and again: it is refused, unless the manager is named.
 */
function refuseConflicts(subject: string, differences: readonly Difference[], { managers }: Owners): void {
  const conflicts = differences.flatMap(({ path, holders }) =>
    holders.flatMap(({ manager = "", operation }) =>
      operation === "Apply" && !managers?.includes(manager) ? [`${pathText(path)} is managed by "${manager}"`] : [],
    ),
  );
  if (conflicts.length === 0) return;
  throw new ObjectError(
    "OVN_FIELD_CONFLICT",
    `${subject}: ${sentences(conflicts, 5)}; leave it to one of the two, or name the manager in adopt: { owners: [...] }`,
  );
}
