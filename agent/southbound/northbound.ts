import { Followed } from "./followed";
import { NatView } from "./nat-view";
import { natWanted } from "./nat-wanted";
import { NO_NORTHBOUND, type NorthboundFacts, type Snapshot } from "./snapshot";
import type { Connecting } from "./source";

/** Milliseconds that a first snapshot waits for the Northbound database. What else there is to announce does not wait longer. */
const PATIENCE = 10_000;

/** What the Northbound database adds to a snapshot, where the agent has a way there. */
export class Northbound {
  private readonly followed: Followed<NatView>;
  private last: NorthboundFacts | undefined;
  private patience: NodeJS.Timeout | undefined;

  constructor(private readonly options: Connecting) {
    const { changed } = options;
    this.followed = new Followed({ ...options, database: "OVN_Northbound", code: "OVN_AGENT_NORTHBOUND", open: (client, lost) => NatView.open(client, lost, changed) });
  }

  get problem() {
    return this.followed.connection?.problem;
  }

  follow(endpoint: string | undefined): void {
    this.followed.to(endpoint);
    if (endpoint === undefined) this.last = NO_NORTHBOUND;
    else this.patience ??= setTimeout(() => this.giveUp(), PATIENCE).unref();
  }

  /** What was last seen whole, so that nothing else waits for this database; undefined: the first is on its way. */
  facts(snapshot: Snapshot): NorthboundFacts | undefined {
    const view = this.followed.connection?.view;
    if (view?.narrow(natWanted(snapshot)) === true) this.last = view.facts();
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
