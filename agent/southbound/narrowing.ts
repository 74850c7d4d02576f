import type { Monitor, MonitorCondition } from "@pulumi-ovn/ovsdb-client";
import type { Lost } from "./connection";

/** Of a database's tables, the rows that a monitor was asked for. */
export class Narrowing {
  /** As text, by table. */
  private readonly asked = new Map<string, string>();
  private pending = 0;

  constructor(
    private readonly monitor: Pick<Monitor, "setWhere">,
    private readonly changed: () => void,
    private readonly lost: Lost,
  ) {}

  /** Asks for these rows. True: the rows that there are were chosen so; else `changed` is told when they are. */
  to(conditions: Readonly<Record<string, readonly MonitorCondition[]>>): boolean {
    for (const [table, where] of Object.entries(conditions)) {
      const text = JSON.stringify(where);
      if (this.asked.get(table) === text) continue;
      this.asked.set(table, text);
      this.pending++;
      void this.ask(table, where);
    }
    return this.pending === 0;
  }

  private async ask(table: string, where: readonly MonitorCondition[]): Promise<void> {
    try {
      await this.monitor.setWhere(table, where);
    } catch (error) {
      // Which rows the server goes by is not known now: a new connection begins with none.
      this.lost(error as Error);
    } finally {
      this.pending--;
      this.changed();
    }
  }
}
