import { createInterface } from "node:readline";
import { join } from "node:path";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";

/** A server in a namespace. */
export interface Server {
  readonly protocol: "tcp" | "udp";
  readonly port: number;
  /** Own addresses of the namespace. */
  readonly hosts: readonly string[];
}

/** A connection that a namespace opens. */
export interface Connection {
  readonly protocol: "icmp" | "tcp" | "udp";
  readonly source: string;
  readonly address: string;
  readonly port?: number;
  /** Milliseconds without an answer after which the connection counts as lost. */
  readonly patience: number;
}

/** Answer to a connection: the namespace that answers and the sender's address there, empty for ICMP. Null: no answer. */
export type Reply = string | null;

interface Agent {
  readonly running: Running;
  readonly lines: AsyncIterator<string>;
}

/** Programs in the namespaces of a sandbox that open and answer connections. */
export class Agents implements AsyncDisposable {
  private constructor(private readonly agents: ReadonlyMap<string, Agent>) {}

  static async start(sandbox: Sandbox, places: readonly string[]): Promise<Agents> {
    const started = places.map(async (place) => {
      const running = await sandbox.spawn(place, [process.execPath, join(__dirname, "agent.js"), place], ["pipe", "pipe", "inherit"]);
      return [place, { running, lines: createInterface(running.process.stdout!)[Symbol.asyncIterator]() }] as const;
    });
    return new Agents(new Map(await Promise.all(started)));
  }

  async listen(place: string, servers: readonly Server[]): Promise<void> {
    await this.#ask(place, { listen: servers });
  }

  /** Opens all connections of a namespace at the same time. */
  open(place: string, connections: readonly Connection[]): Promise<Reply[]> {
    return this.#ask(place, { open: connections });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { running } of this.agents.values()) running.process.stdin!.end();
    await Promise.all([...this.agents.values()].map(({ running }) => running.exit));
  }

  async #ask(place: string, request: object): Promise<Reply[]> {
    const { running, lines } = this.agents.get(place)!;
    running.process.stdin!.write(`${JSON.stringify(request)}\n`);
    const { answers, error } = JSON.parse((await lines.next()).value as string) as { answers: Reply[]; error?: string };
    if (error !== undefined) throw new Error(`${place}: ${error}`);
    return answers;
  }
}
