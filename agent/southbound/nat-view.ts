import type { Monitor, MonitorCondition, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { NAT_COLUMNS, NatRows, type NorthboundFacts } from "@pulumi-ovn/provider/agent";
import type { OnLost, View } from "./connection";
import { Narrowing } from "./narrowing";
import { NO_ROWS } from "./conditions";

const TABLES = Object.fromEntries(Object.entries(NAT_COLUMNS).map(([table, columns]) => [table, { columns, where: NO_ROWS }]));

export type NatConditions = Readonly<Record<keyof typeof NAT_COLUMNS, readonly MonitorCondition[]>>;

/** NAT data of the Northbound database. This database is never written. */
export class NatView implements View {
  private readonly narrowing: Narrowing;
  private readonly rows: NatRows;

  private constructor(
    private readonly monitor: Monitor,
    changed: () => void,
    lost: OnLost,
  ) {
    this.narrowing = new Narrowing(monitor, changed, lost);
    this.rows = new NatRows(monitor);
  }

  static async open(client: OvsdbClient, lost: OnLost, changed: () => void): Promise<NatView> {
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
    return this.rows.facts();
  }
}
