import type { RouteAdvertisementArgs } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { ADVERTISEMENT_KEY, CONTROLLER_KEY, type Diagnostic, type Handler, InitializationError } from "@pulumi-ovn/provider/testing";
import { handlers, isError, type Properties } from "@pulumi-ovn/provider/tools";
import type { KubernetesClient } from "@pulumi-ovn/sandbox";
import { ownerOf } from "./provider";

/** A RouteAdvertisement over its life, as Pulumi keeps it: what fails to come into effect is in the state all the same. */
export class Announcement {
  readonly #handler: Handler = handlers.RouteAdvertisement!;
  readonly #urn: string;
  inputs: Properties = {};
  outs: Properties | undefined;

  constructor(
    name: string,
    private readonly targets: Connections,
  ) {
    this.#urn = ownerOf("RouteAdvertisement", name);
  }

  async preview(args: RouteAdvertisementArgs, targets = this.targets): Promise<{ inputs: Properties; diagnostics: readonly Diagnostic[]; changes: boolean }> {
    const { inputs, diagnostics } = await this.#handler.check({ ...this.#request(targets), olds: this.inputs, news: { ...args } });
    return { inputs, diagnostics, changes: this.outs === undefined || this.#handler.diff({ olds: this.outs, news: inputs }).changes };
  }

  /** A preview, and, where that has changes, the update. */
  async up(args: RouteAdvertisementArgs): Promise<void> {
    const { inputs, diagnostics, changes } = await this.preview(args);
    const errors = diagnostics.filter(isError);
    if (errors.length > 0) throw new Error(errors.map(({ path, code, message }) => `${path}: ${message} [${code}]`).join("\n"));
    this.inputs = inputs;
    if (!changes) return;
    try {
      const request = { ...this.#request(this.targets), news: inputs };
      this.outs = (this.outs ? await this.#handler.update({ ...request, id: "id", olds: this.outs }) : await this.#handler.create(request)).outs;
    } catch (error) {
      if (error instanceof InitializationError) this.outs = error.outs;
      throw error;
    }
  }

  async refresh(): Promise<Properties> {
    const found = await this.#handler.read({ ...this.#request(this.targets), id: "id", olds: this.outs! });
    if (!found) throw new Error("there is no trace of it");
    this.outs = found.props;
    if (found.inputs) this.inputs = found.inputs;
    return found.props;
  }

  async destroy(): Promise<void> {
    await this.#handler.delete({ ...this.#request(this.targets), id: "id", olds: this.outs! });
    [this.inputs, this.outs] = [{}, undefined];
  }

  #request(targets: Connections) {
    return { urn: this.#urn, secrets: [], targets };
  }
}

const FRR = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";

/** A real cluster's objects that an announcement reads and writes, accessed without the provider. */
export class Fabric {
  constructor(private readonly cluster: Pick<KubernetesClient, "ask" | "must">) {}

  /** Nodes as kubelets and ovn-kubernetes make them: each with its part of the default network. */
  async node(name: string, subnets: Record<string, string | string[]>, labels: Record<string, string> = {}): Promise<void> {
    const metadata = { name, labels: { "kubernetes.io/hostname": name, ...labels }, annotations: { "k8s.ovn.org/node-subnets": JSON.stringify(subnets) } };
    await this.cluster.must("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata });
  }

  subnets(node: string, subnets: Record<string, string>): Promise<unknown> {
    return this.#edit(`/api/v1/nodes/${node}`, { metadata: { annotations: { "k8s.ovn.org/node-subnets": JSON.stringify(subnets) } } });
  }

  removeNode(name: string): Promise<unknown> {
    return this.cluster.must("DELETE", `/api/v1/nodes/${name}`);
  }

  template(object: object): Promise<unknown> {
    return this.cluster.must("POST", FRR, object);
  }

  edit(name: string, patch: object): Promise<unknown> {
    return this.#edit(`${FRR}/${name}`, patch);
  }

  remove(name: string): Promise<unknown> {
    return this.cluster.must("DELETE", `${FRR}/${name}`);
  }

  /** `NODE PREFIX ...` of each generated object, and the names of all others. */
  async announced(): Promise<string[]> {
    const { items } = (await this.cluster.must("GET", FRR)) as {
      items: { metadata: { name: string; annotations?: Record<string, string> }; spec: { bgp: { routers: { prefixes?: string[] }[] } } }[];
    };
    return items
      .map(({ metadata, spec }) => {
        const node = metadata.annotations?.["pulumi-ovn/route-advertisement"]?.split("/").at(-1);
        return node === undefined ? metadata.name : [node, ...spec.bgp.routers.flatMap(({ prefixes }) => prefixes ?? [])].join(" ");
      })
      .sort();
  }

  /** Name and version of each object. A new version shows a write. */
  async versions(): Promise<Record<string, string>> {
    const { items } = (await this.cluster.must("GET", FRR)) as { items: { metadata: { name: string; resourceVersion: string } }[] };
    return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  }

  /** Name of the object that was generated for a node. */
  async generatedFor(node: string): Promise<string> {
    const { items } = (await this.cluster.must("GET", FRR)) as { items: { metadata: { name: string; annotations?: Record<string, string> } }[] };
    return items.find(({ metadata }) => metadata.annotations?.["pulumi-ovn/route-advertisement"]?.endsWith(`/${node}`))!.metadata.name;
  }

  async get(name: string): Promise<any> {
    return this.cluster.must("GET", `${FRR}/${name}`);
  }

  /** Gives a generated object the marks of releases before 0.3. */
  async markAsFormerRelease(name: string): Promise<void> {
    const { apiVersion, kind, metadata, spec } = await this.get(name);
    const { [ADVERTISEMENT_KEY]: announcement, ...labels } = metadata.labels;
    const { [ADVERTISEMENT_KEY]: purpose, "pulumi-ovn/digest": _digest, ...annotations } = metadata.annotations;
    const marked = { name, labels: { ...labels, [CONTROLLER_KEY]: announcement }, annotations: { ...annotations, [CONTROLLER_KEY]: purpose } };
    await this.cluster.must(
      "PATCH",
      `${FRR}/${name}?fieldManager=pulumi-ovn`,
      { apiVersion, kind, metadata: marked, spec },
      { type: "application/apply-patch+yaml" },
    );
  }

  /** As `kubectl edit` does. */
  #edit(path: string, patch: object): Promise<unknown> {
    return this.cluster.must("PATCH", `${path}?fieldManager=kubectl-edit`, patch, { type: "application/merge-patch+json" });
  }

  /** Makes an object with a status, as its controller would. */
  async withStatus(path: string, object: { metadata: { name: string } }, status: object): Promise<void> {
    const existing = await this.cluster.ask("GET", `${path}/${object.metadata.name}`);
    if (existing.status === 404) await this.cluster.must("POST", path, object);
    await this.cluster.must("PATCH", `${path}/${object.metadata.name}/status`, { status }, { type: "application/merge-patch+json" });
  }
}
