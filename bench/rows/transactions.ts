import { connect as connectSocket } from "node:net";
import { connect, type Operation } from "@pulumi-ovn/ovsdb-client";
import { startCentral } from "@pulumi-ovn/sandbox";
import { inTurns, thousands } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";

const OPERATIONS: Operation[] = [{ op: "select", table: "NB_Global", where: [], columns: ["name"] }];
const COUNT = 20_000;

/** Keeps `depth` transactions in progress until COUNT are done; returns transactions per second. */
async function rate(depth: number, transact: () => Promise<unknown>): Promise<number> {
  let left = COUNT;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: depth }, async () => {
      while (left-- > 0) await transact();
    }),
  );
  return (COUNT / (performance.now() - start)) * 1000;
}

/** The least that can speak RFC 7047: no checks, no timeouts, no errors. Replies come in the order of requests. */
async function rawPeer(path: string): Promise<{ transact: () => Promise<unknown>; close: () => void }> {
  const socket = connectSocket(path);
  await new Promise((resolve) => socket.once("connect", resolve));
  const waiting: ((reply: unknown) => void)[] = [];
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    let start = 0;
    let depth = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 0x7b) depth++;
      else if (code === 0x7d && --depth === 0) {
        waiting.shift()!(JSON.parse(text.slice(start, index + 1)));
        start = index + 1;
      }
    }
    text = text.slice(start);
  });
  let id = 0;
  const transact = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write(JSON.stringify({ id: id++, method: "transact", params: ["OVN_Northbound", ...OPERATIONS] }));
    });
  return { transact, close: () => socket.destroy() };
}

export const transactions: Benchmark = {
  name: "transactions",
  title: "Transactions over a unix socket",
  method: `${thousands(COUNT)} selects of one row, in turns with a raw script that writes JSON and counts braces; medians of five rounds.`,
  async run() {
    await using central = await startCentral({ northd: false });
    const client = await connect(central.northbound, { database: "OVN_Northbound" });
    const peer = await rawPeer(central.northbound.replace(/^unix:/, ""));
    const results: Result[] = [];
    for (const depth of [1, 64]) {
      const measured = await inTurns(
        5,
        () => rate(depth, () => client.transact(OPERATIONS)),
        () => rate(depth, peer.transact),
      );
      const ratio = measured.ours / measured.peer;
      results.push({
        what: depth === 1 ? "one at a time" : `${depth} deep`,
        ours: `${thousands(measured.ours)}/s`,
        peer: `raw script ${thousands(measured.peer)}/s`,
        ratio: ratio.toFixed(2),
        goal: "at least 0.9",
        met: ratio >= 0.9,
      });
    }
    peer.close();
    await client.close();
    return results;
  },
};
