import { conflictsOf } from "./conflicts";
import type { FrrConfiguration, NodeObject } from "../facts";
import type { Failure } from "../../../kit/arguments/errors";
import type { Failures } from "../../../kit/arguments/failures";
import { Findings } from "../findings";
import { nextHopDoubts, nextHopFailures } from "./next-hop-check";
import type { NetworkPrefixes } from "../networks/prefixes";
import type { Built } from "../routers";
import { HOSTNAME_KEY, announcementOf, generatorOf, isGenerated } from "../names";
import { type MergeView, viewOf } from "./merge-view";
import { type Selects, selectorOf } from "../selector";
import { type Template, labelOf } from "../templates";

const PATH = "frrConfigurationSelector";

interface Applying {
  readonly view: MergeView;
  /** Whether the object is generated. It then follows its template, which is also compared. */
  readonly follows: boolean;
  readonly applies: Selects;
  /** Sort key: templates first, generated objects last, in any order of the API's lists. Later objects are compared with the first. */
  readonly order: string;
}

/**
 * Compares, node by node, what frr-k8s will merge there: what is generated, and every FRRConfiguration that is not of
 * this announcement. Most nodes have the same of them, so each combination is compared once.
 */
export class MergeCheck {
  readonly #everywhere: Applying[] = [];
  /** Objects for a single node, by the node's name: another announcement has one object for each node. */
  readonly #byHostname = new Map<string, Applying[]>();
  readonly #ids = new Map<MergeView, number>();
  readonly #imports = new Map<string, MergeView>();
  readonly #known = new Map<string, readonly string[]>();
  readonly #found = new Findings();
  readonly #doubts = new Findings();

  constructor(advertisement: string, templates: readonly Template[], configurations: readonly FrrConfiguration[], failures: Failures) {
    const own = new Set(templates.map(({ label }) => label));
    for (const object of configurations) {
      if (announcementOf(object) === advertisement) continue;
      const hostname = object.spec.nodeSelector?.matchLabels?.[HOSTNAME_KEY];
      const applies = failures.attempt(PATH, () => selectorOf(object.spec.nodeSelector));
      if (!applies) continue;
      const label = labelOf(object);
      const [follows, generator] = [isGenerated(object), generatorOf(object)];
      const view = viewOf(generator === undefined ? label : `what announcement "${generator}" generates`, object);
      const applying = { view, follows, applies, order: `${own.has(label) ? 0 : follows ? 2 : 1}${label}` };
      if (hostname === undefined) this.#everywhere.push(applying);
      else this.#byHostname.set(hostname, [...(this.#byHostname.get(hostname) ?? []), applying]);
    }
  }

  get failures(): Failure[] {
    return this.#found.list;
  }

  /** Problems that stop nodes only with some releases of frr-k8s. */
  get warnings(): Failure[] {
    return this.#doubts.list;
  }

  /** Checks the objects that are generated for a node from its templates. */
  check(node: NodeObject, mine: readonly NetworkPrefixes[], generated: readonly { readonly template: Template; readonly built: Built }[]): void {
    if (generated.length === 0) return;
    const own = this.#byHostname.get(node.metadata.labels?.[HOSTNAME_KEY] ?? "") ?? [];
    const applying = [...this.#everywhere, ...own].filter(({ applies }) => applies(node.metadata)).sort((a, b) => (a.order < b.order ? -1 : 1));
    const others = applying.filter(({ follows }) => !follows).map(({ view }) => view);
    const imports = generated.map(({ template, built }) => this.#importsOf(template, built));
    const conflicts = this.#conflicts([...others, ...imports]);
    for (const message of conflicts) this.#found.add(node.metadata.name, { path: PATH, code: "merge-conflict", message });
    // To refuse these would stop two announcements over one template for good when the template changes.
    const following = applying.filter(({ follows }) => follows).map(({ view }) => view);
    for (const conflict of this.#conflicts([...others, ...imports, ...following])) {
      if (conflicts.includes(conflict)) continue;
      const message = `${conflict} until that announcement is updated, too`;
      this.#doubts.add(node.metadata.name, { path: PATH, code: "OVN_WARN_MERGE_CONFLICT", message });
    }
    for (const { template, built } of generated) {
      const merged = (view: MergeView) => view.namespace === template.namespace;
      for (const failure of nextHopFailures(built.routers, mine, others.filter(merged))) this.#found.add(node.metadata.name, failure);
      for (const doubt of nextHopDoubts(built.routers, others.filter(merged), following.filter(merged))) this.#doubts.add(node.metadata.name, doubt);
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

  /** Settings of a generated object that its template does not have, although both apply to the node: routers that only import. */
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
