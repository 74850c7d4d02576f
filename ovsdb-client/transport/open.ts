import type { Endpoint } from "./endpoint";
import { openExec } from "./exec";
import { openSocket } from "./socket";
import type { TlsFiles } from "./tls";
import type { Transport } from "./transport";

export interface OpenOptions {
  readonly tls: TlsFiles;
  /** Gives the attempt up; the promise is then rejected with its reason. */
  readonly signal: AbortSignal;
}

export type OpenTransport = (endpoint: Endpoint, options: OpenOptions) => Promise<Transport>;

export const openTransport: OpenTransport = async (endpoint, { tls, signal }) =>
  endpoint.kind === "exec" ? openExec(endpoint.command) : openSocket(endpoint, tls, signal);
