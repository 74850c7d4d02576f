import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Bound } from "./bound";
import { originalMatch } from "./connection-state";

/** Milliseconds that the program may take to read the flows, and to answer. */
const PATIENCE = 60_000;

/** A flow that ovn-trace leaves out. ovn-controller, too, leaves out flows that name a set without contents. */
const UNREAD = /\|WARN\|(.*): parsing expression failed \((?!.*expecting (?:address set|port group) name)/;

interface TracerOptions {
  /** Path of ovn-trace. */
  readonly program: string;
  /** Endpoint of the Southbound database. */
  readonly database: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * ovn-trace(8) in the background. It reads the flows once and then answers each question in about a millisecond. For it, every connection is
 * established; see `makeTraceable`.
 */
export class Tracer {
  private constructor(
    private readonly socket: string,
    private readonly bound: Bound,
  ) {}

  /** Changes of the database after the start have no effect. */
  static async start({ program, database, folder, env }: TracerOptions): Promise<Tracer> {
    const [socket, pid, ready, log] = ["trace.ctl", "trace.pid", "trace.ready", "ovn-trace.log"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await Promise.all([socket, pid, ready, log].map((path) => rm(path, { force: true })));
    const bound = Bound.daemon(program, [`--db=${database}`, "--select-id=1", `--unixctl=${socket}`], { pid, ready, log }, env);
    for (const until = performance.now() + PATIENCE; !existsSync(ready); await sleep(5)) {
      if (performance.now() < until) continue;
      await bound.end();
      throw new Error("it did not start");
    }
    const [, unread] = UNREAD.exec(await readFile(log, "utf8")) ?? [];
    if (unread === undefined) return new Tracer(socket, bound);
    await bound.end();
    throw new Error(`it can't read the match ${originalMatch(unread)}`);
  }

  /** Output of ovn-trace for a packet. */
  async trace(datapath: string, flow: string): Promise<string> {
    const socket = connect(this.socket);
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error("it did not answer")));
    socket.write(JSON.stringify({ id: 0, method: "trace", params: [datapath, flow] }));
    let reply = "";
    socket.setEncoding("utf8");
    for await (const chunk of socket) {
      reply += chunk as string;
      const { result, error } = (parsed(reply) ?? {}) as { result?: string | null; error?: string | null };
      if (error) throw new Error(error);
      if (result !== undefined && result !== null) return result;
    }
    throw new Error("it closed the connection");
  }

  end(): Promise<void> {
    return this.bound.end();
  }
}

/** Undefined for a part of a reply. */
function parsed(reply: string): unknown {
  try {
    return reply.endsWith("}") ? JSON.parse(reply) : undefined;
  } catch {
    return undefined;
  }
}
