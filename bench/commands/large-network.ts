import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";

/**
 * A network with a gateway on each node.
 * @param more further arguments of the node at an index
 */
export function largeNetwork(zones: number, workloads: number, more: (index: number) => object = () => ({})): Layer2NetworkArgs {
  const names = Array.from({ length: zones }, (_, index) => `node${index + 1}`);
  return {
    name: "blue",
    subnets: ["10.1.0.0/16"],
    tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
    nodes: Object.fromEntries(
      names.map((name, index) => [
        name,
        { id: index + 2, external: { addresses: [`172.18.${1 + (index >> 8)}.${index & 255}/15`], nextHops: ["172.19.255.1"] }, ...more(index) },
      ]),
    ),
    workloads: Object.fromEntries(
      Array.from({ length: workloads }, (_, index) => [
        `vm${index + 1}`,
        { node: names[index % zones]!, addresses: [`10.1.${1 + (index >> 8)}.${index & 255}`] },
      ]),
    ),
  };
}
