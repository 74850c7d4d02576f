import type { TlsFiles } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "../desired/problem";
import { Connection } from "./connection";
import { type HostFacts, HostView } from "./host-view";
import type { Snapshot } from "./snapshot";
import { wanted } from "./wanted";
import { ZoneView } from "./zone-view";

/** Where a snapshot comes from. */
export interface SourceOptions {
  /** The host's Open vSwitch database, such as `unix:/run/openvswitch/db.sock`. */
  readonly openvswitch: string;
  /** The Southbound database. Default: what `external_ids:ovn-remote` says, also when it changes. */
  readonly southbound?: string | undefined;
  /** For `ssl:` endpoints. */
  readonly tls?: TlsFiles | undefined;
}

/** Keeps a snapshot: connects, and connects again, by itself, for as long as it is open. */
export interface SnapshotSource {
  /** What was last seen; null: not both databases have been read yet. It stays the same object until something has changed. */
  current(): Snapshot | null;
  /** What keeps the snapshot from being there, or from following the databases, now. */
  problems(): readonly Problem[];
  /** Tells that `current` or `problems` has changed: at most once in a turn of the event loop. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Resolves when nothing is left open. An abort of the `signal` does the same. */
  close(): Promise<void>;
}

/** Begins at once; it never fails, but says what is in the way. */
export function snapshotSource(options: SourceOptions, { signal }: { readonly signal?: AbortSignal | undefined } = {}): SnapshotSource {
  const source = new Source(options);
  const close = () => void source.close();
  if (signal?.aborted === true) close();
  else signal?.addEventListener("abort", close, { once: true });
  return source;
}

class Source implements SnapshotSource {
  private snapshot: Snapshot | null = null;
  private told: readonly Problem[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly host: Connection<HostView>;
  private zone: { readonly endpoint: string; readonly connection: Connection<ZoneView> } | undefined;
  private closing: Promise<unknown>[] = [];
  private closed = false;
  private waiting: NodeJS.Immediate | undefined;
  private readonly changed = () => {
    if (!this.closed) this.waiting ??= setImmediate(() => this.refresh());
  };

  constructor(private readonly options: SourceOptions) {
    const { openvswitch: endpoint, tls } = options;
    this.host = new Connection({ endpoint, tls, database: "Open_vSwitch", code: "OVN_AGENT_OPENVSWITCH", changed: this.changed, open: (client, lost) => HostView.open(client, lost, this.changed) });
  }

  current(): Snapshot | null {
    return this.snapshot;
  }

  problems(): readonly Problem[] {
    return this.told;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearImmediate(this.waiting);
    this.closing.push(this.host.close(), ...(this.zone ? [this.zone.connection.close()] : []));
    this.zone = undefined;
    await Promise.all(this.closing);
  }

  /** Once for all that has changed in a turn of the event loop. */
  private refresh(): void {
    this.waiting = undefined;
    const facts = this.host.view?.facts();
    if (facts) this.follow(this.options.southbound ?? facts.remote);
    const problems = [this.host.problem, facts && !this.zone ? NO_REMOTE : this.zone?.connection.problem].filter((problem) => problem !== undefined);
    const snapshot = facts ? this.look(facts) : undefined;
    const news = { snapshot: snapshot && !sameSnapshot(snapshot, this.snapshot), problems: JSON.stringify(problems) !== JSON.stringify(this.told) };
    if (news.snapshot) this.snapshot = snapshot!;
    if (news.problems) this.told = problems;
    if (news.snapshot || news.problems) for (const listener of [...this.listeners]) listener();
  }

  /** undefined: what is to be seen is still on its way. What was seen before holds until then, so nothing is withdrawn in between. */
  private look(facts: HostFacts): Snapshot | undefined {
    const view = this.zone?.connection.view;
    if (!view) return undefined;
    const snapshot = view.snapshot(facts);
    return view.narrow(wanted(snapshot, view.groups())) ? snapshot : undefined;
  }

  private follow(endpoint: string | undefined): void {
    if (endpoint === this.zone?.endpoint) return;
    if (this.zone) this.closing.push(this.zone.connection.close());
    const { tls } = this.options;
    this.zone = endpoint === undefined ? undefined : { endpoint, connection: new Connection({ endpoint, tls, database: "OVN_Southbound", code: "OVN_AGENT_SOUTHBOUND", changed: this.changed, open: (client, lost) => ZoneView.open(client, lost, this.changed) }) };
  }
}

const NO_REMOTE: Problem = { code: "OVN_AGENT_NO_REMOTE", subject: "ovn-remote", message: "the host's external_ids:ovn-remote is not set: there is no Southbound database to follow" };

/** Rows that have not changed are the same objects. */
function sameSnapshot(a: Snapshot, b: Snapshot | null): boolean {
  const rest = ({ chassis, bridges, exposures }: Snapshot) => JSON.stringify([chassis, bridges, exposures]);
  const same = <T>(one: readonly T[], other: readonly T[]) => one.length === other.length && one.every((item, at) => item === other[at]);
  return b !== null && same(a.ports, b.ports) && same(a.loadBalancers, b.loadBalancers) && rest(a) === rest(b);
}
