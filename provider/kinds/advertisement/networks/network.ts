import { formatPrefix, parseSubnet, requirePrefixUse } from "../../../kit/address";
import type { Selects } from "../selector";

/** A network that is announced, whichever way it was named. */
export interface SelectedNetwork {
  /** How messages call it. */
  readonly label: string;
  /** The argument that names or selects it. */
  readonly path: string;
  /** `default` for the main one; undefined: the network has none on the nodes. */
  readonly vrf: string | undefined;
  /** The whole network, where that is known: no part of it may be another network's. */
  readonly whole: readonly string[] | undefined;
  /** Subnets of the network that a node announces. Undefined if the node has no part of the network yet. */
  subnetsOn(node: string): readonly string[] | undefined;
  /** Whether each node has a part of its own. */
  readonly isDivided: boolean;
  /** Namespaces whose pods it serves, for networks of the cluster. */
  readonly serves: Selects | undefined;
  /** Egress addresses that are given, as host prefixes, for networks of this stack. */
  egressOn(node: string): readonly string[];
}

/** Parses a subnet of the cluster into its canonical text. Throws an ArgumentError for an unusable subnet. */
export function readSubnet(text: string): string {
  return formatPrefix(requirePrefixUse(parseSubnet(text), "subnet"));
}

export const NO_PREFIXES: readonly string[] = [];
