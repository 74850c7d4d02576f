import { didYouMean } from "@pulumi-ovn/provider/tools";
import { listed } from "../texts";
import { UpgradeError } from "./errors";

/** Number of nodes that move together: `3`, or `25%` of all nodes, rounded up. */
export function parseBatch(text: string, nodes: number): number {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const refuse = (why: string) =>
    new UpgradeError("OVN_UPGRADE_BATCH", `a batch is a number of nodes (3) or a part of all nodes (25%), not ${JSON.stringify(text)}${why}`);
  if (digits === undefined) throw refuse("");
  const value = Number(digits);
  if (value === 0) throw refuse(": nothing would ever move");
  if (percent && value > 100) throw refuse(": there are no more than 100 %");
  return Math.min(nodes, percent ? Math.ceil((nodes * value) / 100) : value);
}

const natural = new Intl.Collator("en", { numeric: true });

/** Nodes in the order in which they move: the given ones first, then the others, node2 before node10. */
export function orderNodes(nodes: readonly string[], first: readonly string[] = []): string[] {
  const known = new Set(nodes);
  const byName = [...nodes].sort(natural.compare);
  const seen = new Set<string>();
  for (const name of first) {
    if (!known.has(name)) {
      throw new UpgradeError(
        "OVN_UPGRADE_NODES",
        `there is no node ${JSON.stringify(name)} in the network, which has ${listed(byName)}${didYouMean(name, byName)}`,
      );
    }
    if (seen.has(name)) throw new UpgradeError("OVN_UPGRADE_NODES", `node ${JSON.stringify(name)} is named twice`);
    seen.add(name);
  }
  return [...first, ...byName.filter((name) => !seen.has(name))];
}
