import type { ProgramClaim } from "../claims";
import { outsideKey } from "../network/claims";
import type { EgressNode, ResolvedPolicy } from "./resolve";
import { setPrefix } from "./reroute-rows";

/** What no other policy or network of a program may have. */
export function policyClaims({ spec, nodes, addresses }: ResolvedPolicy): ProgramClaim[] {
  const placeOf = (name: string): EgressNode => nodes.find((node) => node.name === name)!;
  return [
    ...addresses.map(({ text, node, path }) => ({
      key: outsideKey(placeOf(node).outside, text),
      what: `address ${text} outside`,
      holder: `node "${node}"`,
      path,
    })),
    {
      key: `Address_Set ${setPrefix(spec.name)}`,
      what: `the name ${setPrefix(spec.name)}... of an Address_Set`,
      holder: `policy name "${spec.name}"`,
      path: "name",
    },
  ];
}
