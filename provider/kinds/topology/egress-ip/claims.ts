import type { ProgramClaim } from "../claims";
import { outsideKey } from "../network/outside-claims";
import { DEFAULT_REPLY_MARK } from "./reroute-args";
import { setPrefix } from "./reroute-rows";
import type { EgressNode, ResolvedPolicy } from "./resolve";

/** Returns values that no other policy or network of a program may use. */
export function policyClaims(policy: ResolvedPolicy): ProgramClaim[] {
  const { spec, nodes, addresses } = policy;
  const nodeOf = (name: string): EgressNode => nodes.find((node) => node.name === name)!;
  return [
    ...addresses.map(({ text, node, path }) => ({
      key: outsideKey(nodeOf(node).outside, text),
      what: `external address ${text}`,
      holder: `node "${node}"`,
      path,
    })),
    {
      key: `Address_Set ${setPrefix(spec.name)}`,
      what: `the name ${setPrefix(spec.name)}... of an Address_Set`,
      holder: `policy name "${spec.name}"`,
      path: "name",
    },
    ...markClaims(policy, nodeOf),
  ];
}

/**
 * Claims of marks. A mark identifies the egress address of a packet, or a reply without one. Gateway routers see the marks of all policies of a
 * network. Marks of two policies are compared elsewhere.
 */
function markClaims({ spec, addresses, workloads }: ResolvedPolicy, nodeOf: (node: string) => EgressNode): ProgramClaim[] {
  const { network, mark, replies, replyMark = DEFAULT_REPLY_MARK } = spec;
  const claim = (number: number, side: "mark" | "replyMark", holder: string, at: readonly string[]): ProgramClaim => ({
    key: `packet mark ${number} of network ${network.name}`,
    what: `packet mark ${number}`,
    holder,
    path: side,
    side,
    zones: new Set(at.map((node) => nodeOf(node).zone)),
  });
  return [
    ...(mark === undefined
      ? []
      : [
          claim(
            mark,
            "mark",
            "mark",
            addresses.map(({ node }) => node),
          ),
        ]),
    ...(replies
      ? [
          claim(
            replyMark,
            "replyMark",
            "answers (replyMark)",
            workloads.flatMap(({ nodes }) => nodes),
          ),
        ]
      : []),
  ];
}
