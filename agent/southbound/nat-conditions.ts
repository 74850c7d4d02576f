import type { MonitorCondition } from "@pulumi-ovn/ovsdb-client";
import { type Concern, type Snapshot, ChassisModel } from "@pulumi-ovn/provider/agent";
import type { NatConditions } from "./nat-view";
import { ALL_ROWS, NO_ROWS } from "./conditions";

/**
 * Conditions for Northbound rows that can affect the chassis: routers with a port on a provider network, and the switch ports to them.
 * Gateway routers of other chassis are read only if `routersElsewhere`. A distributed router translates on every host of its workloads.
 * All NAT rows are read: a NAT row does not name its router, and no condition can select the family of its address.
 */
export function natConditions(snapshot: Snapshot, { exposures, routersElsewhere }: Concern): NatConditions {
  const model = exposures.some(({ floatingIPs }) => floatingIPs) ? new ChassisModel(snapshot) : undefined;
  const found = [...(model?.rows.ports ?? [])].flatMap((port) => {
    const router = model!.rows.routerOf(port);
    return router && typeof router.logicalRouter === "string" && (routersElsewhere || router.type !== "l3gateway" || model!.isHere(router))
      ? [{ port: port.name, router: router.logicalRouter }]
      : [];
  });
  if (found.length === 0) return { Logical_Router: NO_ROWS, Logical_Switch_Port: NO_ROWS, NAT: NO_ROWS };
  const routers = [...new Set(found.map(({ router }) => router))].sort();
  return {
    Logical_Router: routers.map((uuid): MonitorCondition => ["_uuid", "==", ["uuid", uuid]]),
    Logical_Switch_Port: found.map(({ port }): MonitorCondition => ["name", "==", port]),
    NAT: ALL_ROWS,
  };
}
