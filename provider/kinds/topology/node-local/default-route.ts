import { formatIp, formatPrefix, matchString } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { DEFAULT_ROUTE, routingPolicy, staticRoute } from "../routing";
import { foreign } from "../rows";
import type { NodeLocalGatewaySpec } from "./gateway-args";
import { LOCAL_PORTS } from "./ports";
import { localSubnets } from "./subnets";

/** Above all policies that are not about hosts: some let packets go where their route leads. */
const NO_HOST = 1001;

/**
 * OVN evaluates policies after routes, and drops packets without a route. Packets that take this route and are for no
 * host are dropped as before. A route by source would come after another writer's default route, but has the same
 * priority as northd's own drop: either may win.
 */
export function defaultRouteRows({ router, switchName, subnets, defaultRoute }: NodeLocalGatewaySpec): DesiredRow[] {
  if (!defaultRoute) return [];
  const port = LOCAL_PORTS.rtos(switchName);
  return localSubnets(subnets).flatMap(({ subnet, nextHop }) => {
    const { family } = subnet;
    const match = `outport == ${matchString(port)} && ip${family}.dst != ${formatPrefix(subnet)}`;
    return [
      staticRoute({ router: foreign(router), key: `default ip${family}`, prefix: DEFAULT_ROUTE[family], nextHop: formatIp(nextHop), outputPort: port }),
      routingPolicy({ router: foreign(router), key: `default ip${family}`, priority: NO_HOST, match, action: "drop" }),
    ];
  });
}
