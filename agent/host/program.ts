import { TimedOut, type Ended, runGroup, StartError } from "@pulumi-ovn/provider/agent";
import { lastLine } from "./problems";

/** Environment in which programs of the host run. */
export interface ProgramEnvironment {
  readonly command: readonly string[];
  /** FRR's. */
  readonly vtysh?: string | undefined;
  /** Folder of the sockets of FRR's daemons. Undefined: only vtysh reaches the daemons. */
  readonly sockets?: string | undefined;
  /** Seconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Seconds for programs that only read. They must not delay the rest of a round, which withdraws removed routes. */
const READING = 5;

/** Environment for programs that only read. */
export const reading = (environment: ProgramEnvironment): ProgramEnvironment => ({ ...environment, timeout: Math.min(environment.timeout, READING) });

/** A program could not be run to its end. */
export class ProgramError extends Error {
  /** @param started it was started, and has not ended in time */
  constructor(
    message: string,
    readonly started = false,
  ) {
    super(message);
  }
}

/**
 * Runs a program to its end, whatever its status. Throws a ProgramError where it could not be run, or did not end in time; and
 * the signal's reason.
 */
export async function run({ command, timeout, signal }: ProgramEnvironment, argv: readonly string[], input = ""): Promise<Ended> {
  try {
    return await runGroup([...command, ...argv], { input, timeout: timeout * 1000, signal });
  } catch (error) {
    if (error instanceof StartError) throw new ProgramError(`${argv[0]} can't be run: ${error.code}`);
    if (error instanceof TimedOut) throw new ProgramError(`${argv[0]} did not end within ${timeout} s`, true);
    throw error;
  }
}

/** Last output of a failed program, otherwise its exit code. */
export function lastOutput(name: string, { status, stderr, stdout }: Ended): string {
  return lastLine(stderr) || lastLine(stdout) || `${name} ended with ${status}`;
}
