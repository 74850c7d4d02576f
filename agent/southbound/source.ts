import type { TlsFiles } from "@pulumi-ovn/ovsdb-client";
import { concernOf, exposuresNaming, NO_NORTHBOUND, type Problem, type Snapshot } from "@pulumi-ovn/provider/agent";
import { type Connecting, Connection } from "./connection";
import { DatabaseFollower } from "./database-follower";
import { lastReadable } from "./last-readable";
import { type HostFacts, HostView, type Settings } from "./host-view";
import { Northbound } from "./northbound";
import { type HostNote, EMPTY_NOTE } from "./host-note";
import { Servers } from "./servers";
import { conditionsFor } from "./conditions";
import { ZoneView } from "./zone-view";

/** Databases of a snapshot. */
export interface SourceOptions {
  /** The host's Open vSwitch database, such as `unix:/run/openvswitch/db.sock`. */
  readonly openvswitch: string;
  /** The Southbound database. Default: the value of `external_ids:ovn-remote`, whose changes are followed. */
  readonly southbound?: string | undefined;
  /**
   * The Northbound database. Only this database contains IPv6 floating IPs. Default: the value of `external_ids:ovn-nb-remote`, whose
   * changes are followed; without either these are not announced.
   */
  readonly northbound?: string | undefined;
  /** For `ssl:` endpoints. */
  readonly tls?: TlsFiles | undefined;
}

/** Keeps a snapshot up to date, and reconnects by itself while it is open. */
export interface SnapshotSource {
  /** The last snapshot. Null until both databases have been read. It stays the same object until something changes. */
  current(): Snapshot | null;
  /** Data to store on the host. */
  readonly note: HostNote;
  /** Problems that currently prevent a snapshot, or an up-to-date snapshot. */
  problems(): readonly Problem[];
  /** Calls the listener when `current` or `problems` has changed, at most once per event-loop turn. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Resolves when nothing is left open. An abort of the `signal` does the same. */
  close(): Promise<void>;
}

/** Starts immediately. Never fails: `problems` contains what prevents a snapshot. */
export function snapshotSource(options: SourceOptions, { signal }: { readonly signal?: AbortSignal | undefined } = {}): SnapshotSource {
  const source = new Source(options);
  const close = () => void source.close();
  if (signal?.aborted === true) close();
  else signal?.addEventListener("abort", close, { once: true });
  return source;
}

class Source implements SnapshotSource {
  private snapshot: Snapshot | null = null;
  private reported: readonly Problem[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly host: Connection<HostView>;
  private readonly zone: DatabaseFollower<ZoneView>;
  private readonly northbound: Northbound;
  private readonly servers: Servers;
  /** The host's settings when it last had a name. */
  private settings: Settings | undefined;
  private database: string | undefined;
  /** Connection to the Southbound database of the snapshot. */
  private followed: Connection<ZoneView> | undefined;
  /** Set while there is a new Southbound database that must not be used yet. */
  private unusable: Problem | undefined;
  private closed = false;
  private waiting: NodeJS.Immediate | undefined;
  private readonly changed = () => {
    if (!this.closed) this.waiting ??= setImmediate(() => this.refresh());
  };

  constructor(private readonly options: SourceOptions) {
    const { changed } = this;
    const connecting: Connecting = { tls: options.tls, changed };
    this.host = new Connection({
      ...connecting,
      endpoint: options.openvswitch,
      database: "Open_vSwitch",
      code: "OVN_AGENT_OPENVSWITCH",
      open: (client, lost) => HostView.open(client, lost, changed),
    });
    this.zone = new DatabaseFollower({
      ...connecting,
      database: "OVN_Southbound",
      code: "OVN_AGENT_SOUTHBOUND",
      open: (client, lost) => ZoneView.open(client, lost, changed),
    });
    this.northbound = new Northbound(connecting);
    this.servers = new Servers(changed);
  }

  current(): Snapshot | null {
    return this.snapshot;
  }

  get note(): HostNote {
    const { snapshot, database } = this;
    return snapshot ? { database, exposures: exposuresNaming(snapshot.chassis, snapshot.exposures) } : EMPTY_NOTE;
  }

  problems(): readonly Problem[] {
    return this.reported;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearImmediate(this.waiting);
    await Promise.all([this.host.close(), this.zone.close(), this.northbound.close()]);
  }

  /** Runs once for all changes in a turn of the event loop. */
  private refresh(): void {
    this.waiting = undefined;
    const { view } = this.host;
    const facts = view?.facts(this.settings);
    if (facts) {
      this.settings = facts.settings;
      this.zone.to(this.options.southbound ?? facts.remote);
      this.northbound.follow(this.options.northbound ?? facts.northboundRemote);
    }
    const { connection } = this.zone;
    const servers = this.servers.of(
      [this.options.southbound ?? facts?.remote, this.options.northbound ?? facts?.northboundRemote],
      [...(connection?.reached.values() ?? []), ...this.northbound.reached],
    );
    const found = facts ? this.read(facts, servers) : undefined;
    // The way to servers that are new must be free before they can be reached.
    const snapshot = found ?? (facts && this.snapshot ? { ...this.snapshot, servers } : undefined);
    const problems = [
      this.host.problem,
      view && facts?.named !== true ? unnamed(facts?.name) : undefined,
      facts && !connection ? NO_REMOTE : connection?.problem,
      this.unusable,
      this.northbound.problem,
    ].filter((problem) => problem !== undefined);
    const news = { snapshot: snapshot && !sameSnapshot(snapshot, this.snapshot), problems: JSON.stringify(problems) !== JSON.stringify(this.reported) };
    if (news.snapshot) this.snapshot = snapshot!;
    if (news.problems) this.reported = problems;
    if (news.snapshot || news.problems) for (const listener of [...this.listeners]) listener();
  }

  /** Undefined while rows are still to arrive. The previous snapshot stays valid until then, so nothing is withdrawn in between. */
  private read(facts: HostFacts, servers: readonly string[]): Snapshot | undefined {
    const { connection } = this.zone;
    const view = connection?.view;
    if (!view) return undefined;
    const found = view.snapshot(facts);
    const database = view.database();
    const snapshot = { ...found, ...lastReadable(found.chassis, found.exposures, this.lastRead(facts.note, database)), northbound: NO_NORTHBOUND, servers };
    const concern = concernOf(snapshot);
    if (!view.narrow(conditionsFor(snapshot, concern, view.groups()))) return undefined;
    this.unusable = this.isRecreated(snapshot, database, facts.note.database) ? (this.snapshot ? recreated(snapshot) : unready(snapshot)) : undefined;
    if (this.unusable) return undefined;
    const northbound = this.northbound.facts(snapshot, concern);
    if (!northbound) return undefined;
    this.database = database;
    this.followed = connection;
    return { ...snapshot, northbound };
  }

  /** In this database, or the one before it at the same position, by this agent or one before it: other zones have exposures of the same names. */
  private lastRead(note: HostNote, database: string | undefined): Snapshot["exposures"] {
    if (this.snapshot && (this.database === database || this.followed === this.zone.connection)) return this.snapshot.exposures;
    return note.database === database ? note.exposures : {};
  }

  /**
   * Whether the database was recreated and is not complete yet. Until northd has filled it and this host's ovn-controller has
   * registered, OVN uses the data of the old database. The agent does the same; a newly started agent leaves the host unchanged.
   * In a database that the agent already used, a missing chassis row means that the chassis has left.
   */
  private isRecreated({ chassis: { name, uuid } }: Snapshot, database: string | undefined, note: string | undefined): boolean {
    if (database === undefined) return true;
    const before = this.snapshot === null ? note : this.snapshot.chassis.name === name ? this.database : database;
    return uuid === null && database !== before;
  }
}

const unnamed = (name: string | undefined): Problem => ({
  code: "OVN_AGENT_NO_CHASSIS",
  subject: "system-id",
  message: `the host's external_ids:system-id is not set: ${
    name === undefined ? "nothing is changed on the host until it is" : `it goes on as chassis "${name}", with the settings that it had, until there is a name`
  }; --withdraw takes away what is there`,
});

const NO_REMOTE: Problem = {
  code: "OVN_AGENT_NO_REMOTE",
  subject: "ovn-remote",
  message: "the host's external_ids:ovn-remote is not set: there is no Southbound database to follow; set it, or pass --southbound",
};

const recreated = ({ chassis: { name } }: Snapshot): Problem => ({
  code: "OVN_AGENT_NO_CHASSIS",
  subject: name,
  message: `the Southbound database is new, and northd has not filled it or chassis "${name}" is not in it: the last scan stays valid until both are present`,
});

const unready = ({ chassis: { name } }: Snapshot): Problem => ({
  code: "OVN_AGENT_NO_CHASSIS",
  subject: name,
  message: `no agent of this host has used this Southbound database, and northd has not filled it or chassis "${name}" is not in it: nothing is changed on the host until both are present; --withdraw removes what an earlier agent wrote`,
});

/** Rows that have not changed are the same objects. */
function sameSnapshot(a: Snapshot, b: Snapshot | null): boolean {
  const rest = ({ chassis, otherChassis, bridges, servers, exposures, unreadable: withheld, northbound }: Snapshot) =>
    JSON.stringify([chassis, otherChassis, bridges, servers, exposures, withheld, northbound.natPorts]);
  const same = <T>(one: readonly T[], other: readonly T[]) => one.length === other.length && one.every((item, at) => item === other[at]);
  return (
    b !== null &&
    same(a.ports, b.ports) &&
    same(a.loadBalancers, b.loadBalancers) &&
    same(a.northbound.floatingIPs, b.northbound.floatingIPs) &&
    same(a.tunnels, b.tunnels) &&
    rest(a) === rest(b)
  );
}
