import { conflictsOf } from "./conflicts";
import type { FrrConfiguration, NodeObject } from "./facts";
import type { Failure } from "../arguments/errors";
import type { Failures } from "../topology/failures";
import { Findings } from "./findings";
import type { Built } from "./routers";
import { ADVERTISEMENT_KEY, HOSTNAME_KEY } from "./names";
import { type MergeView, viewOf } from "./merge-view";
import { type Selects, selectorOf } from "./selector";
import { type Template, labelOf } from "./templates";

const PATH = "frrConfigurationSelector";

interface Applying {
  readonly view: MergeView;
  readonly applies: Selects;
  /** Templates first, whatever the order of the API's lists: others are said to differ from them. */
  readonly order: string;
}

/**
 * Compares, node by node, what frr-k8s will merge there: what is generated, and every FRRConfiguration that is not of
 * this announcement. Most nodes have the same of them, so each combination is compared once.
 */
export class MergeCheck {
  readonly #everywhere: Applying[] = [];
  /** Those for one node by its name: another announcement has as many as there are nodes. */
  readonly #byHostname = new Map<string, Applying[]>();
  readonly #ids = new Map<MergeView, number>();
  readonly #imports = new Map<string, MergeView>();
  readonly #known = new Map<string, readonly string[]>();
  readonly #found = new Findings();
  readonly #doubts = new Findings();

  constructor(advertisement: string, templates: readonly Template[], configurations: readonly FrrConfiguration[], failures: Failures) {
    const own = new Set(templates.map(({ label }) => label));
    for (const object of configurations) {
      if (object.metadata.labels?.[ADVERTISEMENT_KEY] === advertisement) continue;
      const hostname = object.spec.nodeSelector?.matchLabels?.[HOSTNAME_KEY];
      const applies = failures.attempt(PATH, () => selectorOf(object.spec.nodeSelector));
      if (!applies) continue;
      const label = labelOf(object);
      const applying = { view: viewOf(label, object), applies, order: `${own.has(label) ? 0 : 1}${label}` };
      if (hostname === undefined) this.#everywhere.push(applying);
      else this.#byHostname.set(hostname, [...(this.#byHostname.get(hostname) ?? []), applying]);
    }
  }

  get failures(): Failure[] {
    return this.#found.list;
  }

  /** What stops the nodes of some releases of frr-k8s. */
  get warnings(): Failure[] {
    return this.#doubts.list;
  }

  /** What is generated for a node from its templates. */
  check(node: NodeObject, generated: readonly { readonly template: Template; readonly built: Built }[]): void {
    if (generated.length === 0) return;
    const own = this.#byHostname.get(node.metadata.labels?.[HOSTNAME_KEY] ?? "") ?? [];
    const applying = [...this.#everywhere, ...own].filter(({ applies }) => applies(node.metadata)).sort((a, b) => (a.order < b.order ? -1 : 1));
    const others = applying.map(({ view }) => view);
    for (const conflict of this.#conflicts([...others, ...generated.map(({ template, built }) => this.#importsOf(template, built))])) {
      this.#found.add(node.metadata.name, { path: PATH, code: "merge-conflict", message: conflict });
    }
    for (const { label, doubts } of others) {
      for (const doubt of doubts) this.#doubts.add(node.metadata.name, { path: PATH, code: "OVN_WARN_MERGE_CONFLICT", message: `${label}: ${doubt}` });
    }
  }

  #conflicts(views: readonly MergeView[]): readonly string[] {
    const key = views.map((view) => this.#idOf(view)).join();
    const known = this.#known.get(key) ?? conflictsOf(views);
    this.#known.set(key, known);
    return known;
  }

  #idOf(view: MergeView): number {
    const id = this.#ids.get(view) ?? this.#ids.size;
    this.#ids.set(view, id);
    return id;
  }

  /** What a generated object says beyond its template, which applies to the node, too: routers that only import. */
  #importsOf({ source, namespace, label }: Template, { routers }: Built): MergeView {
    const imports = routers.filter(({ neighbors }) => neighbors === undefined);
    const key = JSON.stringify([label, imports.map(({ vrf }) => vrf)]);
    const known = this.#imports.get(key) ?? {
      ...viewOf(`what is generated from ${label}`, { metadata: { ...source.metadata, namespace }, spec: { bgp: { routers: imports } } }),
      faults: [],
      doubts: [],
    };
    this.#imports.set(key, known);
    return known;
  }
}
