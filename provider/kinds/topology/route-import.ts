import { z } from "zod";
import type { Contribution } from "../../backends/rows/set";
import type { Failures } from "../../kit/arguments/failures";
import { datapathKey, interfaceName, name, nextHops } from "./fields";
import { foreign } from "./rows";

/**
 * Routes that a gateway router learns from a routing table of its host, written by FRR or another daemon. Needs OVN 25.03. (ovn-nb(5),
 * options:dynamic-routing)
 */
export interface RouteImportArgs {
  /** Number of the kernel's table, and the router's datapath key: unique in the zone. 1 to 16777215, except 252 to 255. */
  table: number;
  /**
   * Name that each chassis maps to the interface of these routes (`external_ids:dynamic-routing-port-mapping`). (ovn-controller(8))
   */
  uplink: string;
  /**
   * VRF device that ovn-controller creates; for an existing one set only `table`. Refused with default gateways outside.
   * Default: none.
   */
  vrf?: string;
  /**
   * IPv6 addresses of the routers outside that learned routes use, as global next hops.
   * Default: none; IPv6 packets are lost until the router outside has sent packets.
   */
  neighbors?: string[];
}

/** Linux: RT_TABLE_COMPAT, RT_TABLE_DEFAULT, RT_TABLE_MAIN and RT_TABLE_LOCAL (rtnetlink(7)). */
const KERNEL_TABLES: Readonly<Record<number, string>> = { 252: "compat", 253: "default", 254: "main", 255: "local" };

/** Ports with it learn nothing, because no chassis has an interface of this name. */
const NO_UPLINK = "none";

/** A routing table of a chassis that is one router's. */
export const routingTable = datapathKey.superRefine((table, context) => {
  const own = KERNEL_TABLES[table];
  if (own !== undefined)
    context.addIssue({
      code: "custom",
      message: `table ${table} is the kernel's own (${own}): the routing daemon needs another one`,
      params: { code: "reserved" },
    });
});

const neighbors = nextHops.superRefine((addresses, context) => {
  addresses.forEach((address, index) => {
    if (!address.includes(":"))
      context.addIssue({
        code: "custom",
        path: [index],
        message: `${address} is IPv4, for which OVN finds learned next hops by itself: expected IPv6`,
        params: { code: "family" },
      });
  });
});

export const routeImport = z.strictObject({
  table: routingTable,
  uplink: name.superRefine((uplink, context) => {
    if (/[=:]/.test(uplink))
      context.addIssue({
        code: "custom",
        message: `name ${JSON.stringify(uplink)} can't have = or a colon: dynamic-routing-port-mapping has them between a name and its interface`,
        params: { code: "name" },
      });
    if (uplink === NO_UPLINK)
      context.addIssue({ code: "custom", message: `"${NO_UPLINK}" is the name by which ports inside learn nothing`, params: { code: "reserved" } });
  }),
  vrf: interfaceName.optional(),
  neighbors: neighbors.optional(),
});

export type RouteImportSpec = z.output<typeof routeImport>;

/** Returns the options of the router's outside port for route import. */
export function uplinkOptions(imported: RouteImportSpec | undefined): Record<string, string | boolean | undefined> {
  return { "dynamic-routing-port-name": imported?.uplink, "dynamic-routing-maintain-vrf": imported?.vrf === undefined ? undefined : true };
}

/**
 * Returns the options of a gateway router's inner ports for route import. A route over a link-local next hop matches
 * every port, and would be learned for all of them; half of the packets would go back into the network.
 */
export function insideOptions(importsRoutes: boolean): Record<string, string | undefined> {
  return { "dynamic-routing-port-name": importsRoutes ? NO_UPLINK : undefined };
}

/**
 * Row that switches learning on. It belongs to the resource of the inner ports, and to its transaction: a port keeps
 * learned routes after learning is switched off (25.03).
 */
export function learningSwitch(gatewayRouter: string, importsRoutes: boolean): { readonly contributions?: readonly Contribution[] } {
  if (!importsRoutes) return {};
  return {
    contributions: [
      { table: "Logical_Router", row: foreign(gatewayRouter), column: "options", part: { kind: "entry", key: "dynamic-routing", value: "true" } },
    ],
  };
}

/** A static default route takes what the VRF has no route for out of it. */
export function checkVrf(imported: RouteImportSpec | undefined, nextHops: readonly string[], path: string, failures: Failures): void {
  if (imported?.vrf === undefined || nextHops.length === 0) return;
  failures.add(
    path,
    "value",
    `packets would leave VRF ${imported.vrf} by ${nextHops.join(" and ")} where it has no route: with importRoutes.vrf the routing daemon has to learn a default route`,
  );
}
