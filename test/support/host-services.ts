import { once } from "node:events";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";

/** A server's answer: the source address that the server saw, and the address that the client is connected to. */
export interface Answer {
  readonly seen: string;
  readonly asked: string;
}

const SERVER = `
const server = require("net").createServer((socket) => socket.on("error", () => {}).end(socket.remoteAddress.replace("::ffff:", "")));
server.listen(Number(process.argv[1]), "::", () => console.log("ready"));`;

/** One of twenty connections may be lost, and is retried. A broken path loses more connections than that. */
const CLIENT = `
const [host, port, count, patience] = process.argv.slice(1);
const once = () => new Promise((resolve) => {
  const socket = require("net").connect({ host, port: Number(port) });
  let text = "", asked = "";
  const done = (answer) => { clearTimeout(timer); socket.destroy(); resolve(answer); };
  const timer = setTimeout(() => done(null), Number(patience));
  socket.on("connect", () => (asked = socket.remoteAddress)).on("data", (data) => (text += data)).on("end", () => done({ seen: text, asked })).on("error", () => done(null));
});
(async () => {
  const answers = [];
  let spare = Math.floor(Number(count) / 20);
  while (answers.length < Number(count)) {
    const answer = await once();
    if (answer !== null || spare-- <= 0) answers.push(answer);
  }
  console.log(JSON.stringify(answers));
})();`;

/** Starts a TCP server in a namespace. It sends each client the client's source address. */
export async function serve(sandbox: Sandbox, place: string, port: number): Promise<AsyncDisposable> {
  const server: Running = await sandbox.spawn(place, [process.execPath, "-e", SERVER, String(port)]);
  await Promise.race([once(server.process.stdout!, "data"), server.exit]);
  return {
    async [Symbol.asyncDispose]() {
      server.signal("SIGKILL");
      await server.exit;
    },
  };
}

/** Milliseconds: long enough for several retransmissions, so that on a busy machine a lost packet does not look like no way at all. */
const PATIENCE = 8_000;

/** Connects so many times, one after the other; null for a connection that failed. */
export async function ask(sandbox: Sandbox, place: string, host: string, port: number, count: number, patience = PATIENCE): Promise<(Answer | null)[]> {
  const { stdout } = await sandbox.exec(place, [process.execPath, "-e", CLIENT, host, String(port), String(count), String(patience)], {
    timeout: 60_000 + count * patience,
  });
  return JSON.parse(stdout) as (Answer | null)[];
}

/** A client's namespace, and the server that it connects to. */
export interface Way {
  readonly place: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Like `ask`, with as many parallel connections of a control that the tested change cannot affect. The machine is the cause of the
 * control's losses, so the same number of failed connections is retried.
 */
export async function askBeside(control: Way, sandbox: Sandbox, { place, host, port }: Way, count: number): Promise<(Answer | null)[]> {
  const [answers, others] = await Promise.all([ask(sandbox, place, host, port, count), ask(sandbox, control.place, control.host, control.port, count)]);
  const excused = others.filter((answer) => answer === null).length;
  // A control without answers would excuse everything.
  if (excused > count / 2) throw new Error(`the control does not work: ${excused} of ${count} connections from ${control.place} to ${control.host} failed`);
  const failed = answers.flatMap((answer, index) => (answer === null ? [index] : [])).slice(0, excused);
  for (const index of failed) answers[index] = (await ask(sandbox, place, host, port, 1))[0]!;
  return answers;
}

/** Until a first connection holds: neighbours are resolved by the first packets. */
export async function reachable(sandbox: Sandbox, place: string, host: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) if ((await ask(sandbox, place, host, port, 1, 2_000))[0]) return;
  throw new Error(`${place} does not reach ${host} port ${port}`);
}

/** Lines that tcpdump prints of packets to or from a port on these interfaces of a host while `work` runs; inside of tunnels, too. */
export async function packetsOf(
  sandbox: Sandbox,
  host: string,
  interfaces: readonly string[],
  port: number,
  work: () => Promise<void>,
): Promise<Record<string, string[]>> {
  const captures = await Promise.all(interfaces.map((name) => capture(sandbox, host, name)));
  await work();
  const texts = await Promise.all(captures.map((stop) => stop()));
  return Object.fromEntries(texts.map((text, index) => [interfaces[index]!, text.split("\n").filter((line) => new RegExp(`\\.${port}( >|:)`).test(line))]));
}

async function capture(sandbox: Sandbox, host: string, name: string): Promise<() => Promise<string>> {
  const running = await sandbox.spawn(host, ["tcpdump", "-n", "-l", "--immediate-mode", "-i", name, "tcp or udp"]);
  let text = "";
  running.process.stdout!.on("data", (data: Buffer) => (text += data.toString()));
  await Promise.race([once(running.process.stderr!, "data"), running.exit]);
  return async () => {
    running.signal("SIGINT");
    await running.exit;
    return text;
  };
}
