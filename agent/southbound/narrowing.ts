import type { Monitor, MonitorCondition } from "@pulumi-ovn/ovsdb-client";
import type { OnLost } from "./connection";

/** Rows of a database's tables that a monitor requests. */
export class Narrowing {
  /** As text, by table. */
  private readonly requested = new Map<string, string>();
  private pending = 0;

  constructor(
    private readonly monitor: Pick<Monitor, "setWhere">,
    private readonly changed: () => void,
    private readonly lost: OnLost,
  ) {}

  /** Requests these rows. True if the current rows already match the request; otherwise `changed` is called when they do. */
  to(conditions: Readonly<Record<string, readonly MonitorCondition[]>>): boolean {
    for (const [table, where] of Object.entries(conditions)) {
      const text = JSON.stringify(where);
      if (this.requested.get(table) === text) continue;
      this.requested.set(table, text);
      this.pending++;
      void this.request(table, where);
    }
    return this.pending === 0;
  }

  private async request(table: string, where: readonly MonitorCondition[]): Promise<void> {
    try {
      await this.monitor.setWhere(table, where);
    } catch (error) {
      // The server's current conditions are unknown now. A new connection starts without conditions.
      this.lost(error as Error);
    } finally {
      this.pending--;
      this.changed();
    }
  }
}
