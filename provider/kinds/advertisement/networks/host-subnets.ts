import { formatPrefix, parseSubnet } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import type { NodeObject } from "../facts";
import type { Findings } from "../findings";
import { readSubnet } from "./network";

export const SUBNETS_KEY = "k8s.ovn.org/node-subnets";

/** Each network's part of a node, by ovn-kubernetes' name of the network. */
type Subnets = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the host subnets that ovn-kubernetes has assigned, by node. Each annotation is read once.
 *
 * @param unread nodes whose annotation is invalid
 * @param unfit nodes with a requested subnet that cannot be announced
 */
export function hostSubnets(
  nodes: readonly NodeObject[],
  path: string,
  unread: Findings,
  unfit: Findings,
): (network: string, node: string) => readonly string[] | undefined {
  const byNode = new Map<string, Subnets>();
  const refuse = (findings: Findings, node: string, why: string): void =>
    findings.add(node, { path, code: "annotation", message: `annotation ${SUBNETS_KEY} ${why}` });
  for (const { metadata } of nodes) {
    const text = metadata.annotations?.[SUBNETS_KEY];
    if (text === undefined) continue;
    try {
      byNode.set(metadata.name, read(text));
    } catch (error) {
      if (!(error instanceof ArgumentError || error instanceof SyntaxError)) throw error;
      refuse(unread, metadata.name, "does not hold subnets by network");
    }
  }
  return (network, node) => {
    const subnets = byNode.get(node);
    if (subnets === undefined || !Object.hasOwn(subnets, network)) return undefined;
    const bad = subnets[network]!.find((subnet) => !isAnnounceable(subnet));
    if (bad !== undefined) refuse(unfit, node, `gives ${network} ${bad}, which can't be announced`);
    return subnets[network]!.length > 0 ? subnets[network] : undefined;
  };
}

/** `{"default": ["10.244.0.0/24"]}`, and from older releases `{"default": "10.244.0.0/24"}`. */
function read(text: string): Subnets {
  const found: unknown = JSON.parse(text);
  if (typeof found !== "object" || found === null) throw new SyntaxError("not an object");
  return Object.fromEntries(Object.entries(found).map(([network, value]) => [network, [value].flat().map((item) => formatPrefix(parseSubnet(String(item))))]));
}

/** Returns whether a subnet can be announced. Only requested networks are checked. */
function isAnnounceable(subnet: string): boolean {
  try {
    return readSubnet(subnet) === subnet;
  } catch (error) {
    if (error instanceof ArgumentError) return false;
    throw error;
  }
}
