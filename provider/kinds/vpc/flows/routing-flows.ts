import { inOrder } from "../../topology/fields";
import { sortedEntries } from "../../../kit/entries";
import { type AclTier, aclFlows } from "./acl-flows";
import type { AclRule } from "../args";
import { flow, ipMatch } from "./flow";
import { INCOMPLETE } from "./fragments";
import { routerPatch } from "../names";
import { TABLE } from "./tables";
import { allowed, IS_ALLOWED, IS_ANSWER, MARK_ANSWER, seen } from "./tracking";

interface RouterTier extends AclTier {
  readonly gatewayMac: string;
}

/** Routing arguments of a logical router. */
export interface Routing {
  /** Its own MAC. */
  readonly mac: string;
  readonly tiers: Readonly<Record<string, RouterTier>>;
  /** Destinations that the logical router routes to. Packets to other destinations go to the virtual router. */
  readonly workloads: Readonly<Record<string, { readonly tier: string; readonly mac: string; readonly addresses: readonly string[] }>>;
  readonly acls: Readonly<Record<string, readonly AclRule[]>>;
  /** Conntrack zone; undefined: stateless. */
  readonly zone: number | undefined;
}

const FAMILIES = ["ip", "ipv6"] as const;

const toVirtualRouter = [`resubmit(,${TABLE.virtualRouter})`];

/** All flows of a logical router's bridge. */
export function routingFlows(routing: Routing): string[] {
  const { tiers, acls, zone } = routing;
  return [...admission(routing), ...routes(routing), ...stateFlows(zone), ...aclFlows({ tiers, acls }), ...outputFlows(routing), ...returnFlows(routing)];
}

/** A packet with a source that is not of its tier is not routed: the virtual router decides about it. */
function admission({ mac, tiers }: Routing): string[] {
  const own = (key: number) => [`in_port=${routerPatch(key)}`, `dl_dst=${mac}`];
  return [
    ...sortedEntries(tiers).flatMap(([, { key, cidrs }]) => [
      ...inOrder(cidrs).map((cidr) => flow(TABLE.admission, 100, [...own(key), ...ipMatch("src", cidr)], [`resubmit(,${TABLE.routing})`])),
      flow(TABLE.admission, 50, own(key), toVirtualRouter),
    ]),
    ...INCOMPLETE.map((match) => flow(TABLE.admission, 200, match, ["drop"])),
    flow(TABLE.admission, 0, [], ["drop"]),
  ];
}

/** A packet whose TTL expires goes to the virtual router unchanged, which notifies its sender (RFC 792, RFC 4443). */
function routes({ mac, tiers, workloads, zone }: Routing): string[] {
  const next = `resubmit(,${zone === undefined ? TABLE.egressAcl : TABLE.conntrack})`;
  return [
    ...FAMILIES.flatMap((family) => [0, 1].map((ttl) => flow(TABLE.routing, 200, [family, `nw_ttl=${ttl}`], toVirtualRouter))),
    ...sortedEntries(workloads).flatMap(([, { tier, mac: destination, addresses }]) =>
      inOrder(addresses).map((address) => {
        const rewrite = ["dec_ttl", `mod_dl_src:${mac}`, `mod_dl_dst:${destination}`, `load:${tiers[tier]!.key}->NXM_NX_REG0[]`];
        return flow(TABLE.routing, 100, ipMatch("dst", address), [...rewrite, next]);
      }),
    ),
    flow(TABLE.routing, 0, [], toVirtualRouter),
  ];
}

/**
 * Answers, and errors about allowed packets, pass if ACLs have allowed the connection. Answers of a connection that only
 * the virtual router knows go to the virtual router. Packets in the direction in which a connection began always go
 * through the rules, so the connection ends when its rule is removed.
 */
function stateFlows(zone: number | undefined): string[] {
  if (zone === undefined) return [];
  const known = (priority: number, state: readonly string[], actions: readonly string[]) =>
    FAMILIES.map((family) => flow(TABLE.state, priority, [...state, family], actions));
  const answers = ["ct_state=+est+rpl+trk", "ct_state=+rel+trk"];
  return [
    ...FAMILIES.map((family) => flow(TABLE.conntrack, 100, [family], [`ct(table=${TABLE.state},zone=${zone})`])),
    ...known(300, ["ct_state=+inv+trk"], ["drop"]),
    ...answers.flatMap((state) => known(200, [state, IS_ALLOWED], [MARK_ANSWER, `resubmit(,${TABLE.output})`])),
    ...answers.flatMap((state) => known(100, [state], toVirtualRouter)),
    flow(TABLE.state, 0, [], [`resubmit(,${TABLE.egressAcl})`]),
  ];
}

function outputFlows({ tiers, zone }: Routing): string[] {
  const to = (priority: number, match: readonly string[], actions: readonly string[]) =>
    sortedEntries(tiers).flatMap(([, { key }]) =>
      FAMILIES.map((family) => flow(TABLE.output, priority, [family, ...match, `reg0=${key}`], [...actions, `output:${routerPatch(key)}`])),
    );
  return zone === undefined ? to(100, [], []) : [...to(200, [IS_ANSWER], []), ...to(100, [], [allowed(zone)])];
}

function returnFlows({ tiers, zone }: Routing): string[] {
  return sortedEntries(tiers).flatMap(([, { key, gatewayMac }]) => {
    const back = (match: readonly string[], actions: readonly string[]) =>
      flow(TABLE.virtualRouter, 100, [`in_port=${routerPatch(key)}`, ...match], [...actions, `mod_dl_dst:${gatewayMac}`, "in_port"]);
    return zone === undefined ? [back([], [])] : FAMILIES.map((family) => back([family], [seen(zone)]));
  });
}
