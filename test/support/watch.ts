import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";

/**
 * Counts changed rows of databases that only the tested command writes: a clock for tests that runs as fast as what they test. Changes
 * that a restarted server reports after a reconnect don't count: an earlier command made them.
 */
export class ChangeClock implements AsyncDisposable {
  #changes = 0;
  #wanted = Infinity;
  #reached: () => void = () => undefined;

  readonly #stale = new Set<OvsdbClient>();

  private constructor(private readonly clients: readonly OvsdbClient[]) {}

  /** @param databases pairs of an endpoint and a database's name */
  static async start(databases: readonly (readonly [endpoint: string, database: string])[], tables: readonly string[]): Promise<ChangeClock> {
    const clients = await Promise.all(databases.map(([endpoint, database]) => connect(endpoint, { database })));
    const clock = new ChangeClock(clients);
    const request = Object.fromEntries(tables.map((table) => [table, {}]));
    for (const client of clients) {
      (await client.monitor(request)).subscribe({
        stale: () => void clock.#stale.add(client),
        changed: (changes) => !clock.#stale.has(client) && clock.#tick(changes.length),
        current: () => void clock.#stale.delete(client),
      });
    }
    return clock;
  }

  /**
   * Resolves when every change that is already committed has been counted, so that all later ones belong to the next command: a server
   * sends its updates before the reply to a later request, and none of the monitors waits for its contents after a reconnect.
   */
  async settled(): Promise<void> {
    do await Promise.all(this.clients.map((client) => client.transact([{ op: "comment", comment: "settled" }])));
    while (this.#stale.size > 0);
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
