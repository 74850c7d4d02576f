import type { Failure } from "../../kit/arguments/errors";
import { listed } from "../../kit/text/listed";

/** Maximum number of nodes that are named; a cluster has thousands. */
const MOST_NAMED = 3;

/** Collects failures and warnings. A finding that many nodes share is reported once. */
export class Findings {
  readonly #found = new Map<string, { readonly failure: Failure; readonly nodes: string[] }>();

  add(node: string, failure: Failure): void {
    const key = JSON.stringify([failure.path, failure.code, failure.message]);
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { failure, nodes: [node] });
    else if (known.nodes.at(-1) !== node) known.nodes.push(node);
  }

  get list(): Failure[] {
    return [...this.#found.values()].map(({ failure, nodes }) => ({ ...failure, message: `${failure.message} (${named(nodes)})` }));
  }
}

function named(nodes: readonly string[]): string {
  return `${nodes.length === 1 ? "node" : "nodes"} ${listed(nodes, MOST_NAMED)}`;
}
