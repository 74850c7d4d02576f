import { connect as netConnect, isIP, type Socket } from "node:net";
import { readFile } from "node:fs/promises";
import { checkServerIdentity, connect as tlsConnect, type ConnectionOptions } from "node:tls";
import { ConnectionError } from "../errors";
import type { Endpoint } from "./endpoint";
import { Inlet, socketTransport } from "./stream";
import type { Transport } from "./transport";

/** Files of the TLS identity, read anew for each connection, so that renewed certificates are taken up. */
export interface TlsFiles {
  /** PEM file with the client's private key. */
  readonly privateKey?: string | undefined;
  /** PEM file with the client's certificate. */
  readonly certificate?: string | undefined;
  /** PEM file with the authorities that may have signed the server's certificate; default: Node's own list. */
  readonly ca?: string | undefined;
  /** The name that the server's certificate must be for; default: the endpoint's host. */
  readonly serverName?: string | undefined;
  /**
   * Default true. False where certificates name no host, as those of `ovs-pki` do: the authority's signature is
   * still required, but any holder of a certificate by the same authority can then pose as the server.
   */
  readonly checkServerName?: boolean | undefined;
}

type NetworkEndpoint = Extract<Endpoint, { kind: "unix" | "tcp" | "ssl" }>;

export async function openSocket(endpoint: NetworkEndpoint, tls: TlsFiles, signal: AbortSignal): Promise<Transport> {
  const options = endpoint.kind === "ssl" ? await tlsOptions(endpoint.host, tls) : {};
  signal.throwIfAborted();
  const inlet = new Inlet();
  const socket = dial(endpoint, options, inlet);
  const transport = socketTransport(socket, inlet);
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason as Error);
    const fail = (error: Error) => {
      signal.removeEventListener("abort", abort);
      reject(error);
    };
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    if (endpoint.kind === "ssl") socket.setNoDelay(true);
    socket.once(endpoint.kind === "ssl" ? "secureConnect" : "connect", () => {
      socket.off("error", fail);
      signal.removeEventListener("abort", abort);
      resolve(transport);
    });
  });
}

function dial(endpoint: NetworkEndpoint, tls: ConnectionOptions, { onread }: Inlet): Socket {
  if (endpoint.kind === "unix") return netConnect({ path: endpoint.path, onread });
  const { host, port } = endpoint;
  return endpoint.kind === "tcp" ? netConnect({ host, port, noDelay: true, onread }) : tlsConnect({ ...tls, host, port });
}

async function tlsOptions(host: string, files: TlsFiles): Promise<ConnectionOptions> {
  const [key, cert, ca] = await Promise.all([
    read("private key", files.privateKey),
    read("certificate", files.certificate),
    read("CA certificate", files.ca),
  ]);
  const name = files.serverName ?? host;
  return {
    ...(key && { key }),
    ...(cert && { cert }),
    ...(ca && { ca }),
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    // Server name indication is for names only; an address is compared with the certificate all the same.
    servername: isIP(name) ? "" : name,
    checkServerIdentity: files.checkServerName === false ? () => undefined : checkName(name),
  };
}

function checkName(name: string): NonNullable<ConnectionOptions["checkServerIdentity"]> {
  return (_host, certificate) => checkServerIdentity(name, certificate);
}

async function read(what: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (cause) {
    throw new ConnectionError(`TLS ${what}: ${(cause as Error).message}`, { cause });
  }
}
