import { type Prefix, contains, formatPrefix, parsePrefix } from "../../../kit/address";
import type { Failure } from "../../../kit/arguments/errors";
import { NO_PREFIXES, type SelectedNetwork } from "./network";

interface Owned<Owner> {
  readonly prefix: Prefix;
  readonly owner: Owner;
}

/** Finds networks whose subnets overlap: the fabric would send packets of one network to the other. One failure for each pair. */
export function overlapsBetween(networks: readonly SelectedNetwork[], nodes: readonly string[]): Failure[] {
  const failures = new Map<string, Failure>();
  const ofNodes = (network: SelectedNetwork) => new Set(nodes.flatMap((node) => network.subnetsOn(node) ?? NO_PREFIXES));
  const all = networks.flatMap((network) => ownedBy(network, network.whole ?? ofNodes(network)));
  for (const [outer, inner] of overlapping(all)) {
    const [first, second] = networks.indexOf(outer.owner) < networks.indexOf(inner.owner) ? [outer, inner] : [inner, outer];
    const key = `${first.owner.label} ${second.owner.label}`;
    const message = `${second.owner.label} (${formatPrefix(second.prefix)}) overlaps ${first.owner.label} (${formatPrefix(first.prefix)})`;
    if (!failures.has(key)) failures.set(key, { path: second.owner.path, code: "overlap", message });
  }
  return [...failures.values()];
}

/** Finds nodes whose parts of one network overlap: the fabric would send packets of one node to the other. One failure for each network. */
export function overlapsWithin({ label, path, isDivided, subnetsOn }: SelectedNetwork, nodes: readonly string[]): Failure[] {
  if (!isDivided) return [];
  for (const [outer, inner] of overlapping(nodes.flatMap((node) => ownedBy(node, subnetsOn(node) ?? NO_PREFIXES)))) {
    const [first, second] = outer.owner < inner.owner ? [outer, inner] : [inner, outer];
    const message = `${label}: ${formatPrefix(second.prefix)} of node ${second.owner} overlaps ${formatPrefix(first.prefix)} of node ${first.owner}`;
    return [{ path, code: "overlap", message }];
  }
  return [];
}

function ownedBy<Owner>(owner: Owner, prefixes: Iterable<string>): Owned<Owner>[] {
  return [...prefixes].map((text) => ({ owner, prefix: parsePrefix(text) }));
}

/** Pairs of different owners. Two prefixes are nested or have nothing in common, so one pass in order of their addresses finds all. */
function* overlapping<Owner>(owned: readonly Owned<Owner>[]): Generator<[outer: Owned<Owner>, inner: Owned<Owner>]> {
  const enclosing: Owned<Owner>[] = [];
  const inOrder = owned.toSorted((a, b) => a.prefix.family - b.prefix.family || compare(a.prefix.value, b.prefix.value) || a.prefix.length - b.prefix.length);
  for (const inner of inOrder) {
    while (enclosing.length > 0 && !contains(enclosing.at(-1)!.prefix, inner.prefix)) enclosing.pop();
    for (const outer of enclosing) if (outer.owner !== inner.owner) yield [outer, inner];
    enclosing.push(inner);
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
