import type { TlsFiles } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "../desired/problem";
import type { Snapshot } from "./snapshot";

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
