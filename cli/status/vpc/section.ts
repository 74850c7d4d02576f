import { hostsOf, vpcsIn } from "../../vpc/model";
import type { Section } from "../section";
import { isProblem, type VpcFacts } from "./facts";
import { vpcFacts } from "./judge";
import { liveHost } from "./live";
import { vpcTables } from "./tables";

/** VPCs on plain Open vSwitch: bridges, tunnels and logical routers of every host. */
export const vpcSection: Section<readonly VpcFacts[]> = {
  name: "vpcs",
  observe: async (state, targets, look) => {
    const vpcs = vpcsIn(state);
    if (vpcs.length === 0) return undefined;
    return Promise.all(
      vpcs.map(async (vpc) =>
        vpcFacts(vpc, new Map(await Promise.all(hostsOf(vpc).map(async (host) => [host, await liveHost(host, vpc, targets, look)] as const)))),
      ),
    );
  },
  tables: (vpcs, shown) => vpcs.flatMap((vpc) => vpcTables(vpc, shown)),
  problems: (vpcs) =>
    vpcs.flatMap(({ hosts, bridges, tunnels, routers, agents }) => [
      ...hosts.filter(({ reached }) => !reached),
      ...[...bridges, ...tunnels, ...routers, ...agents].filter(isProblem),
    ]).length,
};
