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

interface Sender {
  readonly running: Running;
  readonly lines: AsyncIterator<string>;
}

/** Programs in the namespaces of a sandbox that open and answer connections. */
export class Senders implements AsyncDisposable {
  private constructor(private readonly senders: ReadonlyMap<string, Sender>) {}

  static async start(sandbox: Sandbox, namespaces: readonly string[]): Promise<Senders> {
    const started = namespaces.map(async (namespace) => {
      const running = await sandbox.spawn(namespace, [process.execPath, join(__dirname, "sender.js"), namespace], ["pipe", "pipe", "inherit"]);
      return [namespace, { running, lines: createInterface(running.process.stdout!)[Symbol.asyncIterator]() }] as const;
    });
    return new Senders(new Map(await Promise.all(started)));
  }

  async listen(namespace: string, servers: readonly Server[]): Promise<void> {
    await this.#ask(namespace, { listen: servers });
  }

  /** Opens all connections of a namespace at the same time. */
  open(namespace: string, connections: readonly Connection[]): Promise<Reply[]> {
    return this.#ask(namespace, { open: connections });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { running } of this.senders.values()) running.process.stdin!.end();
    await Promise.all([...this.senders.values()].map(({ running }) => running.exit));
  }

  async #ask(namespace: string, request: object): Promise<Reply[]> {
    const { running, lines } = this.senders.get(namespace)!;
    running.process.stdin!.write(`${JSON.stringify(request)}\n`);
    const { answers, error } = JSON.parse((await lines.next()).value as string) as { answers: Reply[]; error?: string };
    if (error !== undefined) throw new Error(`${namespace}: ${error}`);
    return answers;
  }
}
