/** Assignments `A=1 B='x y' ` before a program's name, without computed values such as `$(cat file)`. */
const ASSIGNMENTS = /^\s*(?:[A-Za-z_]\w*=(?:[^\s'"\\`$();&|<>]|'[^']*'|"[^"\\`$]*")*\s+)*/;

const PROGRAM = /^[\w./@%+-]+(?=$|[\s;&|<>])/;

/** Not programs: the shell does these itself, so nothing can replace it. */
const BUILT_IN = new Set([".", "builtin", "cd", "command", "eval", "exec", "export", "set", "source", "time", "trap", "ulimit", "umask", "unset"]);

const QUOTED = /\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs;
const OPERATOR = /[;&|<>(){}`'"\n]/;

interface Command {
  readonly assignments: string;
  /** Undefined: only a shell can tell. */
  readonly program: string | undefined;
  /** The program's name and its arguments. */
  readonly rest: string;
}

function split(command: string): Command {
  const assignments = ASSIGNMENTS.exec(command)![0];
  const rest = command.slice(assignments.length);
  return { assignments, program: PROGRAM.exec(rest)?.[0], rest };
}

/** The program of a command. Its arguments and variables are left out: they may hold secrets. */
export function describeCommand(command: string): string {
  const { assignments, program, rest } = split(command);
  if (program === undefined) return "...";
  return assignments.trim() === "" && rest.trim() === program ? program : `${program} ...`;
}

/**
 * The command with `exec` before its program, so that the shell replaces itself by it, as with OpenSSH's
 * ProxyCommand. Undefined for what needs the shell: several commands, redirections, what it has built in.
 */
export function replacingShell(command: string): string | undefined {
  const { assignments, program, rest } = split(command);
  if (program === undefined || BUILT_IN.has(program) || OPERATOR.test(rest.replace(QUOTED, ""))) return undefined;
  return `${assignments}exec ${rest}`;
}

/** Values of variables and options, and quoted texts: a script, a password. */
const VALUES = /'([^']*)'|"([^"]*)"|=([^\s'";&|()]+)/g;

/** Takes the command and its values out of a text: shells repeat the line that they fail at. */
export function withoutCommand(text: string, command: string): string {
  const shown = describeCommand(command);
  const lines = command.split("\n").map((line) => [line.trim(), shown] as const);
  const values = [...command.matchAll(VALUES)].map(([, single, double, bare]) => [(single ?? double ?? bare)!, "..."] as const);
  return [...lines, ...values].reduce((kept, [hidden, instead]) => (hidden.length > 3 ? kept.replaceAll(hidden, () => instead) : kept), text);
}
