import {
  droppingFlows,
  type DroppingFlow,
  type FlowTable,
  type LogicalRouterBridgeSpec,
  ROUTER_TABLE,
  routerBridge,
  routerPatch,
  TIER_TABLE,
  tierBridge,
  type VpcBridgesSpec,
} from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Part, VpcInState } from "../../vpc/model";
import type { Drops } from "./facts";

type Counter = Exclude<keyof Drops, "host" | "tier">;

/** Flows that count for one number of a tier. */
interface Counted extends FlowTable {
  readonly counter: Counter;
  readonly tier: string;
  readonly isOf: (flow: DroppingFlow) => boolean;
}

/** Counts the packets that a host has dropped by port security and ACLs, by tier. Missing and silent bridges are left out. */
export async function dropsOf(host: string, { switches, routers }: VpcInState, targets: Connections): Promise<Drops[]> {
  const counted = [...securityTables(switches.get(host)), ...aclTables(routers.get(host))];
  if (counted.length === 0) return [];
  const tables = new Map(counted.map(({ bridge, table, cookie }) => [`${bridge} ${table}`, { bridge, table, cookie }]));
  const found = await droppingFlows({ host: targets.host(host) }, [...tables.values()]);
  const flows = new Map([...tables.keys()].map((key, index) => [key, found[index]]));
  return sumsOf(
    host,
    counted.flatMap((each) => {
      const own = flows.get(`${each.bridge} ${each.table}`);
      return own === undefined ? [] : [{ ...each, packets: own.filter(each.isOf).reduce((sum, { packets }) => sum + packets, 0) }];
    }),
  );
}

function securityTables(part: Part<VpcBridgesSpec> | undefined): Counted[] {
  if (part === undefined) return [];
  const { tiers, ports, portSecurity } = part.spec;
  const secured = new Set(Object.keys(portSecurity).map((port) => ports[port]));
  return Object.entries(tiers).flatMap(([tier, key]) =>
    !secured.has(tier)
      ? []
      : [TIER_TABLE.securedDiscovery, TIER_TABLE.securedSource].map(
          (table): Counted => ({ counter: "portSecurity", tier, bridge: tierBridge(key), table, cookie: part.cookie, isOf: () => true }),
        ),
  );
}

function aclTables(part: Part<LogicalRouterBridgeSpec> | undefined): Counted[] {
  if (part === undefined) return [];
  const own = { bridge: routerBridge(part.spec.vpc), cookie: part.cookie };
  return Object.entries(part.spec.tiers).flatMap(([tier, { key }]): Counted[] => [
    { ...own, counter: "egressAcl", tier, table: ROUTER_TABLE.egressAcl, isOf: matching(`in_port=${routerPatch(key)}`) },
    { ...own, counter: "ingressAcl", tier, table: ROUTER_TABLE.ingressAcl, isOf: matching(`reg0=0x${key.toString(16)}`) },
  ]);
}

const matching =
  (field: string) =>
  ({ match }: DroppingFlow): boolean =>
    match.split(",").includes(field);

function sumsOf(host: string, counts: readonly { readonly tier: string; readonly counter: Counter; readonly packets: number }[]): Drops[] {
  const tiers = Map.groupBy(counts, ({ tier }) => tier);
  return [...tiers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tier, own]) => ({
      host,
      tier,
      ...Object.fromEntries(
        [...Map.groupBy(own, ({ counter }) => counter)].map(([counter, each]) => [counter, each.reduce((sum, { packets }) => sum + packets, 0)]),
      ),
    }));
}
