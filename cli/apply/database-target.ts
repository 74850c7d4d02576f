import type { Lock, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import {
  type ApplyFacts,
  confirmApply,
  type DatabaseName,
  forgetApply,
  type Host,
  layDown,
  readRecord,
  rootTable,
  undoApply,
} from "@pulumi-ovn/provider/targets";
import { restoreOn } from "@pulumi-ovn/provider/tools";
import { shellOf, type DatabaseShell } from "./host-of";
import type { ApplyTarget, PendingApply } from "./target";
import { startTimer, type Timer } from "./timer";

/** Name of the OVSDB lock that a guard holds: an <id> of RFC 7047, without hyphens. */
const GUARD_LOCK = "pulumi_ovn_guard";

export interface DatabaseAccess extends Pick<ApplyTarget, "title" | "names"> {
  readonly endpoint: string;
  /** Only for the database of a host, whose flows and files are undone with it. */
  readonly host: Host | undefined;
}

/** A database with the record of its applies, on a host with its flows and files. */
export class DatabaseTarget implements ApplyTarget {
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
  readonly #shell: DatabaseShell | undefined;
  readonly #host: Host | undefined;
  #guarding: Promise<Lock> | undefined;

  constructor(
    private readonly client: OvsdbClient,
    private readonly database: DatabaseName,
    { title, names, endpoint, host }: DatabaseAccess,
  ) {
    this.title = title;
    this.names = names;
    this.#host = host;
    this.#shell = shellOf(endpoint, host);
  }

  async read(): Promise<PendingApply | undefined> {
    const record = await readRecord(this.client, this.database);
    if (!record) return undefined;
    const { undo, parts, ...rest } = record;
    return { ...rest, rows: undo.length, parts: parts.length, objects: 0 };
  }

  layDown(id: string, facts: ApplyFacts): Promise<void> {
    return layDown(this.client, this.database, id, facts);
  }

  confirm(id: string): Promise<void> {
    return confirmApply(this.client, this.database, id);
  }

  async undo(id: string): Promise<void> {
    await undoApply(this.client, this.database, id, this.#host && restoreOn({ host: this.#host }));
  }

  forget(id: string): Promise<void> {
    return forgetApply(this.client, this.database, id);
  }

  async startTimer(id: string, seconds: number): Promise<Timer> {
    const { database } = this;
    const started = this.#shell && startTimer(this.#shell, { database, root: rootTable(database), id, seconds });
    // A guard also holds the undo if the process on the host fails.
    if (await started?.catch(() => false)) return "host";
    const lock = await this.client.lock(GUARD_LOCK);
    const hasGuard = !lock.held;
    await lock.release();
    if (hasGuard) return "guard";
    await started;
    return "command";
  }

  async guard(): Promise<void> {
    this.#guarding ??= this.client.lock(GUARD_LOCK);
    await this.#guarding;
  }

  async endGuard(): Promise<void> {
    await (await this.#guarding)?.release();
  }
}
