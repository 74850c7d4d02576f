import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import type { Sample } from "../support/flow-sender";

/** Port of the services behind load balancers. */
export const SERVICE_PORT = 8080;
const TALK_PORT = 8081;
/** Below those that Linux opens connections from. */
const PORTS = { first: 20_000, count: 500 } as const;
/** Linux begins again with a client's ports after some 3000 connections to one port. */
const MANY = 20;

let used = 0;
/**
 * The first of so many ports in a row that no round of connections has used lately. A server remembers address and port of connections
 * whose end got lost, for minutes; workloads behind an egress address have the same ones after each other, by chance, and with them the
 * server takes a new connection for the old one. Connection tracking in the userspace datapath drops what ends this as invalid, so the
 * new one never comes to be: what one test has lost, the next one would lose again.
 */
function freshPorts(count = 1): number {
  if ((used % PORTS.count) + count > PORTS.count) used = 0;
  const first = PORTS.first + (used % PORTS.count);
  used += count;
  return first;
}

/**
 * Answers every connection with the address that it came from; one port continues answering, line by line. The client closes
 * first: a server that did would remember address and port for a minute, and refuse them to the next workload behind the
 * same egress address, whose translation by another node knows nothing of it.
 */
const SERVER = `
const net = require("net");
const from = (socket) => socket.remoteAddress.replace(/^::ffff:/, "");
const answer = (socket) => { socket.on("error", () => {}); socket.write(from(socket)); };
const talk = (socket) => { socket.on("error", () => {}); socket.on("data", () => socket.write(from(socket) + "\\n")); };
const all = [[${TALK_PORT}, talk], [${SERVICE_PORT}, answer], ...Array.from({ length: ${PORTS.count} }, (_, index) => [${PORTS.first} + index, answer])];
let left = all.length;
for (const [port, serve] of all) net.createServer(serve).listen(port, "::", 512, () => { if (--left === 0) console.log("ready"); });
`;

/**
 * Makes COUNT connections to HOST, in turn to the SPAN ports from PORT on, EACH milliseconds apart (0: forty at a time). A
 * connection fails after PATIENCE. Prints how often each answer came, and for each connection its start and the time until the answer.
 */
const CLIENT = `
const net = require("net");
const [host, port, span, count, each, patience] = process.argv.slice(1);
const tally = {}, samples = [];
let left = Number(count), active = 0;
const one = (then) => {
  left--; active++;
  let text = "";
  const sample = { at: Date.now() };
  samples.push(sample);
  const socket = net.connect({ host, port: Number(port) + (samples.length % Number(span)) });
  socket.setTimeout(Number(patience), () => socket.destroy(new Error("timeout")));
  socket.on("data", (data) => { sample.took ??= Date.now() - sample.at; text += data; socket.end(); });
  socket.on("error", (error) => { text ||= error.message === "timeout" ? "timeout" : error.code || "error"; });
  socket.on("close", () => {
    tally[text] = (tally[text] || 0) + 1;
    active--;
    then();
    if (left <= 0 && active === 0) { console.log(JSON.stringify({ tally, samples })); process.exit(); }
  });
};
if (Number(each) === 0) { const next = () => { if (left > 0) one(next); }; for (let i = 0; i < 40; i++) next(); }
else {
  const timer = setInterval(() => { if (left > 0) one(() => {}); else clearInterval(timer); }, Number(each));
  process.stdin.on("end", () => { left = Math.min(left, 1); }).resume(); // one more, after which it ends
}
`;

/** COUNT connections that talk every 50 ms until standard input ends. */
const TALKERS = `
const net = require("net");
const [host, count] = process.argv.slice(1);
const all = [];
const start = () => {
  const state = { from: new Set(), broken: false, silence: 0, last: performance.now() };
  const socket = net.connect({ host, port: ${TALK_PORT}, noDelay: true });
  socket.on("data", (data) => {
    const now = performance.now();
    state.silence = Math.max(state.silence, now - state.last);
    state.last = now;
    for (const line of String(data).trim().split("\\n")) state.from.add(line);
  });
  socket.on("error", () => { state.broken = true; });
  socket.on("close", () => { state.broken = true; });
  const timer = setInterval(() => { if (!state.broken) socket.write("x"); else clearInterval(timer); }, 50);
  all.push(state);
};
for (let i = 0; i < Number(count); i++) start();
const watch = setInterval(() => { if (all.every((state) => state.broken || state.from.size > 0)) { clearInterval(watch); console.log("talking"); } }, 20);
process.stdin.on("end", () => {
  // Every living connection answers once more; on a busy machine TCP may wait long before it sends again.
  const ended = performance.now();
  for (const state of all) state.asked = state.last;
  const watch = setInterval(() => {
    if (all.some((state) => !state.broken && state.last === state.asked) && performance.now() - ended < 60_000) return;
    clearInterval(watch);
    const alive = all.filter((state) => !state.broken && state.last > state.asked && state.from.size === 1);
    console.log(JSON.stringify({ alive: alive.length, silence: Math.round(Math.max(0, ...alive.map((state) => state.silence))) }));
    process.exit();
  }, 100);
}).resume();
`;

export interface Answers {
  /** How often each answer came: source addresses as the server saw them, or why there was none. */
  readonly tally: Readonly<Record<string, number>>;
  /** Each connection, as a probe: without `took` it was not answered. */
  readonly samples: readonly Sample[];
}

export interface Talk {
  /** Connections that live to the end, and kept one source address. */
  readonly alive: number;
  /** Longest time, in ms, without an answer on a living connection. */
  readonly silence: number;
}

export async function serve(sandbox: Sandbox, place: string): Promise<Running> {
  const running = await sandbox.spawn(place, [process.execPath, "-e", SERVER]);
  await said(running, "ready");
  return running;
}

/** Long enough for several retransmissions: on a busy machine a lost packet must not look like no way at all. */
export const PATIENCE = "20000";

export async function connections(sandbox: Sandbox, from: string, host: string, count: number, patience = PATIENCE, port = freshPorts()): Promise<Answers> {
  const argv = [process.execPath, "-e", CLIENT, host, String(port), "1", String(count), "0", patience];
  const { code, stdout, stderr } = await sandbox.exec(from, argv, { timeout: 120_000 });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Answers;
}

/**
 * All connections were answered, with these sources only, and each of them had its share. One in a hundred may be lost: a SYN
 * that a busy machine drops can't be made good (see `acquainted`), and a way that is broken loses a source's whole share.
 */
export function expectSpread({ tally }: Answers, count: number, ...sources: string[]): void {
  const { timeout = 0, ...answered } = tally;
  expect(Object.keys(answered).sort()).toEqual(sources.toSorted());
  expect(timeout).toBeLessThanOrEqual(Math.ceil(count / 100));
  expect(Object.values(tally).reduce((sum, share) => sum + share, 0)).toBe(count);
  for (const share of Object.values(answered)) expect(share).toBeGreaterThan(count / sources.length / 2 - 1);
}

/**
 * Connects until every connection of a round is answered. The routers on the path have then learned their neighbours, and an IPv6
 * workload has learned its router. A loss before that is not a defect of the network under test, but it lasts: a SYN that is sent again
 * because the gateway router dropped its answer passes a load balancer without `lb_force_snat_ip`. (OVN knows the connection by then,
 * and translates its destination before it looks for the balancer.) Such a connection is never established.
 */
export async function acquainted(sandbox: Sandbox, from: string, host: string, count = 5, port?: number): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { tally } = await connections(sandbox, from, host, count, "1500", port);
    if (Object.keys(tally).every((answer) => isIP(answer) !== 0)) return;
    await sleep(300);
  }
  throw new Error(`${from} has no way to ${host}`);
}

/** Milliseconds between two connections of `continuously`. */
export const APART = 10;

/** Makes one connection after the other. The returned function stops this and returns the answers. */
export async function continuously(sandbox: Sandbox, from: string, host: string): Promise<() => Promise<Answers>> {
  const running = await sandbox.spawn(from, [process.execPath, "-e", CLIENT, host, String(freshPorts(MANY)), String(MANY), "1000000", String(APART), PATIENCE]);
  return ended<Answers>(running);
}

/** Opens lasting connections. The returned function ends them and returns how many survived. */
export async function talkers(sandbox: Sandbox, from: string, host: string, count: number): Promise<() => Promise<Talk>> {
  const running = await sandbox.spawn(from, [process.execPath, "-e", TALKERS, host, String(count)]);
  const end = ended<Talk>(running);
  await said(running, "talking");
  return end;
}

function said(running: Running, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    running.process.stdout!.on("data", (data: Buffer) => {
      if (data.toString().includes(word)) resolve();
    });
    running.process.once("close", () => reject(new Error(`ended before it said ${word}`)));
  });
}

function ended<T>(running: Running): () => Promise<T> {
  let text = "";
  running.process.stdout!.on("data", (data: Buffer) => (text += data.toString()));
  return async () => {
    running.process.stdin!.end();
    await running.exit;
    return JSON.parse(text.trim().split("\n").at(-1)!) as T;
  };
}
