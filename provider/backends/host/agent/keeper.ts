import type { Subject } from "../../contract/backend";
import { FlowBackend } from "../../flows/backend";
import { RowBackend } from "../../rows/backend";
import type { Connections } from "../../../targets/connections";
import { HostStateError } from "../errors";
import type { KeptUpdate } from "./kept";
import { listed } from "../lines/broken";
import { exclusively } from "../engine/lock";
import { appliedTo, keepUpdate } from "../engine/sequence";
import { brokenInterfaces, followed, NEVER_UP } from "../live/switch";

/** Milliseconds that ovs-vswitchd may take to follow: updates wait meanwhile. */
const PATIENCE = 5_000;

/** Changes made to a host, and the problems that remain. */
export interface Restored {
  readonly changes: readonly string[];
  /** Why the fallback is in force, where it is. */
  readonly fallback?: string | undefined;
  /** Whether an interface that it relies on does not work now. */
  readonly broken: boolean;
  /** Whether one has a BFD session that has never been up, and nothing else is wrong. */
  readonly starting: boolean;
}

export interface Steadiness {
  /** Redirects may be enabled: the ends of tunnels have worked for a while. */
  readonly steady: boolean;
  /** BFD sessions that have never been up may still come up: they start no fallback. */
  readonly patient: boolean;
}

export interface KeeperOptions {
  readonly targets: Connections;
  /** Name of the host among the targets. */
  readonly host: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings a host back to its last updates, by what updates are written with. Rows and flows that no finished update has written stay
 * as they are, but for flows under a cookie of one that has.
 */
export class HostKeeper {
  readonly #rows = new RowBackend("Open_vSwitch");
  readonly #flows = new FlowBackend(false);

  constructor(private readonly options: KeeperOptions) {}

  /** Does work while no update changes the host; it waits for one in progress. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return exclusively(await this.#client(), this.options.signal, work, Infinity);
  }

  /**
   * Restores one resource. Throws where the host has a later update than `kept`, and what its parts throw.
   *
   */
  async restore({ owner, sequence, succeeds, desired, held }: KeptUpdate, { steady, patient }: Steadiness): Promise<Restored> {
    const client = await this.#client();
    const applied = await appliedTo(client, owner);
    if (applied.sequence > sequence)
      throw new HostStateError(
        "OVN_SEQUENCE",
        `the host has update ${applied.sequence} of this resource, the agent's file is of update ${sequence}; nothing is changed until "pulumi up --refresh" writes the file again`,
      );
    const changes = await this.#restoreRows(owner, desired);
    const bridges = desired.rows.rows.filter(({ table }) => table === "Bridge").length;
    if (applied.bridges.size < bridges || applied.sequence < sequence)
      await keepUpdate(client, owner, desired.rows, applied, { sequence, succeeds, warnings: [] });
    const { fallback } = desired;
    const all = fallback ? Object.entries(await brokenInterfaces(client, fallback.interfaces)) : [];
    const broken = patient ? all.filter(([, problem]) => problem !== NEVER_UP) : all;
    const why = held ?? (broken.length > 0 ? listed(broken) : steady ? undefined : "its tunnels have worked for a few seconds only");
    const flows = fallback !== undefined && why !== undefined ? fallback.flows : desired.flows;
    changes.push(...(await this.#flows.restore(this.#subject(owner), flows)));
    return { changes, broken: broken.length > 0, starting: all.length > broken.length, ...(fallback && why !== undefined && { fallback: why }) };
  }

  async #restoreRows(owner: string, { rows: set }: KeptUpdate["desired"]): Promise<string[]> {
    const subject = this.#subject(owner);
    const live = await this.#rows.read(subject, { set });
    const drift = live ? Object.entries(live.drift).map(([label, how]) => `${label}: ${how}`) : [`all ${set.rows.length} rows: missing`];
    if (drift.length === 0) return [];
    await this.#rows.restore(subject, { set });
    await followed(await this.#client(), PATIENCE);
    return drift;
  }

  /** To the row engine a host is a zone. */
  #subject(urn: string): Subject {
    const { host, targets, signal } = this.options;
    return { urn, properties: { host, zone: host }, targets, signal };
  }

  #client() {
    return this.options.targets.get(this.options.host, "Open_vSwitch");
  }
}
