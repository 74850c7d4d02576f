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
   * Subnets of other advertised networks: the gateway routers drop what is sent there (policies at priority 9000). Without it the
   * fabric takes packets from one to the other. Egress addresses change nothing about it. Default: none.
   */
  isolateFrom?: string[];
  /** Routes that the gateway routers learn from a routing table of their hosts, on every host the same. Default: none. */
  importRoutes?: RouteImportArgs;
}

export const advertised = z.strictObject({
  translateTo: destinations.default([]),
  isolateFrom: anySubnets.default([]),
  importRoutes: routeImport.optional(),
});
