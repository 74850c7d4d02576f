import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Bound } from "./bound";
import { originalMatch } from "../connection-state";
import { CommandRefused, runCommand } from "./unixctl";

/** Milliseconds that the program may take to read the flows. */
const PATIENCE = 60_000;

/** A flow that ovn-trace leaves out. ovn-controller, too, leaves out flows that name a set without contents. */
const UNREAD = /\|WARN\|(.*): parsing expression failed \((?!.*expecting (?:address set|port group) name)/;

/** The program does not answer a question, or dies of it. */
export class NoAnswer extends Error {
  constructor(message = "ovn-trace does not end, probably because packets multiply in a loop") {
    super(message);
  }
}

interface TracerOptions {
  /** Path of ovn-trace. */
  readonly program: string;
  /** Endpoint of the Southbound database. */
  readonly database: string;
  readonly folder: string;
  /** Name of the program's files in the folder; unique among running tracers. */
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * ovn-trace(8) in the background. It reads the flows once and then answers each question in about a millisecond. For it, every connection is
 * established; see `traceableChanges`.
 */
export class Tracer {
  private constructor(
    private readonly socket: string,
    private readonly bound: Bound,
  ) {}

  /** Changes of the database after the start have no effect. Throws {@link NoAnswer} if the program leaves out a flow. */
  static async start({ program, database, folder, name, env }: TracerOptions): Promise<Tracer> {
    const [socket, pid, ready, log] = ["ctl", "pid", "ready", "log"].map((suffix) => join(folder, `${name}.${suffix}`)) as [string, string, string, string];
    await Promise.all([socket, pid, ready, log].map((path) => rm(path, { force: true })));
    const bound = Bound.daemon(program, [`--db=${database}`, "--select-id=1", `--unixctl=${socket}`], { pid, ready, log }, env);
    try {
      await bound.ready(() => existsSync(ready), PATIENCE);
    } catch (error) {
      await bound.end();
      throw new Error(await bound.reason(error as Error));
    }
    const [, unread] = UNREAD.exec(await readFile(log, "utf8")) ?? [];
    if (unread === undefined) return new Tracer(socket, bound);
    await bound.end();
    throw new NoAnswer(`ovn-trace does not read the match ${originalMatch(unread)}`);
  }

  /** Output of ovn-trace for a packet. Throws {@link NoAnswer}, also if another question has ended the program. */
  async trace(datapath: string, flow: string): Promise<string> {
    const answer = await runCommand(this.socket, "trace", [datapath, flow]).catch((error: unknown) => {
      if (error instanceof CommandRefused) throw error;
      return undefined;
    });
    if (answer === undefined) throw new NoAnswer();
    return answer;
  }

  end(): Promise<void> {
    return this.bound.end();
  }
}
