import { type Prefix, contains, formatPrefix, parsePrefix } from "../address";
import type { Failure } from "../arguments/errors";
import { NO_PREFIXES, type SelectedNetwork } from "./network";

interface Owned {
  readonly prefix: Prefix;
  readonly network: SelectedNetwork;
}

/**
 * Networks with a part of the address space in common: the fabric would send packets of one to the other. One failure
 * for each pair. Two prefixes are nested or have nothing in common, so one pass in order of their addresses finds all.
 */
export function overlapsBetween(networks: readonly SelectedNetwork[], nodes: readonly string[]): Failure[] {
  const failures = new Map<string, Failure>();
  const around: Owned[] = [];
  for (const owned of inAddressOrder(networks, nodes)) {
    while (around.length > 0 && !contains(around.at(-1)!.prefix, owned.prefix)) around.pop();
    for (const outer of around) {
      if (outer.network === owned.network) continue;
      const [first, second] = networks.indexOf(outer.network) < networks.indexOf(owned.network) ? [outer, owned] : [owned, outer];
      const key = `${first.network.label} ${second.network.label}`;
      const message = `${second.network.label} (${formatPrefix(second.prefix)}) overlaps ${first.network.label} (${formatPrefix(first.prefix)})`;
      if (!failures.has(key)) failures.set(key, { path: second.network.path, code: "overlap", message });
    }
    around.push(owned);
  }
  return [...failures.values()];
}

function inAddressOrder(networks: readonly SelectedNetwork[], nodes: readonly string[]): Owned[] {
  const ofNodes = (network: SelectedNetwork) => new Set(nodes.flatMap((node) => network.subnetsOn(node) ?? NO_PREFIXES));
  const owned = networks.flatMap((network) => [...(network.whole ?? ofNodes(network))].map((text) => ({ network, prefix: parsePrefix(text) })));
  return owned.sort((a, b) => a.prefix.family - b.prefix.family || compare(a.prefix.value, b.prefix.value) || a.prefix.length - b.prefix.length);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
