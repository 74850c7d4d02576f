import type { OpenTransport } from "../transport/open";
import type { TlsFiles } from "../transport/tls";
import type { BackoffOptions } from "./backoff";
import type { ClientListener } from "./events";

export interface ClientOptions {
  /** The database's name, such as "OVN_Northbound". The leader is chosen for it, and its schema is used. */
  readonly database: string;
  /** Clustered databases: use the leader only, and follow it when it moves. Default true. Without it reads may be old. */
  readonly leaderOnly?: boolean | undefined;
  /**
   * Clustered databases: never continue with a server of another cluster than before, nor with one that is behind what
   * was seen already. Default true. See `OvsdbClient.forgetCluster`.
   */
  readonly checkMembers?: boolean | undefined;
  /** Use this cluster only, by its UUID (`cid` of `ovs-appctl cluster/status`). Default: that of the first server in use. */
  readonly clusterId?: string | undefined;
  /** Try the endpoints in random order, so that clients spread over a cluster's servers. Default true; false: as they are listed. */
  readonly shuffle?: boolean | undefined;
  /** For `ssl:` endpoints. */
  readonly tls?: TlsFiles | undefined;
  /** Milliseconds for the first connection, over all endpoints; later ones have as long per round. Default 5000. */
  readonly connectTimeout?: number | undefined;
  /** Milliseconds for each call, from the call to its result. Default 30000. */
  readonly timeout?: number | undefined;
  /** Milliseconds of silence before the server is asked for a sign of life; it has as long again to give one. 0: never. Default 5000. */
  readonly probeInterval?: number | undefined;
  /**
   * Bytes of one message from the server, or of answers to its probes that it does not read, beyond which the connection
   * is given up. Default 256 MiB.
   */
  readonly maxMessageBytes?: number | undefined;
  /** Connect again when the connection is lost. Default true, for as long as the client is open. */
  readonly reconnect?: boolean | BackoffOptions | undefined;
  /** Ends the first connection's attempt; it has no effect afterwards. */
  readonly signal?: AbortSignal | undefined;
  /** An idle connection does not keep the process alive. Default false. */
  readonly unref?: boolean | undefined;
  /** Release that introduced a table or column, for errors about missing ones. */
  readonly since?: ((table: string, column?: string) => string | undefined) | undefined;
  /** Receives events from the first attempt on, like `OvsdbClient.subscribe`. */
  readonly listener?: ClientListener | undefined;
  /** Opens byte streams in another way than by sockets and programs. */
  readonly open?: OpenTransport | undefined;
}

export interface CallOptions {
  /** Milliseconds from the call to its result; default: the client's. */
  readonly timeout?: number | undefined;
  /**
   * Stops the call. AbortError: nothing was written. A write that had been sent is cancelled at the server:
   * when it was done already, its result is returned; when the server cannot say, that is an OutcomeUnknownError.
   */
  readonly signal?: AbortSignal | undefined;
}

export const DEFAULTS = {
  connectTimeout: 5000,
  timeout: 30_000,
  probeInterval: 5000,
  maxMessageBytes: 256 * 1024 * 1024,
  /** As deep as an OVSDB server reads itself. */
  maxDepth: 1000,
} as const;
