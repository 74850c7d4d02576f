import { connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect, type ConnectionOptions, type TLSSocket } from "node:tls";
import type { Endpoint } from "./endpoint";
import { Inlet, socketTransport } from "./stream";
import { type TlsFiles, tlsFailure, tlsOptions } from "./tls";
import type { Transport } from "./transport";

/** Behaviour of ovsdb-server on a `pssl:` port if the client does not use TLS. */
const SILENT_END = "the server gave no answer; if the port expects TLS, use ssl: instead of tcp:";

type NetworkEndpoint = Extract<Endpoint, { kind: "unix" | "tcp" | "ssl" }>;

export async function openSocket(endpoint: NetworkEndpoint, tls: TlsFiles, signal: AbortSignal): Promise<Transport> {
  const options = endpoint.kind === "ssl" ? await tlsOptions(endpoint.host, tls) : {};
  signal.throwIfAborted();
  const inlet = new Inlet();
  const socket = dial(endpoint, options, inlet);
  let connected = false;
  const why = (error: Error | undefined) =>
    endpoint.kind === "ssl"
      ? tlsFailure(socket as TLSSocket, error, { handshake: connected, isAnswered: inlet.used }, tls)
      : (error ?? (endpoint.kind === "tcp" && !inlet.used ? new Error(SILENT_END) : undefined));
  const transport = socketTransport(socket, inlet, why);
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason as Error);
    const fail = (error: Error) => {
      signal.removeEventListener("abort", abort);
      reject(why(error)!);
    };
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    if (endpoint.kind === "ssl") socket.setNoDelay(true);
    socket.once(endpoint.kind === "ssl" ? "secureConnect" : "connect", () => {
      connected = true;
      socket.off("error", fail);
      signal.removeEventListener("abort", abort);
      const certificateExpiry = endpoint.kind === "ssl" ? (socket as TLSSocket).getPeerX509Certificate()?.validToDate : undefined;
      resolve({ ...transport, peer: socket.remoteAddress, certificateExpiry });
    });
  });
}

function dial(endpoint: NetworkEndpoint, tls: ConnectionOptions, { onread }: Inlet): Socket {
  if (endpoint.kind === "unix") return netConnect({ path: endpoint.path, onread });
  const { host, port } = endpoint;
  return endpoint.kind === "tcp" ? netConnect({ host, port, noDelay: true, onread }) : tlsConnect({ ...tls, host, port });
}
