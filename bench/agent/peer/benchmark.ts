import { join } from "node:path";
import { python } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { median, megabytes, ms, thousands } from "../../kit/measure";
import type { Benchmark, Result } from "../../kit/report";
import { ours, reference } from "./contenders";
import { WANTED } from "./network";
import { FAR, FAR_TIMES, IDLE, MOVES, NEAR, PROBE, type Turn, turn } from "./turn";

/** Turns of each agent. */
const TURNS = 2;

const VERSION = "7.0.0";

export const agentPeer: Benchmark = {
  name: "agent-peer",
  title: `The BGP agent compared with ovn-bgp-agent ${VERSION}`,
  method: `Two chassis of one OVN zone and a fabric with FRR, in a guest with VRF devices (user-mode Linux: times are about ten times those of a real machine). Each agent alone in a guest of its own, ${TURNS} turns each, alternating; rows as OpenStack Neutron writes them. The peer runs its Southbound driver with \`expose_tenant_networks\`. Row to leaf: from the commit of a Port_Binding to the route in a leaf's kernel, ${NEAR} rows each turn, northd and ovn-controller stopped. Move: a workload moves between the chassis, ${MOVES} times each turn, probed every ${PROBE} ms from outside. Processor time and memory: all processes of the agent on one chassis. Objects: what the agent wrote to the host that is still there.`,
  async run() {
    const requirements = join(projectRoot, "bench/agent/peer/requirements.txt");
    const peer = reference(await python(`ovn-bgp-agent-${VERSION}`, requirements, progress));
    const turns: Record<"ours" | "reference", Turn[]> = { ours: [], reference: [] };
    for (let round = 1; round <= TURNS; round++)
      for (const contender of [ours, peer]) turns[contender.name].push(await turn(contender, (text) => progress(`${contender.name}, turn ${round}: ${text}`)));
    return results(turns.ours, turns.reference);
  },
};

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);

function results(own: readonly Turn[], peer: readonly Turn[]): Result[] {
  const compared = (what: string, values: (turn: Turn) => readonly number[], shown: (value: number) => string, hasWorst = false): Result => {
    const [a, b] = [own.flatMap(values), peer.flatMap(values)];
    const text = (all: readonly number[]) => `${shown(median(all))}${hasWorst ? ` (worst ${shown(Math.max(...all))})` : ""}`;
    const [ratio, worst] = [median(a) / median(b), Math.max(...a) / Math.max(...b)];
    // Nothing left of nothing is a tie.
    return {
      what,
      ours: text(a),
      peer: text(b),
      ratio: Number.isNaN(ratio) ? "" : ratio.toFixed(2),
      goal: "at most 1",
      met: !(ratio > 1) && !(hasWorst && worst > 1),
    };
  };
  const count = (value: number) => String(value);
  return [
    learned(own, peer),
    compared("start, until everything is announced", (one) => [one.start], seconds),
    compared("row to leaf, announced", (one) => one.announced, ms, true),
    compared("row to leaf, withdrawn", (one) => one.withdrawn, ms, true),
    compared(`lost probes of a move, one each ${PROBE} ms`, (one) => one.lost, count, true),
    compared(`processor, ${2 * NEAR} changes of own ports`, (one) => [one.nearProcessor], seconds),
    compared(`processor, ${thousands(FAR * FAR_TIMES)} changes of ports of another network`, (one) => [one.farProcessor], seconds),
    compared(`processor, ${IDLE / 1000} s without changes`, (one) => [one.idleProcessor], seconds),
    compared("memory after the start", (one) => [one.idle.memory], megabytes),
    compared("memory in the end", (one) => [one.after.memory], megabytes),
    compared("restart after kill -9, until a removed address is withdrawn", (one) => [one.restart], seconds),
    compared("objects after kill -9", (one) => [one.killed.length], count),
    compared("objects after the agent's own removal", (one) => [one.removed.length], count),
  ];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

/** The prefixes that a leaf learned in each turn. */
function learned(own: readonly Turn[], peer: readonly Turn[]): Result {
  const least = (turns: readonly Turn[]) =>
    Math.min(...turns.map((one) => WANTED.filter((prefix) => one.learned.some((route) => route.startsWith(`${prefix} `))).length));
  const [a, b] = [least(own), least(peer)];
  const shown = (value: number) => `${value} of ${WANTED.length}`;
  return { what: "prefixes on a leaf", ours: shown(a), peer: shown(b), ratio: (a / b).toFixed(2), goal: "at least 1", met: a >= b };
}
