import { type ConnectionError, StaleMemberError, WrongClusterError } from "../errors";
import type { ServerDatabase } from "./server";

/**
 * What a session has seen of its cluster. A member of another cluster (its address was given to another database)
 * and a member that is behind (it was cut off, or restored from a backup) must never be gone on with: reads would
 * go back in time, and writes would go to the wrong place. `cid` and `index` of `_Server` tell (ovsdb-server(5)).
 */
export class Members {
  private clusterId: string | undefined;
  private index: number | bigint = 0;

  /** `clusterId`: the only cluster to use; otherwise it is that of the first member in use. */
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

  /** The session uses a member that has said this. */
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
