import { Group, type ShellOutput } from "./group";

/** Result of an ended program. */
export interface Ended extends ShellOutput {
  readonly status: number | NodeJS.Signals;
}

export interface RunOptions {
  readonly input: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program to its end, as a group. Throws StartError, TimedOut, or the reason of the signal. */
export async function runGroup(command: readonly string[], { input, timeout, signal }: RunOptions): Promise<Ended> {
  const { status, ...said } = await new Group(command, signal).ask({ input, timeout });
  return { status: status!, ...said };
}
