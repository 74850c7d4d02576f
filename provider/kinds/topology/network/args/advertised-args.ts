import { z } from "zod";
import { anySubnets, destinations } from "../../fields";
import { type RouteImportArgs, routeImport } from "../../route-import";

export interface NetworkAdvertisedArgs {
  /**
   * Destinations, such as the nodes, that workloads reach under their gateway router's address. Not a subnet with routers of the fabric. Default:
   * none.
   */
  translateTo?: string[];
  /** Isolates the network from other advertised networks of the program. Default: true. */
  isolate?: boolean;
  /** Subnets to which packets are dropped (policies 9000). Default: those of the program's earlier advertised networks, which are always added. */
  isolateFrom?: string[];
  /** Subnets from which packets are dropped (policies 9000). Default: those of the program's earlier advertised networks, which are always added. */
  dropFrom?: string[];
  /** Routes that the gateway routers learn from a routing table of their hosts. Default: none. */
  importRoutes?: RouteImportArgs;
}

export const advertised = z.strictObject({
  translateTo: destinations.default([]),
  isolate: z.boolean().default(true),
  isolateFrom: anySubnets.default([]),
  dropFrom: anySubnets.default([]),
  importRoutes: routeImport.optional(),
});
