import { ConnectionError, OvsdbError, RpcError } from "../errors";
import { newCall } from "../rpc/call";
import type { Connection, ConnectionOptions } from "../rpc/connection";
import type { Endpoint } from "../transport/endpoint";
import { type OpenTransport, openTransport } from "../transport/open";
import type { TlsFiles } from "../transport/tls";
import { Link, type LinkEvents, SERVER_MONITOR } from "./link";
import type { ClusterServers } from "./cluster-servers";
import { type ClientOptions, DEFAULTS } from "./options";
import { refuse } from "./refusal";
import { rpcError, serverMonitor } from "./server";

export interface EstablishOptions extends ConnectionOptions {
  readonly database: string;
  readonly leaderOnly: boolean;
  readonly clusterServers: ClusterServers;
  readonly tls: TlsFiles;
  readonly open: OpenTransport;
}

/** With the defaults filled in. */
export function establishOptions(options: ClientOptions, clusterServers: ClusterServers): EstablishOptions {
  return {
    database: options.database,
    leaderOnly: options.leaderOnly ?? true,
    clusterServers,
    tls: options.tls ?? {},
    open: options.open ?? openTransport,
    probeInterval: options.probeInterval ?? DEFAULTS.probeInterval,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULTS.maxMessageBytes,
    maxDepth: DEFAULTS.maxDepth,
  };
}

/** Why the database can't be used on this connection now, if so. */
export function refusal({ server, endpoint }: Link, { database, leaderOnly, clusterServers }: EstablishOptions): OvsdbError | undefined {
  return refuse(server.database, database, leaderOnly, clusterServers, endpoint.text);
}

/** Names the databases of a server that lacks the wanted one: the endpoint is often that of another database. */
async function withDatabases(problem: OvsdbError, { connection, endpoint }: Link): Promise<OvsdbError> {
  if (!(problem instanceof RpcError) || problem.error !== "unknown database") return problem;
  const names = await ask(connection, "list_dbs", []).catch(() => []);
  const own = (Array.isArray(names) ? names : []).filter((name): name is string => typeof name === "string" && !name.startsWith("_"));
  if (own.length === 0) return problem;
  return new RpcError("monitor_cond", problem.error, `${problem.details}; it has ${own.join(", ")}: is this the endpoint of another database?`, {
    endpoint: endpoint.text,
  });
}

/**
 * Connects to one endpoint and finds out whether the database can be used there. Everything happens until
 * `signal` fires; when it fails, nothing of the attempt is left.
 */
export async function establish(endpoint: Endpoint, options: EstablishOptions, events: LinkEvents, signal: AbortSignal): Promise<Link> {
  let link: Link | undefined;
  const stop = () => link?.connection.fail(asOvsdbError(signal.reason, endpoint));
  try {
    signal.throwIfAborted();
    link = new Link(endpoint, options.database, await options.open(endpoint, { tls: options.tls, signal }), options, events);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await handshake(link, options.database);
    const problem = refusal(link, options);
    if (problem !== undefined) throw await withDatabases(problem, link);
    return link;
  } catch (error) {
    const named = asOvsdbError(error, endpoint);
    await link?.connection.close(named);
    throw named;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function handshake(link: Link, database: string): Promise<void> {
  const { connection, server } = link;
  // Without this, a cancelled transaction is never answered. Servers before OVS 2.9 don't know it.
  const aware = ask(connection, "set_db_change_aware", [true]).catch(ignoreRpcError);
  // The reply and the first update may stand in one chunk: the row is taken in before anything else is read.
  const monitor = ask(connection, "monitor_cond", serverMonitor(database, SERVER_MONITOR), (rows) => server.apply(rows));
  link.watchSchema();
  const [, row] = await Promise.allSettled([aware, monitor]);
  if (row.status === "fulfilled") return;
  ignoreRpcError(row.reason);
  // A server without `_Server` has no clusters either: it is enough that the database is there.
  const names = await ask(connection, "list_dbs", []);
  if (Array.isArray(names) && names.includes(database)) server.apply({ Database: { [database]: { initial: { name: database } } } });
}

function ignoreRpcError(error: unknown): void {
  if (!(error instanceof RpcError)) throw error;
}

function ask(connection: Connection, method: string, params: unknown[], taken?: (result: unknown) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const reply = (result: unknown, error: unknown) => {
      if (error !== undefined) return reject(rpcError(method, error, connection.endpoint));
      taken?.(result);
      resolve(result);
    };
    connection.send(newCall(method, params, "session", Infinity, { reply, fail: reject }));
  });
}

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
}

/** Node ends its message with the address, which equals the endpoint unless a name has several addresses. */
function systemText({ message, code, address, port }: SystemError, endpoint: string): string {
  const at = port === undefined ? address : `${address}:${port}`;
  const isKnown = at !== undefined && message.endsWith(` ${at}`) && (endpoint.endsWith(`:${at}`) || endpoint.endsWith(`:[${address}]:${port}`));
  const text = (isKnown ? message.slice(0, -at.length - 1) : message) || code || "no connection";
  return code === "ENOENT" && endpoint.startsWith("unix:") ? `${text}: there is no such socket; is the server running, and is the path right?` : text;
}

/** Names the endpoint, once: errors of the layers below don't know it. */
function asOvsdbError(error: unknown, endpoint: Endpoint): OvsdbError {
  const context = { endpoint: endpoint.text, cause: error };
  if (error instanceof OvsdbError) {
    if (error.endpoint !== undefined) return error;
    Object.defineProperty(error, "endpoint", { value: endpoint.text, enumerable: true });
    error.message = `${endpoint.text}: ${error.message}`;
    return error;
  }
  return new ConnectionError(systemText(error as SystemError, endpoint.text), context);
}
