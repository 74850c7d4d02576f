import { readdir, readFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import {
  frrK8sPrograms,
  type KubernetesAnswer,
  type KubernetesApi,
  type KubernetesApiOptions,
  KubernetesClient,
  type KubernetesRequest,
  startKubernetesApi,
} from "@pulumi-ovn/sandbox";
import { keptKubernetes } from "./kept-kubernetes";
import { gadgetCrd, ovnKubernetesCrds, stackCrd } from "./kubernetes-crds";

export interface TestClusterOptions extends KubernetesApiOptions {
  /** Definitions to install. `frr-k8s`: those of its release. */
  readonly crds?: readonly ("frr-k8s" | "ovn-kubernetes" | object)[];
}

/** Users in the worker's own cluster with the rights that RBAC grants. */
const USERS = ["guest", "local"];

/** A real API server, and a way to it that has nothing to do with the provider's. */
export class TestCluster implements AsyncDisposable {
  private readonly client: KubernetesClient;

  private constructor(readonly api: KubernetesApi) {
    this.client = new KubernetesClient(api.kubeconfig);
  }

  /** One that this file may stop, let stand still, and change in any way. */
  static async start({ crds = [], ...options }: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = new TestCluster(await startKubernetesApi(options));
    try {
      await cluster.#defineAll(crds);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The cluster of this worker, with all kinds and users of these tests, and without objects. It keeps running after the test file. */
  static async kept(): Promise<TestCluster> {
    return new TestCluster(await keptKubernetes(USERS, (api) => new TestCluster(api).#defineAll(["frr-k8s", "ovn-kubernetes", gadgetCrd, stackCrd])));
  }

  async #defineAll(crds: NonNullable<TestClusterOptions["crds"]>): Promise<void> {
    const sets = await Promise.all(crds.map((crd) => (crd === "frr-k8s" ? frrK8sCrds() : crd === "ovn-kubernetes" ? ovnKubernetesCrds : [crd as object])));
    for (const crd of sets.flat()) await this.define(crd);
  }

  /** As `clusters` in a file of targets. */
  target(context?: string, more: object = {}): { kubeconfig: string; context?: string } {
    return { kubeconfig: this.api.kubeconfig, ...(context !== undefined && { context }), ...more };
  }

  /** Sends a request as one of the users; returns any answer. */
  ask(method: string, path: string, body?: unknown, options?: KubernetesRequest): Promise<KubernetesAnswer> {
    return this.client.ask(method, path, body, options);
  }

  /** A request that has to succeed. */
  must(method: string, path: string, body?: unknown, options?: KubernetesRequest): Promise<any> {
    return this.client.must(method, path, body, options);
  }

  /** Reports every change of a list from now on, like `kubectl get --watch-only`. */
  async watch(path: string): Promise<ObjectWatch> {
    const ca = await readFile(join(this.api.folder, "apiserver.crt"));
    const { metadata } = (await this.must("GET", path)) as { metadata: { resourceVersion: string } };
    const asked = request(`${this.api.url}${path}?watch=true&resourceVersion=${metadata.resourceVersion}`, {
      ca,
      headers: { authorization: `Bearer ${this.api.token()}` },
    });
    return new ObjectWatch(asked);
  }

  /** As `kubectl edit` does. */
  edit(path: string, patch: object, manager = "kubectl-edit"): Promise<any> {
    return this.must("PATCH", `${path}?fieldManager=${manager}`, patch, { type: "application/merge-patch+json" });
  }

  /** As `kubectl apply --server-side` does. */
  apply(path: string, object: object, manager: string, force = false): Promise<any> {
    return this.must("PATCH", `${path}?fieldManager=${manager}&force=${String(force)}`, object, { type: "application/apply-patch+yaml" });
  }

  /** Names of what a list holds. */
  async names(path: string): Promise<string[]> {
    const { items } = (await this.must("GET", path)) as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name).sort();
  }

  /** Installs a definition, and waits until objects of its kind can be made. */
  async define(crd: any): Promise<void> {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await this.must("POST", path, crd);
    const { group, names, versions } = crd.spec;
    const ready = async () => (await this.ask("GET", `/apis/${group}/${versions[0].name}/${names.plural}`)).status === 200;
    for (let tries = 0; !(await ready()); tries++) {
      if (tries > 600) throw new Error(`${names.kind} is not served: ${JSON.stringify(await this.must("GET", `${path}/${names.plural}.${group}`))}`);
      await sleep(50);
    }
  }

  namespace(name: string): Promise<any> {
    return this.must("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }

  /** Lets the user `local` write ConfigMaps in the namespace `default`, and nothing else. */
  async allowLocal(): Promise<void> {
    await this.must("POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "local" },
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "get", "patch", "create", "delete"] }],
    });
    await this.must("POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "local" },
      subjects: [{ kind: "User", name: "local" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "local" },
    });
  }

  /** As the controller of namespaces does when nothing is left in one that is being deleted. */
  finalize(name: string): Promise<any> {
    return this.must("PUT", `/api/v1/namespaces/${name}/finalize`, { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: [] } });
  }

  stop(): Promise<void> {
    return this.api.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Changes of a list, as the server reports them. */
export class ObjectWatch {
  #text = "";
  readonly #names: string[] = [];
  #told: () => void = () => undefined;

  constructor(private readonly asked: ClientRequest) {
    asked.once("response", (response: IncomingMessage) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => this.#take(chunk));
      // Ended by us.
      response.on("error", () => undefined);
    });
    asked.on("error", () => undefined);
    asked.end();
  }

  /** Resolves when `count` changes of objects with matching names have been reported. */
  async events(isMeant: (name: string) => boolean, count: number): Promise<void> {
    while (this.#names.filter(isMeant).length < count) await new Promise<void>((resolve) => (this.#told = resolve));
  }

  end(): void {
    this.asked.destroy();
  }

  /** One JSON object in a line for each change. */
  #take(chunk: string): void {
    const lines = (this.#text + chunk).split("\n");
    this.#text = lines.pop()!;
    for (const line of lines) this.#names.push((JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name);
    this.#told();
  }
}

async function frrK8sCrds(): Promise<object[]> {
  const { crds } = await frrK8sPrograms(() => undefined);
  const files = await readdir(crds);
  return Promise.all(files.map(async (file) => parse(await readFile(join(crds, file), "utf8")) as object));
}
