import type { Host } from "@pulumi-ovn/provider/targets";

/** A shell on a database's host. */
export interface DatabaseShell {
  readonly host: Host;
  /** Endpoint of the database on that host. Undefined: the host's own Open_vSwitch. */
  readonly endpoint: string | undefined;
  /** Words of a program on that host whose standard input and output are the database's stream. */
  readonly stream: readonly string[];
  /** Whether flows and files are undone, too. */
  readonly hasParts: boolean;
}

/** Undefined for endpoints that lead to no shell. @param host whose own database it is. Pure. */
export function shellOf(endpoint: string, host: Host | undefined): DatabaseShell | undefined {
  if (host) return { host, endpoint: undefined, stream: [], hasParts: true };
  const found = databaseHost(endpoint);
  if (!found) return undefined;
  const { command, stream } = found;
  return { host: command.length > 0 ? { command: [...command] } : {}, endpoint: found.endpoint, stream, hasParts: false };
}

/** Host of a database, as far as its endpoint leads to a shell there. */
export interface DatabaseHost {
  /** Words before a program. Empty for this machine. */
  readonly command: readonly string[];
  /** Endpoint of the database on that host. */
  readonly endpoint: string;
  /** Words of the program that connects there. Empty for `unix:`. */
  readonly stream: readonly string[];
}

/** Options of ssh(1) with a value. */
const SSH_VALUES = /^-[BbcDEeFIiJLlmOoPpQRSWw]$/;

/** Characters that a shell interprets: then the words are not known. */
const FOR_A_SHELL = /["'`$\\|&;<>(){}*?~#\n]/;

/** Undefined for endpoints that lead to no shell: `tcp:`, `ssl:`, lists, and other programs. Pure. */
export function databaseHost(endpoint: string): DatabaseHost | undefined {
  if (endpoint.startsWith("unix:")) return endpoint.includes(",") ? undefined : { command: [], endpoint, stream: [] };
  if (!endpoint.startsWith("exec:") || FOR_A_SHELL.test(endpoint)) return undefined;
  const words = endpoint.slice("exec:".length).trim().split(/\s+/);
  const count = prefixLength(words);
  // Programs that connect to a socket name it last: `nc -U PATH`, `socat - UNIX-CONNECT:PATH`.
  const [, socket] = /^(?:UNIX(?:-CONNECT)?:|unix:)?(\/\S+)$/i.exec(words.at(-1)!) ?? [];
  if (count === 0 || count >= words.length || socket === undefined) return undefined;
  return { command: words.slice(0, count), endpoint: `unix:${socket}`, stream: words.slice(count) };
}

/** Number of words that lead to a host, a namespace or a container, one inside of the other. */
function prefixLength(words: readonly string[]): number {
  const own = ownLength(words);
  return own === 0 ? 0 : own + prefixLength(words.slice(own));
}

function ownLength([program = "", first = "", second = "", ...rest]: readonly string[]): number {
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name === "sudo" && first !== "" && !first.startsWith("-")) return 1;
  if (name === "ip" && first === "netns" && second === "exec" && rest[0] !== undefined) return 4;
  if (name === "ssh") return sshLength([first, second, ...rest]);
  if (!["kubectl", "docker", "podman", "nsenter"].includes(name)) return 0;
  const end = [first, second, ...rest].indexOf("--");
  return end < 0 ? 0 : end + 2;
}

function sshLength(words: readonly string[]): number {
  let at = 0;
  while (words[at]?.startsWith("-") && words[at] !== "--") at += SSH_VALUES.test(words[at]!) ? 2 : 1;
  return words[at] === undefined ? 0 : at + 2;
}
