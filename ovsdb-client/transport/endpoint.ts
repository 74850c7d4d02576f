import { isIP, isIPv6 } from "node:net";
import { ConnectionError } from "../errors";
import { printable } from "../text";
import { describeCommand } from "./command";

/** `text` is how messages name the endpoint (see `describeEndpoint`): a command may hold secrets, and is cut. */
export type Endpoint =
  | { readonly kind: "unix"; readonly text: string; readonly path: string }
  | { readonly kind: "tcp" | "ssl"; readonly text: string; readonly host: string; readonly port: number }
  | { readonly kind: "exec"; readonly text: string; readonly command: string };

/** A comma belongs to the text before it (a path, a command) unless an endpoint starts behind it. */
const SEPARATOR = /,\s*(?=(?:unix|tcp|ssl|exec):)/;

/**
 * Parses endpoints as in `OVN_NB_DB`: `unix:PATH`, `tcp:HOST:PORT`, `ssl:HOST:PORT` (IPv6 addresses in brackets) and `exec:COMMAND`, separated
 * by commas. Pure. Throws a ConnectionError that names the wrong endpoint.
 */
export function parseEndpoints(list: string): Endpoint[] {
  return list
    .trim()
    .split(SEPARATOR)
    .map((text) => parseEndpoint(text.trim()));
}

/**
 * Endpoints as they appear in messages: unchanged, except that only the first word of a command (`exec:ssh ...`) or of an invalid endpoint is
 * shown. Accepts any text.
 */
export function describeEndpoint(endpoints: string): string {
  return endpoints
    .trim()
    .split(SEPARATOR)
    .map((text) => describeOne(text.trim()))
    .join(",");
}

function describeOne(text: string): string {
  if (/^(?:unix|tcp|ssl):/.test(text)) return printable(text);
  const [scheme = ""] = /^\w[\w.+-]*:/.exec(text) ?? [];
  if (scheme !== "" && scheme !== "exec:") return printable(`${scheme}...`);
  const command = text.slice(scheme.length);
  return command.trim() === "" ? scheme : printable(scheme + describeCommand(command));
}

function parseEndpoint(written: string): Endpoint {
  const text = describeOne(written);
  const colon = written.indexOf(":");
  const kind = written.slice(0, colon);
  const rest = written.slice(colon + 1);
  switch (kind) {
    case "unix":
      if (rest === "") throw invalid(text, "the path is missing");
      return { kind, text, path: rest };
    case "exec":
      if (rest.trim() === "") throw invalid(text, "the command is missing");
      return { kind, text, command: rest };
    case "tcp":
    case "ssl":
      return { kind, text, ...parseHost(text, kind, rest) };
    default:
      throw invalid(text, "it must start with unix:, tcp:, ssl: or exec:");
  }
}

function parseHost(text: string, kind: string, rest: string): { host: string; port: number } {
  const match = /^(?:\[([^[\]\s]+)\]|([^:[\]\s,]+))(?::(\d+))?$/.exec(rest);
  if (match === null) throw invalid(text, unbracketed(kind, rest) ?? "expected HOST:PORT, with an IPv6 address in brackets");
  const [, address, name, digits] = match;
  if (address !== undefined && !isIPv6(address)) throw invalid(text, `${address} is not an IPv6 address`);
  if (name !== undefined && /^[\d.]+$/.test(name) && isIP(name) === 0) throw invalid(text, `${name} is not an IPv4 address`);
  // OVS would take 6640, which no OVN database has.
  if (digits === undefined) throw invalid(text, `the port is missing: ${kind}:${rest}:PORT`);
  const port = Number(digits);
  if (port < 1 || port > 65535) throw invalid(text, `there is no port ${digits}`);
  return { host: (address ?? name)!, port };
}

/** `fd00::1:6641` is a complete address, although the last number was probably meant as port. */
function unbracketed(kind: string, rest: string): string | undefined {
  const [, address, port] = /^(.*[^:]):(\d+)$/.exec(rest) ?? [];
  if (address !== undefined && isIPv6(address)) return `an IPv6 address must be in brackets: ${kind}:[${address}]:${port}`;
  return isIPv6(rest) ? `an IPv6 address must be in brackets, and the port is missing: ${kind}:[${rest}]:PORT` : undefined;
}

function invalid(text: string, problem: string): ConnectionError {
  return new ConnectionError(`endpoint ${JSON.stringify(text)}: ${problem}`, { endpoint: text });
}
