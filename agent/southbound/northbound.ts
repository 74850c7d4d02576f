import type { Connecting } from "./connection";
import { DatabaseFollower } from "./database-follower";
import { NatView } from "./nat-view";
import { natConditions } from "./nat-conditions";
import { type Concern, NO_NORTHBOUND, type NorthboundFacts, type Snapshot } from "@pulumi-ovn/provider/agent";
import { NO_ROWS } from "./conditions";

/** Milliseconds that a first snapshot waits for the Northbound database. Other announcements do not wait longer. */
const PATIENCE = 10_000;

/** Data that the Northbound database adds to a snapshot, if the agent can reach it. */
export class Northbound {
  private readonly followed: DatabaseFollower<NatView>;
  private last: NorthboundFacts | undefined;
  private patience: NodeJS.Timeout | undefined;
  /** The snapshot has something that this database could add to. */
  private needed = false;

  constructor(private readonly options: Connecting) {
    const { changed } = options;
    this.followed = new DatabaseFollower({
      ...options,
      database: "OVN_Northbound",
      code: "OVN_AGENT_NORTHBOUND",
      open: (client, lost) => NatView.open(client, lost, changed),
    });
  }

  /** One that nothing is needed of may be out of reach. */
  get problem() {
    return this.needed ? this.followed.connection?.problem : undefined;
  }

  /** IP addresses of its servers, as far as they were reached. */
  get reached(): Iterable<string> {
    return this.followed.connection?.reached.values() ?? [];
  }

  follow(endpoint: string | undefined): void {
    this.followed.to(endpoint);
    if (endpoint === undefined) this.last = NO_NORTHBOUND;
  }

  /** Last complete data, so that other data does not wait for this database. Undefined until the first data arrives. */
  facts(snapshot: Snapshot, concern: Concern): NorthboundFacts | undefined {
    const { connection } = this.followed;
    if (!connection) return this.last;
    const conditions = natConditions(snapshot, concern);
    this.needed = conditions.NAT !== NO_ROWS;
    if (connection.view?.narrow(conditions) === true) this.last = connection.view.facts();
    if (!this.needed) {
      // Announcements that started without this database do not wait for it later, either.
      this.last ??= NO_NORTHBOUND;
      return NO_NORTHBOUND;
    }
    if (this.last === undefined) this.patience ??= setTimeout(() => this.giveUp(), PATIENCE).unref();
    return this.last;
  }

  async close(): Promise<void> {
    clearTimeout(this.patience);
    await this.followed.close();
  }

  private giveUp(): void {
    this.last ??= NO_NORTHBOUND;
    this.options.changed();
  }
}
