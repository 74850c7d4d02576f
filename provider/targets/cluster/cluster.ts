import type { KubernetesObject, ObjectMetadata } from "./object";
import { ObjectError } from "./errors";
import type { ClusterSettings } from "../schema";
import { kindName, type ObjectRef, refOf, refText } from "./reference";
import { kindMissing, Kinds, root } from "./kinds";
import type { Surroundings } from "./kubeconfig";
import { repeat } from "./repeat";
import { type ApiRequest, type ApiResponse, Session } from "./session";
import { contentsOf, errorOf, succeeded } from "./status";

/** An object as the API server has it. */
export interface LiveObject extends KubernetesObject {
  readonly metadata: LiveMetadata;
}

interface LiveMetadata extends ObjectMetadata {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFields[];
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[];
}

/** Which fields a writer has set (meta/v1, ManagedFieldsEntry). */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly subresource?: string;
  readonly fieldsV1?: FieldTree;
}

/** `f:NAME` for a field, `k:KEYS` and `v:VALUE` for items of a list. */
export interface FieldTree {
  readonly [key: string]: FieldTree;
}

export interface ListOptions {
  /** Default: of all namespaces. */
  readonly namespace?: string | undefined;
  /** `key=value,...` */
  readonly labels?: string | undefined;
  /** Names, marks and managers without the contents. Default: false. */
  readonly metadataOnly?: boolean;
}

export interface ApplyOptions {
  /** Whether fields are taken from other managers. */
  readonly force: boolean;
  /** UID of the object; undefined if it does not exist yet. */
  readonly uid: string | undefined;
}

/** A list, or a part of one (meta/v1, ListMeta). */
interface Page {
  readonly items?: readonly LiveObject[];
  readonly metadata?: { readonly continue?: string };
}

/** The name under which fields are written (server-side apply). */
export const FIELD_MANAGER = "pulumi-ovn";

/**
 * A version that no object has, so an existing object never matches; otherwise the server creates the object. (etcd has revision 1 before its
 * first write.)
 */
const NO_VERSION = "1";

/** Milliseconds between two looks at an object that is being deleted. */
const PACE = { first: 50, longest: 1_000 };

const LONGEST_DELETE_SECONDS = 300;

/** Status for a page of a list that has expired. */
const EXPIRED = 410;

const APPLY = "application/apply-patch+yaml";
const METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** Objects of any kind in one cluster. Every call has the timeout of the cluster's settings. */
export class Cluster {
  readonly #session: Session;
  readonly #patience: number;
  readonly #kinds: Kinds;

  constructor(settings: ClusterSettings, surroundings: Surroundings) {
    this.#patience = settings.timeout ?? LONGEST_DELETE_SECONDS;
    this.#session = new Session(settings, surroundings);
    this.#kinds = new Kinds(this.#session);
  }

  /** In one request, where the server does not answer page by page. Throws OVN_KIND_MISSING where the cluster has no such kind. */
  async list(apiVersion: string, kind: string, { namespace, labels, metadataOnly = false }: ListOptions = {}, signal?: AbortSignal): Promise<LiveObject[]> {
    const path = await this.#collection({ apiVersion, kind, namespace }, signal);
    const query: Readonly<Record<string, string>> = labels === undefined ? {} : { labelSelector: labels };
    let objects: LiveObject[] = [];
    for (let [page, again]: [string | undefined, boolean] = ["", false]; page !== undefined; ) {
      const response = await this.#session.send(
        { method: "GET", path, query: page === "" ? query : { ...query, continue: page }, ...(metadataOnly && { accept: METADATA }) },
        signal,
      );
      if (response.status === EXPIRED && page !== "" && !again) {
        // The rest of the list was compacted away (meta/v1, ListMeta): only a complete list is consistent.
        [page, objects, again] = ["", [], true];
        continue;
      }
      const list = this.#contents(response, kindName({ apiVersion, kind }), { apiVersion, kind }) as Page;
      // Items of a list do not repeat what they are.
      for (const item of list.items ?? []) objects.push({ ...item, apiVersion, kind });
      const next = list.metadata?.continue || undefined;
      if (next !== undefined && next === page)
        throw new ObjectError("OVN_CLUSTER_ERROR", `${kindName({ apiVersion, kind })}: the server answers a part of the list again instead of the next one`);
      page = next;
    }
    return objects;
  }

  /** Undefined if it does not exist. */
  async get(ref: ObjectRef, signal?: AbortSignal): Promise<LiveObject | undefined> {
    const response = await this.#session.send({ method: "GET", path: await this.#path(ref, signal) }, signal);
    return response.status === 404 ? undefined : (contentsOf(response, refText(ref)) as LiveObject);
  }

  /**
   * Server-side apply: fields that were ours and are left out go. Unknown fields are refused instead of dropped silently.
   * Fails where the object is not the one that was seen, and where there is one though none was.
   */
  async apply(object: KubernetesObject, { force, uid }: ApplyOptions, signal?: AbortSignal): Promise<LiveObject> {
    const ref = { ...object, ...object.metadata, apiVersion: object.apiVersion, kind: object.kind };
    const query = { fieldManager: FIELD_MANAGER, fieldValidation: "Strict", ...(force && { force: "true" }) };
    const body = { ...object, metadata: { ...object.metadata, ...(uid === undefined ? { resourceVersion: NO_VERSION } : { uid }) } };
    return (await this.#send({ method: "PATCH", path: await this.#path(ref, signal), query, body, type: APPLY }, signal, refText(ref), ref)) as LiveObject;
  }

  /**
   * Deletes exactly this object, not a newer one of its name. A deleted object counts as success. Returns whether it may still exist for a
   * while: until its finalizers are removed, or its namespace is empty.
   */
  async delete(ref: ObjectRef, uid: string, signal?: AbortSignal): Promise<boolean> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid }, propagationPolicy: "Background" };
    const response = await this.#session.send({ method: "DELETE", path: await this.#path(ref, signal), body }, signal);
    if (response.status === 404) return false;
    if (response.status === 409 && (await this.get(ref, signal))?.metadata.uid !== uid) return false;
    // A Status if it is deleted, otherwise the object (Kubernetes API Concepts, "Resource deletion"); some kinds return the object in both cases.
    const { metadata } = contentsOf(response, refText(ref)) as Partial<LiveObject>;
    return metadata?.deletionTimestamp !== undefined;
  }

  /**
   * Waits until an object that is being deleted has ended, within the cluster's timeout, 5 minutes by default: some finalizers remove cloud
   * resources. Throws OVN_CONTENTION with the cause: the object has its effect while it exists.
   */
  waitUntilDeleted(ref: ObjectRef, uid: string, signal?: AbortSignal): Promise<void> {
    const look = async (bounded: AbortSignal) => {
      const live = await this.get(ref, bounded);
      if (live?.metadata.uid !== uid) return undefined;
      return new ObjectError("OVN_CONTENTION", `${leavingText(live)}; not deleted within ${this.#patience} s; run again when it is`);
    };
    return repeat(look, { pace: PACE, until: performance.now() + this.#patience * 1000 }, signal);
  }

  /** Reports whether the cluster has a kind. Needs no right to read its objects. */
  async has(apiVersion: string, kind: string, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#kinds.resource({ apiVersion, kind }, signal);
      return true;
    } catch (error) {
      if (error instanceof ObjectError && error.code === "OVN_KIND_MISSING") return false;
      throw error;
    }
  }

  /** The server's release, such as `v1.33.1`. */
  async version(signal?: AbortSignal): Promise<string> {
    const { gitVersion } = contentsOf(await this.#session.send({ method: "GET", path: "/version" }, signal), "the version") as { gitVersion?: string };
    return gitVersion ?? "unknown";
  }

  /** Whether the user may do this to objects of a kind in any namespace. Changes nothing: the server keeps no reviews. */
  async may(verb: string, kind: Pick<ObjectRef, "apiVersion" | "kind">, signal?: AbortSignal): Promise<boolean> {
    const { name } = await this.#kinds.resource(kind, signal);
    const group = kind.apiVersion.includes("/") ? kind.apiVersion.split("/")[0]! : "";
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes: { verb, group, resource: name } } };
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const { status } = contentsOf(await this.#session.send({ method: "POST", path, body: review }, signal), "the rights") as { status?: { allowed?: boolean } };
    return status?.allowed === true;
  }

  /** Whether objects of a kind are in namespaces. */
  async isNamespaced(ref: Pick<ObjectRef, "apiVersion" | "kind">, signal?: AbortSignal): Promise<boolean> {
    return (await this.#kinds.resource(ref, signal)).namespaced;
  }

  async #path(ref: ObjectRef, signal: AbortSignal | undefined): Promise<string> {
    return `${await this.#collection(ref, signal)}/${encodeURIComponent(ref.name)}`;
  }

  async #collection({ apiVersion, kind, namespace }: Omit<ObjectRef, "name">, signal: AbortSignal | undefined): Promise<string> {
    const { name, namespaced } = await this.#kinds.resource({ apiVersion, kind }, signal);
    return `${root(apiVersion)}${namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ""}/${name}`;
  }

  async #send(request: ApiRequest, signal: AbortSignal | undefined, subject: string, kind: Pick<ObjectRef, "apiVersion" | "kind">): Promise<object> {
    return this.#contents(await this.#session.send(request, signal), subject, kind);
  }

  #contents(response: ApiResponse, subject: string, kind: Pick<ObjectRef, "apiVersion" | "kind">): object {
    if (succeeded(response)) return contentsOf(response, subject);
    const error = errorOf(response, subject);
    if (response.status !== 404 || error.code === "OVN_NAMESPACE_MISSING") throw error;
    // Lists and applications always find the object, so its kind was removed since the discovery.
    this.#kinds.forget(kind.apiVersion);
    throw kindMissing(kind);
  }
}

/** `ConfigMap app/a is being deleted, and waits for example.org/backup` */
export function leavingText(object: LiveObject): string {
  // A namespace has a finalizer of its own, for what is in it (core/v1, NamespaceSpec).
  const contents = object.apiVersion === "v1" && object.kind === "Namespace" ? "what is in it" : "its dependents";
  return `${refText(refOf(object))} is being deleted, and waits for ${object.metadata.finalizers?.join(", ") || contents}`;
}
