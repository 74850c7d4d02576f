import { z } from "zod";
import { anySubnets, destinations } from "../fields";
import { type RouteImportArgs, routeImport } from "../route-import";

export interface NetworkAdvertisedArgs {
  /**
   * Addresses and subnets that workloads go on reaching under their gateway router's address, such as the nodes' own: hosts
   * that have no route to the network answer them, and policies that know nodes by address hold. Not a subnet that routers of the
   * fabric are in: what these ask would be answered with a translated source. Default: none.
   */
  translateTo?: string[];
  /**
   * Whether the network and the other advertised networks of the program are isolated from each other. The network that
   * the program creates later has the subnets of the earlier ones in `isolateFrom` and `dropFrom`. `false`: they reach
   * each other through the fabric. Default: true.
   */
  isolate?: boolean;
  /**
   * Subnets of other advertised networks: the gateway routers drop what is sent there (policies at priority 9000). Without it the
   * fabric takes packets from one to the other. Egress addresses change nothing about it. Default: those of the program's earlier
   * advertised networks, which are added to what is given; see `isolate`.
   */
  isolateFrom?: string[];
  /** Subnets whose packets to the network the gateway routers drop (policies at priority 9000). Default: as `isolateFrom`. */
  dropFrom?: string[];
  /** Routes that the gateway routers learn from a routing table of their hosts, on every host the same. Default: none. */
  importRoutes?: RouteImportArgs;
}

export const advertised = z.strictObject({
  translateTo: destinations.default([]),
  isolate: z.boolean().default(true),
  isolateFrom: anySubnets.default([]),
  dropFrom: anySubnets.default([]),
  importRoutes: routeImport.optional(),
});
