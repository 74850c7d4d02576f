import { sortedEntries } from "../../kit/entries";
import { routerBridge, routerPatch, tierBridge, tierPatch, tunnelPort } from "./names";

/** A name that a VPC has for itself on a host. */
export interface OwnName {
  readonly name: string;
  /** Holder of the name, for people. */
  readonly holder: () => string;
  /** The tier and the other host that it derives from. */
  readonly tier?: string;
  readonly remote?: string;
}

/**
 * Names of bridges and ports that a VPC has on each of its hosts, now or when the virtual router moves: no workload's interface
 * can have one of them.
 *
 * @param tiers keys by tier
 * @param remotes hosts that tunnels lead to
 */
export function ownNames(vpc: string, tiers: Readonly<Record<string, number>>, remotes: readonly string[]): OwnName[] {
  return [
    { name: routerBridge(vpc), holder: () => "the bridge of the logical router" },
    ...sortedEntries(tiers).flatMap(([tier, key]): OwnName[] => [
      { name: tierBridge(key), holder: () => `the bridge of tier "${tier}"`, tier },
      { name: tierPatch(key), holder: () => `a patch port of tier "${tier}"`, tier },
      { name: routerPatch(key), holder: () => `a patch port of tier "${tier}"`, tier },
      ...remotes.map((remote) => ({ name: tunnelPort(key, remote), holder: () => `the tunnel of tier "${tier}" to host "${remote}"`, tier, remote })),
    ]),
  ];
}
