import { type ConnectionError, StaleMemberError, WrongClusterError } from "../errors";
import type { ServerDatabase } from "./server";

/**
 * ClusterServers of the cluster that a session has seen. A server of another cluster (its address was reassigned) and a server with older data (cut
 * off, or restored from a backup) are refused: reads would go back in time, and writes would reach the wrong database. Uses `cid` and `index` of
 * `_Server` (ovsdb-server(5)).
 */
export class ClusterServers {
  private clusterId: string | undefined;
  private index: number | bigint = 0;

  /** `clusterId`: the only cluster to use; otherwise it is that of the first server in use. */
  constructor(
    private readonly check: boolean,
    private readonly configured?: string,
  ) {
    this.clusterId = configured?.toLowerCase();
  }

  refuse({ clusterId, index }: ServerDatabase, endpoint: string): ConnectionError | undefined {
    if (!this.check) return undefined;
    if (this.clusterId !== undefined && clusterId !== this.clusterId) {
      return new WrongClusterError(
        clusterId === undefined
          ? `the database is in no cluster, and not in cluster ${this.clusterId}`
          : `the server belongs to cluster ${clusterId}, not to ${this.clusterId}`,
        { endpoint },
      );
    }
    if (index !== undefined && index < this.index)
      return new StaleMemberError(`the server's data is old: it is at index ${index}, and ${this.index} was seen before`, { endpoint });
    return undefined;
  }

  /** Records the state of the server in use. */
  note({ clusterId, index }: ServerDatabase): void {
    this.clusterId ??= clusterId;
    if (index !== undefined && index > this.index) this.index = index;
  }

  /** Starts again, for a cluster that was created again or restored on purpose. */
  forget(): void {
    this.clusterId = this.configured?.toLowerCase();
    this.index = 0;
  }
}
