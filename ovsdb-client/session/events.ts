import { Listeners } from "../rpc/listeners";
import type { Endpoint } from "../transport/endpoint";

/**
 * Event of a client's connection, for logs and metrics. Contains no rows, and only the program of an `exec:` endpoint, whose arguments may hold
 * a token (`position` identifies it).
 */
export interface ConnectionEvent {
  /** As `describeEndpoint` shows it. */
  readonly endpoint: string;
  /** Its position in the caller's list, from 0. */
  readonly position: number;
}

export interface ConnectedEvent extends ConnectionEvent {
  /** False: the connection was lost, or the leader had moved, and calls that waited are sent now. */
  readonly first: boolean;
  readonly model: "standalone" | "clustered" | "relay";
  /** Clustered databases: the UUIDs of the cluster and of the server. */
  readonly clusterId: string | undefined;
  readonly serverId: string | undefined;
}

/** Code and message of an `OvsdbError`. */
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
  /** Whether every endpoint answered and belongs to another cluster: the cluster was recreated, or the endpoints were reassigned. */
  readonly otherCluster: boolean;
}

export interface LeaderEvent extends ConnectionEvent {
  /** True: the server in use is the cluster's leader; false: it no longer is. */
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
  /** The connection was lost, or left because its database can't be used; the client looks for another one. */
  disconnected?(event: DisconnectedEvent): void;
  /** After a lost connection: no endpoint could be used. The client waits, and tries again. */
  unreachable?(event: UnreachableEvent): void;
  /** Clustered databases: leadership of the server in use changed. */
  leader?(event: LeaderEvent): void;
  /** A monitor's cache has caught up after a new connection. */
  resynced?(event: ResyncedEvent): void;
}

/** Calls the caller's listeners. */
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
