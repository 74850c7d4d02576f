import { ConnectionError } from "../errors";

export type Endpoint =
  | { readonly kind: "unix"; readonly text: string; readonly path: string }
  | { readonly kind: "tcp" | "ssl"; readonly text: string; readonly host: string; readonly port: number }
  | { readonly kind: "exec"; readonly text: string; readonly command: string };

/** The port that IANA gave to OVSDB, and that OVS takes when none is named. */
const DEFAULT_PORT = 6640;

/** A comma belongs to the text before it (a path, a command) unless an endpoint starts behind it. */
const SEPARATOR = /,\s*(?=(?:unix|tcp|ssl|exec):)/;

/**
 * Reads a list of endpoints as in `OVN_NB_DB`: `unix:PATH`, `tcp:HOST[:PORT]`, `ssl:HOST[:PORT]` (an IPv6
 * address in brackets), and `exec:COMMAND`, separated by commas.
 */
export function parseEndpoints(list: string): Endpoint[] {
  return list.trim().split(SEPARATOR).map((text) => parseEndpoint(text.trim()));
}

function parseEndpoint(text: string): Endpoint {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  switch (kind) {
    case "unix":
      if (rest === "") throw invalid(text, "the path is missing");
      return { kind, text, path: rest };
    case "exec":
      if (rest.trim() === "") throw invalid(text, "the command is missing");
      return { kind, text, command: rest };
    case "tcp":
    case "ssl":
      return { kind, text, ...parseHost(text, rest) };
    default:
      throw invalid(text, "it must start with unix:, tcp:, ssl: or exec:");
  }
}

function parseHost(text: string, rest: string): { host: string; port: number } {
  const match = /^(?:\[([0-9A-Fa-f:.]+(?:%[^\]]+)?)\]|([^:[\]\s,]+))(?::(\d+))?$/.exec(rest);
  if (match === null) throw invalid(text, "expected HOST:PORT, with an IPv6 address in brackets");
  const port = match[3] === undefined ? DEFAULT_PORT : Number(match[3]);
  if (port < 1 || port > 65535) throw invalid(text, `there is no port ${match[3]}`);
  return { host: (match[1] ?? match[2])!, port };
}

function invalid(text: string, problem: string): ConnectionError {
  return new ConnectionError(`endpoint ${JSON.stringify(text)}: ${problem}`, { endpoint: text });
}
