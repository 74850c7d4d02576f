import { connect, type OvsdbClient } from "../../ovsdb-client";

/** Tells when so many rows of databases have been changed: a clock for tests that runs as fast as what they test. */
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
    for (const monitor of monitors) monitor.subscribe({ changed: (changes) => clock.#tick(changes.length) });
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
