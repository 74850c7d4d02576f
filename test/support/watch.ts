import { connect, type OvsdbClient } from "../../ovsdb-client";

/**
 * Tells when so many rows of databases have been changed: a clock for tests that runs as fast as what they test. What a server that was
 * started again tells of the time before does not count: it would be taken for the work of the command that runs by then.
 */
export class ChangeClock implements AsyncDisposable {
  #changes = 0;
  #wanted = Infinity;
  #reached: () => void = () => undefined;

  private constructor(private readonly clients: readonly OvsdbClient[]) {}

  /** @param databases pairs of an endpoint and a database's name */
  static async start(databases: readonly (readonly [endpoint: string, database: string])[], tables: readonly string[]): Promise<ChangeClock> {
    const clients = await Promise.all(databases.map(([endpoint, database]) => connect(endpoint, { database })));
    const clock = new ChangeClock(clients);
    const request = Object.fromEntries(tables.map((table) => [table, {}]));
    const monitors = await Promise.all(clients.map((client) => client.monitor(request)));
    for (const monitor of monitors) {
      let live = true;
      monitor.subscribe({
        stale: () => void (live = false),
        changed: (changes) => live && clock.#tick(changes.length),
        current: () => void (live = true),
      });
    }
    return clock;
  }

  /** Resolves when so many more rows have been changed. */
  after(count: number): Promise<void> {
    this.#wanted = this.#changes + count;
    return new Promise((resolve) => (this.#reached = resolve));
  }

  #tick(rows: number): void {
    this.#changes += rows;
    if (this.#changes >= this.#wanted) this.#reached();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}
