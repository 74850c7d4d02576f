import { Listeners } from "../rpc/listeners";
import type { Endpoint } from "../transport/endpoint";

/**
 * What a client tells of its connection, for logs and metrics. Events hold names and numbers: no rows, and of an
 * `exec:` endpoint the program only, as its arguments may hold a token (`position` tells which one it is).
 */
export interface ConnectionEvent {
  /** As `describeEndpoint` shows it. */
  readonly endpoint: string;
  /** Its place in the caller's list, from 0. */
  readonly position: number;
}

export interface ConnectedEvent extends ConnectionEvent {
  /** False: the connection was lost, or the leader had moved, and calls that waited are sent now. */
  readonly first: boolean;
  readonly model: "standalone" | "clustered" | "relay";
  /** Clustered databases: the UUIDs of the cluster and of its member. */
  readonly clusterId: string | undefined;
  readonly serverId: string | undefined;
}

/** Of an `OvsdbError`. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

export interface DisconnectedEvent extends ConnectionEvent {
  readonly problem: Problem;
}

export interface UnreachableEvent {
  /** Why each of the endpoints could not be used, in the order of the caller's list. */
  readonly problem: Problem;
  /** Rounds over all endpoints since the connection was lost, from 1. */
  readonly rounds: number;
  /** True: every endpoint has answered, and none of them is in the cluster that was used: it was made again, or the endpoints are others' now. */
  readonly otherCluster: boolean;
}

export interface LeaderEvent extends ConnectionEvent {
  /** True: the server in use is the cluster's leader; false: it has said that it is no longer. */
  readonly leader: boolean;
  readonly serverId: string | undefined;
}

export interface ResyncedEvent extends ConnectionEvent {
  /** The monitored tables. */
  readonly tables: readonly string[];
  /** True: the server sent the whole contents again; false: only what was missed. */
  readonly whole: boolean;
  /** Rows that differed from the cache. */
  readonly changes: number;
}

export interface ClientListener {
  /** A server is in use. */
  connected?(event: ConnectedEvent): void;
  /** The connection is gone, or is left because the database can't be used there; the client tries to find another one. */
  disconnected?(event: DisconnectedEvent): void;
  /** After a lost connection: no endpoint could be used. The client waits, and tries again. */
  unreachable?(event: UnreachableEvent): void;
  /** Clustered databases: what the server in use says of its being the leader has changed. */
  leader?(event: LeaderEvent): void;
  /** A monitor's cache has caught up after a new connection. */
  resynced?(event: ResyncedEvent): void;
}

/** Tells the caller's listeners. */
export class Events {
  private readonly listeners = new Listeners<ClientListener>();

  constructor(private readonly listed: readonly Endpoint[]) {}

  /** Returns a function that ends the subscription. */
  add(listener: ClientListener): () => void {
    return this.listeners.add(listener);
  }

  tell<K extends keyof ClientListener>(name: K, event: Parameters<NonNullable<ClientListener[K]>>[0]): void {
    this.listeners.tell((listener) => (listener[name] as ((event: unknown) => void) | undefined)?.(event));
  }

  at(endpoint: Endpoint): ConnectionEvent {
    return { endpoint: endpoint.text, position: this.listed.indexOf(endpoint) };
  }
}
