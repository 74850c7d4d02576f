/** The `external_ids` key of a reroute policy with the node of each next hop. Written by the stack. */
export const NEXT_HOPS_KEY = "pulumi-ovn:egress-next-hops";

/** The key with next hops that an operator removed. Written only by `pulumi-ovn egress drain`. */
export const DRAINED_KEY = "pulumi-ovn:egress-drained";

export type NodeNextHop = readonly [node: string, address: string];

/** `node2=100.88.0.7 node3=100.88.0.9` */
export function formatNextHops(hops: readonly NodeNextHop[]): string {
  return hops.map(([node, address]) => `${node}=${address}`).join(" ");
}

/** The inverse of `formatNextHops`. Words that are not pairs are ignored, because any client can write to `external_ids`. */
export function parseNextHops(text: string): NodeNextHop[] {
  return text.split(" ").flatMap((word): NodeNextHop[] => {
    const at = word.lastIndexOf("=");
    return at > 0 && at < word.length - 1 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
  });
}
