import type { Failure } from "../../kit/arguments/errors";
import { targetOf } from "./check";
import type { ClusterFacts, NodeObject } from "./facts";
import { Findings } from "./findings";
import { HOSTNAME_KEY } from "./names";
import type { NetworkPrefixes } from "./networks/prefixes";
import type { Built } from "./routers";
import type { AdvertisementSpec } from "./spec";
import type { Template } from "./templates";

interface OnNode {
  readonly template: Template;
  readonly built: Built;
}

/** Finds what would not be announced though it is selected: as a failure where nothing of it would be. */
export class Unannounced {
  readonly #failures = new Findings();
  readonly #warnings = new Findings();
  readonly #auto: boolean;
  readonly #vrf: string;

  constructor(spec: AdvertisementSpec, facts: ClusterFacts) {
    const target = targetOf(spec);
    this.#auto = target === "auto";
    this.#vrf = this.#auto ? "the VRF of a selected network" : target === "" ? "the main VRF" : `VRF ${target}`;
    this.#strangers(spec, facts);
  }

  get failures(): Failure[] {
    return this.#failures.list;
  }

  get warnings(): Failure[] {
    return this.#warnings.list;
  }

  /** A node with something to announce, and what its templates make of that. */
  look({ metadata }: NodeObject, own: readonly NetworkPrefixes[], templates: readonly OnNode[]): void {
    const { name, labels = {} } = metadata;
    if (labels[HOSTNAME_KEY] === undefined) {
      this.#failures.add(name, { path: "nodeSelector", code: "node-label", message: `no label ${HOSTNAME_KEY}: no generated object would apply` });
    }
    for (const { template, built } of templates) {
      if (built.matched.length > 0) continue;
      this.#failures.add(name, { path: "targetVRF", code: "no-router", message: `${template.label} has no router with neighbours in ${this.#vrf}` });
    }
    if (templates.length === 0) this.#warn(name, "frrConfigurationSelector", "no selected FRRConfiguration applies, so nothing is announced");
    const matched = new Set(templates.flatMap(({ built }) => built.matched.map(({ network }) => network)));
    const announced = new Set(templates.flatMap(({ built }) => [...built.announced]));
    const onlyItself = templates.length > 0 && templates.every(({ built }) => built.onlyItself);
    for (const { network, prefixes } of own) {
      if (this.#auto && !matched.has(network)) {
        const message = `${network.label}: no selected FRRConfiguration has a router with neighbours in VRF ${network.vrf}`;
        this.#failures.add(name, { path: network.path, code: "no-router", message });
        continue;
      }
      if (!matched.has(network) || onlyItself) continue;
      const missing = prefixes.filter((prefix) => !announced.has(prefix));
      if (missing.length === 0) continue;
      const family = missing[0]!.includes(":") ? "IPv6" : "IPv4";
      const message = `${network.label}: no neighbour has an ${family} session`;
      if (missing.length === prefixes.length)
        this.#failures.add(name, { path: "frrConfigurationSelector", code: "family", message: `${message}, and its prefixes are of no other family` });
      else this.#warn(name, "frrConfigurationSelector", `${message}, so its ${family} prefixes are not announced`);
    }
  }

  /** Nodes that the program names and the cluster does not have. */
  #strangers({ networks = {} }: AdvertisementSpec, { nodes }: ClusterFacts): void {
    const known = new Set(nodes.map(({ metadata }) => metadata.name));
    for (const [network, { nodeSubnets = {}, egressIPs = {} }] of Object.entries(networks)) {
      for (const node of [...Object.keys(nodeSubnets), ...Object.keys(egressIPs)]) {
        if (!known.has(node)) this.#warn(node, "networks", `network "${network}" names a node that the cluster does not have, so its part is not announced`);
      }
    }
  }

  #warn(node: string, path: string, message: string): void {
    this.#warnings.add(node, { path, code: "OVN_WARN_NOT_ANNOUNCED", message });
  }
}
