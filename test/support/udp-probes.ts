import { createInterface } from "node:readline";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";

/** A datagram to a namespace's UDP port. */
export interface Datagram {
  readonly to: string;
  readonly port: number;
  readonly size: number;
}

const ANSWERING = `
  const ports = process.argv.slice(1).map(Number);
  let open = 2 * ports.length;
  for (const port of ports) for (const type of ["udp4", "udp6"]) {
    const socket = require("dgram").createSocket({ type, ipv6Only: type === "udp6" });
    socket.on("message", (text, { address, port: from }) => socket.send(String(text.length), from, address));
    socket.bind(port, () => --open || console.log("ready"));
  }
  process.stdin.on("end", () => process.exit()).resume();`;

const ASKING = `
  const probes = JSON.parse(process.argv[1]);
  const { createSocket } = require("dgram");
  const { setTimeout: sleep } = require("timers/promises");
  const asked = async ({ to, port, size }) => {
    const socket = createSocket(to.includes(":") ? "udp6" : "udp4");
    let answered = false;
    socket.on("message", (text) => (answered ||= String(text) === String(size)));
    for (let tries = 0; tries < 10 && !answered; tries++) {
      socket.send(Buffer.alloc(size), port, to, () => {});
      await sleep(200);
    }
    socket.close();
    return answered;
  };
  Promise.all(probes.map(asked)).then((all) => console.log(JSON.stringify(all)));`;

/** Answers each datagram to these ports, of both families, with its size in a small one. */
export async function answering(sandbox: Sandbox, place: string, ...ports: number[]): Promise<AsyncDisposable> {
  const running = await sandbox.spawn(place, [process.execPath, "-e", ANSWERING, ...ports.map(String)], ["pipe", "pipe", "inherit"]);
  await new Promise((resolve) => running.process.stdout!.once("data", resolve));
  return {
    async [Symbol.asyncDispose]() {
      running.process.stdin!.end();
      await running.exit;
    },
  };
}

/** Which of the datagrams are answered, each sent until it is, ten times at most; all at the same time. */
export async function answered(sandbox: Sandbox, from: string, probes: readonly Datagram[]): Promise<Datagram[]> {
  const { stdout, stderr, code } = await sandbox.exec(from, [process.execPath, "-e", ASKING, JSON.stringify(probes)], { timeout: 30_000 });
  if (code !== 0) throw new Error(stderr);
  const verdicts = JSON.parse(stdout) as boolean[];
  return probes.filter((_, index) => verdicts[index]);
}

const CONVERSING = `
  const [to, port] = process.argv.slice(1);
  const { setTimeout: sleep } = require("timers/promises");
  const socket = require("dgram").createSocket(to.includes(":") ? "udp6" : "udp4");
  let answers = 0;
  socket.on("message", () => answers++);
  require("readline").createInterface({ input: process.stdin }).on("line", async (count) => {
    answers = 0;
    for (let sent = 0; sent < Number(count); sent++) {
      socket.send("x", Number(port), to, () => {});
      await sleep(20);
    }
    await sleep(300);
    console.log(answers);
  }).on("close", () => process.exit());`;

/** Datagrams from one port of a namespace to one of another: a connection, as conntrack has it. */
export class Conversation implements AsyncDisposable {
  private constructor(
    private readonly running: Running,
    private readonly lines: AsyncIterator<string>,
  ) {}

  static async start(sandbox: Sandbox, from: string, to: string, port: number): Promise<Conversation> {
    const running = await sandbox.spawn(from, [process.execPath, "-e", CONVERSING, to, String(port)], ["pipe", "pipe", "inherit"]);
    return new Conversation(running, createInterface(running.process.stdout!)[Symbol.asyncIterator]());
  }

  /** Sends so many datagrams, 20 ms apart; how many are answered. */
  async answers(count: number): Promise<number> {
    this.running.process.stdin!.write(`${count}\n`);
    return Number((await this.lines.next()).value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.running.process.stdin!.end();
    await this.running.exit;
  }
}
