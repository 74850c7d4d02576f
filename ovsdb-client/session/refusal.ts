import { type ConnectionError, NotLeaderError, RpcError } from "../errors";
import type { ClusterServers } from "./cluster-servers";
import type { ServerDatabase } from "./server";

/** Why this server is of no use now, if so. */
export function refuse(
  database: ServerDatabase | undefined,
  name: string,
  leaderOnly: boolean,
  clusterServers: ClusterServers,
  endpoint: string,
): ConnectionError | RpcError | undefined {
  if (database === undefined) return new RpcError("monitor_cond", "unknown database", `the server has no database ${name}`, { endpoint });
  const { model } = database;
  if (model !== "standalone" && !database.connected) return new NotLeaderError(`the server has no connection to the ${model} database ${name}`, { endpoint });
  if (model === "clustered" && leaderOnly && !database.leader) return new NotLeaderError(`the server is not the leader of ${name}`, { endpoint });
  // A relay does not describe the cluster behind it.
  return model === "relay" ? undefined : clusterServers.refuse(database, endpoint);
}
