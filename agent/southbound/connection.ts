import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OvsdbClient, type TlsFiles } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";

/** Requests a new connection, with the reason. */
export type OnLost = (reason: { readonly message: string }) => void;

/** View of a database. */
export interface View {
  /** Ends the use of the client. */
  close(): void;
}

/** Settings that each connection gets from its source. */
export interface Connecting {
  readonly tls: TlsFiles | undefined;
  readonly changed: () => void;
}

export interface ConnectionOptions<V extends View> {
  readonly endpoint: string;
  readonly database: string;
  readonly tls?: TlsFiles | undefined;
  /** Code of the problem while the database can't be read. */
  readonly code: string;
  /** Starts to read. */
  open(client: OvsdbClient, lost: OnLost): Promise<V>;
  /** Called when the view or the problem has changed. */
  changed(): void;
}

/** Milliseconds for which all endpoints must report another cluster before this cluster is used. */
const OTHER_CLUSTER = 5_000;

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 4_000;

/** A database that is connected to, and again, for as long as this is open. The last view stays until there is another one. */
export class Connection<V extends View> {
  view: V | undefined;
  problem: Problem | undefined;
  /** IP addresses of servers by the endpoint, as each was last reached. */
  readonly reached = new Map<string, string>();
  private readonly end = new AbortController();
  private client: OvsdbClient | undefined;
  private running: Promise<void>;

  constructor(private readonly options: ConnectionOptions<V>) {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.end.abort();
    this.view?.close();
    await this.client?.close();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.end;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        this.view = await this.begin(signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.tell(error as Error);
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async begin(signal: AbortSignal): Promise<V> {
    const { endpoint, database, tls } = this.options;
    // As ovn-controller does: any server of a cluster is accepted, although its data may be slightly older.
    const client = await connect(endpoint, { database, tls, leaderOnly: false, signal });
    this.client = client;
    this.note(client);
    try {
      const view = await this.options.open(client, (reason) => this.again(client, reason));
      let others: number | undefined;
      client.subscribe({
        disconnected: ({ problem }) => this.tell(problem),
        unreachable: ({ problem, otherCluster }) => {
          this.tell(problem);
          // If any endpoint does not answer, the known cluster may come back.
          others = otherCluster ? (others ?? performance.now()) : undefined;
          if (others !== undefined && performance.now() - others >= OTHER_CLUSTER) this.again(client, problem);
        },
        connected: () => {
          others = undefined;
          this.note(client);
          this.tell(undefined);
        },
      });
      this.tell(client.connected ? undefined : { message: `the connection to ${client.endpoint} is lost` });
      return view;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  private again(client: OvsdbClient, reason: { readonly message: string }): void {
    if (this.end.signal.aborted || this.client !== client) return;
    this.client = undefined;
    this.tell(reason);
    this.running = this.running.then(() => client.close()).then(() => this.run());
  }

  private note({ endpoint, peer }: OvsdbClient): void {
    if (peer !== undefined) this.reached.set(endpoint, peer);
  }

  private tell(error: { readonly message: string } | undefined): void {
    const { code, database } = this.options;
    this.problem = error && { code, subject: database, message: `${database}: ${error.message}` };
    this.options.changed();
  }
}
