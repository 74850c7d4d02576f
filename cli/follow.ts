import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./end-at-signal";
import { print, printError } from "./output";

/** One look at everything. */
export interface Look {
  /** Exit code of the command if this is the last look. */
  readonly exitCode: number;
  /** The complete printed text. */
  readonly text: string;
}

export interface FollowOptions {
  /** Milliseconds between two looks. */
  readonly pause: number;
  /** Ends it, also in the middle of a pause. */
  readonly signal: AbortSignal;
  /** Text that is printed before each look. */
  readonly head: () => string;
  readonly write: (text: string) => void;
  /** Called when a later look fails, for example while the state is being written. The look is then repeated. */
  readonly failed: (error: Error) => void;
}

/** Looks repeatedly and prints changes. Returns the last look, with exit code 1 if it failed. */
export async function follow(look: () => Promise<Look>, { pause, signal, head, write, failed }: FollowOptions): Promise<Look> {
  let last = await look();
  write(head() + last.text);
  while (!signal.aborted) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    try {
      const now = await look();
      if (now.text !== last.text) write(head() + now.text);
      last = now;
    } catch (error) {
      last = { ...last, exitCode: 1 };
      failed(error as Error);
    }
  }
  return last;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface WatchOptions extends Pick<FollowOptions, "pause"> {
  /** Command in messages, such as `status`. */
  readonly name: string;
  /** Whether looks are for programs: they are then printed one after the other. */
  readonly json: boolean;
}

/** Looks until a signal, or until the reader of the output ends. Returns the exit code of the last look. */
export async function watch(look: () => Promise<Look>, { pause, name, json }: WatchOptions): Promise<number> {
  const ending = new AbortController();
  let looking = false;
  // A host that does not answer would keep a look for half a minute.
  const end = (signal: (typeof SIGNALS)[number]) => (looking ? process.exit(codeOf(signal)) : ending.abort());
  const lookOnce = async () => {
    looking = true;
    try {
      return await look();
    } finally {
      looking = false;
    }
  };
  const onGone = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  process.stdout.on("error", onGone);
  try {
    const last = await follow(lookOnce, {
      pause,
      signal: ending.signal,
      head: json ? () => "" : head,
      write: (text) => print(text, json ? "json" : "visible"),
      failed: ({ message }) => printError(`pulumi-ovn ${name}: ${message}\n`),
    });
    return last.exitCode;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    process.stdout.off("error", onGone);
  }
}

/** On a terminal a look replaces the previous one; elsewhere it follows, with its time. */
function head(): string {
  return process.stdout.isTTY ? "\u001b[2J\u001b[H" : `--- ${new Date().toISOString()}\n`;
}
