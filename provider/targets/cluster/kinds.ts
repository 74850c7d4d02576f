import { ObjectError } from "./errors";
import type { ObjectRef } from "./reference";
import { within } from "./pause";
import type { Session } from "./session";
import { contentsOf } from "./status";

/** How a kind is addressed (meta/v1, APIResource). */
export interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The kinds of a version, which several calls may wait for. */
interface Discovery {
  readonly resources: Promise<readonly Resource[]>;
  /** Signal of the call that started the discovery. */
  readonly signal: AbortSignal | undefined;
}

/** The kinds that a cluster has. Those of a version are asked for once. */
export class Kinds {
  readonly #discoveries = new Map<string, Discovery>();

  constructor(private readonly session: Session) {}

  /** Throws OVN_KIND_MISSING where the cluster has no such kind. */
  async resource({ apiVersion, kind }: Pick<ObjectRef, "apiVersion" | "kind">, signal: AbortSignal | undefined): Promise<Resource> {
    const resource = (await this.#resources({ apiVersion, kind }, signal)).find((each) => each.kind === kind);
    if (resource) return resource;
    throw kindMissing({ apiVersion, kind });
  }

  async #resources({ apiVersion, kind }: Pick<ObjectRef, "apiVersion" | "kind">, signal: AbortSignal | undefined): Promise<readonly Resource[]> {
    for (;;) {
      // Returns the reason why the call ended.
      if (signal?.aborted) return this.#discover(apiVersion, signal);
      const discovery = this.#discoveries.get(apiVersion) ?? { resources: this.#discover(apiVersion, signal), signal };
      this.#discoveries.set(apiVersion, discovery);
      const drop = () => void (this.#discoveries.get(apiVersion) === discovery && this.#discoveries.delete(apiVersion));
      // A definition may come later: what is missing is looked for again.
      discovery.resources.then((resources) => resources.some((resource) => resource.kind === kind) || drop(), drop);
      if (discovery.signal === signal) return discovery.resources;
      try {
        return await (signal ? within(signal, discovery.resources) : discovery.resources);
      } catch (error) {
        // The end of the starting call reports nothing about the cluster.
        if (!signal?.aborted && !discovery.signal?.aborted) throw error;
        drop();
      }
    }
  }

  async #discover(apiVersion: string, signal: AbortSignal | undefined): Promise<readonly Resource[]> {
    const response = await this.session.send({ method: "GET", path: root(apiVersion) }, signal);
    if (response.status === 404) return [];
    const { resources = [] } = contentsOf(response, apiVersion) as { resources?: Resource[] };
    // Names with "/" are subresources.
    return resources.filter(({ name }) => !name.includes("/"));
  }

  /** Forgets a version after one of its kinds was removed. */
  forget(apiVersion: string): void {
    this.#discoveries.delete(apiVersion);
  }
}

export function kindMissing({ apiVersion, kind }: Pick<ObjectRef, "apiVersion" | "kind">): ObjectError {
  return new ObjectError("OVN_KIND_MISSING", `it has no ${kind} of ${apiVersion}; install what brings its CustomResourceDefinition`);
}

/** The path that all of a version are under. */
export function root(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
