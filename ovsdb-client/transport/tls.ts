import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { checkServerIdentity, type ConnectionOptions, type TLSSocket } from "node:tls";
import { ConnectionError, OvsdbError } from "../errors";
import { printable } from "../text";

/** Files of the TLS identity, read again for each connection, so that renewed certificates are taken up. */
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

/** Throws a ConnectionError that names the file which can't be read or used. */
export async function tlsOptions(host: string, files: TlsFiles): Promise<ConnectionOptions> {
  // One after another: of several bad files always the same one is named.
  const key = await read("private key", files.privateKey, createPrivateKey);
  const cert = await read("certificate", files.certificate, (pem) => new X509Certificate(pem));
  const ca = await read("CA certificate", files.ca, authorities);
  checkPair(key?.parsed, cert?.parsed, files);
  const name = files.serverName ?? host;
  return {
    ...(key && { key: key.pem }),
    ...(cert && { cert: cert.pem }),
    ...(ca && { ca: ca.pem }),
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    // Server name indication is for names only; an address is compared with the certificate all the same.
    servername: isIP(name) ? "" : name,
    checkServerIdentity: files.checkServerName === false ? () => undefined : (_host, certificate) => checkServerIdentity(name, certificate),
  };
}

/** OpenSSL's own messages tell neither the file nor what was expected of it. */
async function read<T>(what: string, file: string | undefined, parse: (pem: Buffer) => T): Promise<{ pem: Buffer; parsed: T } | undefined> {
  if (file === undefined) return undefined;
  let pem: Buffer;
  try {
    pem = await readFile(file);
  } catch (cause) {
    throw new ConnectionError(`the TLS ${what} ${file} can't be read: ${(cause as Error).message}`, { cause });
  }
  try {
    return { pem, parsed: parse(pem) };
  } catch (cause) {
    const why = pem.includes("ENCRYPTED") ? "it is encrypted" : (cause as Error).message;
    throw new ConnectionError(`the TLS ${what} ${file} can't be used: ${why}`, { cause });
  }
}

/** Node leaves out of a list of authorities what it can't parse. */
function authorities(pem: Buffer): X509Certificate[] {
  const found = pem.toString("latin1").match(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END/g) ?? [];
  if (found.length === 0) throw new Error("no certificate in PEM form is in it");
  return found.map((text) => new X509Certificate(`${text} ${/BEGIN ([A-Z0-9 ]*)/.exec(text)![1]}-----\n`));
}

function checkPair(key: KeyObject | undefined, certificate: X509Certificate | undefined, files: TlsFiles): void {
  if (key === undefined && certificate === undefined) return;
  if (key === undefined) throw new ConnectionError(`the TLS certificate ${files.certificate} has no private key next to it`);
  if (certificate === undefined) throw new ConnectionError(`the TLS private key ${files.privateKey} has no certificate next to it`);
  if (!certificate.checkPrivateKey(key))
    throw new ConnectionError(`the TLS private key ${files.privateKey} is not that of the certificate ${files.certificate}`);
}

/** Alerts of RFC 8446 section 6.2 that are about the certificate of the one who gets them. */
const ABOUT_CERTIFICATE =
  /(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR|HANDSHAKE_FAILURE/;

/** How far a connection has come: a server judges our certificate, in TLS 1.3, when the handshake has ended for us. */
export interface Progress {
  handshake: boolean;
  /** Whether the server has sent data, and so accepted our certificate. */
  isAnswered: boolean;
}

/** Why a TLS connection failed: which end refused which certificate. */
export function tlsFailure(socket: TLSSocket, error: Error | undefined, { handshake, isAnswered }: Progress, files: TlsFiles): Error | undefined {
  if (isAnswered || error instanceof OvsdbError) return error;
  const { code = "", syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const because = error === undefined ? "" : `: ${printable(error.message)}`;
  const as = (text: string) => new ConnectionError(text, { cause: error });
  // Node's types say that it is an Error; it is a code.
  const refusal = socket.authorizationError as unknown;
  if (typeof refusal === "string") {
    const trusted = refusal === "ERR_TLS_CERT_ALTNAME_INVALID" ? "" : ` (trusted: ${files.ca ?? "Node's own list of authorities"})`;
    return as(`we refused the server's certificate${because}${trusted}`);
  }
  const certificateText = files.certificate === undefined ? "wants a certificate, and none is configured" : `refused our certificate ${files.certificate}`;
  if (code.includes("ALERT")) return as(`the server ${ABOUT_CERTIFICATE.test(code) ? certificateText : "refused the TLS handshake"}${because}`);
  if (handshake) return as(`the server closed the connection without an answer; it probably ${certificateText}${because}`);
  if (code.startsWith("ERR_SSL")) return as(`the server does not speak TLS as we do${because}`);
  return syscall === undefined ? as(`the server ended the TLS handshake${because}`) : error;
}
