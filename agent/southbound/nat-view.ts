import type { CachedRow, Monitor, MonitorCondition, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { floatingIP, type FloatingIP, Memo, type NorthboundFacts } from "@pulumi-ovn/provider/agent";
import type { Lost, View } from "./connection";
import { Narrowing } from "./narrowing";
import { NO_ROWS } from "./wanted";

const TABLES = {
  Logical_Router: { columns: ["nat"], where: NO_ROWS },
  Logical_Switch_Port: { columns: ["name", "options"], where: NO_ROWS },
  NAT: { columns: ["type", "external_ip", "logical_port", "external_mac"], where: NO_ROWS },
} as const;

export type NatConditions = Readonly<Record<keyof typeof TABLES, readonly MonitorCondition[]>>;

/** NAT data of the Northbound database. This database is never written. */
export class NatView implements View {
  private readonly narrowing: Narrowing;
  private readonly found = new Memo<readonly FloatingIP[]>();

  private constructor(
    private readonly monitor: Monitor,
    changed: () => void,
    lost: Lost,
  ) {
    this.narrowing = new Narrowing(monitor, changed, lost);
  }

  static async open(client: OvsdbClient, lost: Lost, changed: () => void): Promise<NatView> {
    const monitor = await client.monitor(TABLES);
    monitor.subscribe({ changed, failed: lost });
    return new NatView(monitor, changed, lost);
  }

  close(): void {
    this.monitor.cancel();
  }

  /** See {@link Narrowing.to}. */
  narrow(conditions: NatConditions): boolean {
    return this.narrowing.to(conditions);
  }

  facts(): NorthboundFacts {
    const asking = [...this.monitor.table("Logical_Switch_Port")].filter(
      (row) => (row.get("options") as ReadonlyMap<string, string>).get("nat-addresses") === "router",
    );
    const floatingIPs = [...this.monitor.table("Logical_Router")].flatMap((router) => this.floatingIPs(router));
    return { floatingIPs, natPorts: asking.map((row) => row.get("name") as string).sort() };
  }

  private floatingIPs(router: CachedRow): readonly FloatingIP[] {
    const rows = (router.get("nat") as string[]).map((uuid) => this.monitor.table("NAT").get(uuid));
    return this.found.of([router, ...rows], () => rows.flatMap((row) => (row ? floatingIP(router.uuid, (column) => row.get(column)) : [])));
  }
}
