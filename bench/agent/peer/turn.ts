import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GuestSandbox, Uml } from "@pulumi-ovn/sandbox";
import type { Changes } from "./changes-child";
import { type Contender, EXPOSURE } from "./contenders";
import { AgentHost, type Usage } from "./host";
import { Leaf } from "./leaf";
import { announcedPort, networkScript, provider, remotePort, secondCable, tenant } from "./network";

/** Ports that change their chassis; ports of another chassis that change `up`, and how often all of them do. */
export const NEAR = 20;
export const FAR = 50;
export const FAR_TIMES = 20;
/** Moves of a workload between two chassis. */
export const MOVES = 4;
/** Milliseconds between probes of a workload that moves. */
export const PROBE = 50;
/** Milliseconds for which they are sent. */
const MOVING = 15_000;
/** Milliseconds in which an agent has nothing to do. */
export const IDLE = 30_000;
/** Milliseconds that an agent has for its first announcements, and for others. */
const STARTED = 300_000;

const MODULES = ["drivers/net/dummy", "net/802/mrp", "net/802/garp", "net/8021q/8021q", "fs/overlayfs/overlay"];

/** Measurements of one turn of an agent. Times in milliseconds. */
export interface Turn {
  /** From the start of the program to the last of the first announcements that it makes. */
  readonly start: number;
  /** Prefixes on a leaf. */
  readonly learned: readonly string[];
  readonly idle: Usage;
  readonly after: Usage;
  /** Processor time while nothing changes. */
  readonly idleProcessor: number;
  /** Lost probes of each move. */
  readonly lost: readonly number[];
  /** From the commit of a row to the leaf's route. */
  readonly announced: readonly number[];
  readonly withdrawn: readonly number[];
  /** Processor time of those changes. */
  readonly nearProcessor: number;
  /** Processor time of changes of ports of another network. */
  readonly farProcessor: number;
  /** Objects on the host after kill -9, and after the agent's own removal. */
  readonly killed: readonly string[];
  readonly removed: readonly string[];
  /** From the restart after kill -9 to the withdrawal of an address that was removed meanwhile. */
  readonly restart: number;
}

/** Runs one agent in a guest of its own. */
export async function turn(contender: Contender, report: (text: string) => void): Promise<Turn> {
  await using guest = await Uml.boot({ modules: MODULES });
  const sandbox = await GuestSandbox.up(guest, { name: "peer", hosts: 2, hostsPerZone: 2, fabric: true, workloads: [provider, tenant] });
  const [first, second] = ["node1", "node2"].map((name) => new AgentHost(sandbox, name, contender)) as [AgentHost, AgentHost];
  const leaf = new Leaf(first);
  const changes = async (rest: Pick<Changes, "ports" | "chassis" | "times" | "pause" | "routes">) =>
    JSON.parse(await sandbox.node([require.resolve("./changes-child")], { southbound: `unix:${sandbox.folder}/node1/ovnsb_db.sock`, ...rest })) as number[];
  try {
    await prepare(first, second, contender);
    const before = await first.objects();
    await leaf.record();
    const began = await first.start();
    await second.start();
    await until(async () => (await leaf.routes()).filter((route) => route.endsWith("node1")).length >= 6);
    await sleep(10_000);
    const learned = await leaf.routes();
    const start = Math.max(...(await leaf.changes()).map(({ at }) => at)) - began;
    report(`announced after ${start.toFixed(0)} ms: ${learned.join(", ")}`);

    const idle = await first.usage();
    await sleep(IDLE);
    const idleProcessor = (await first.usage()).processor - idle.processor;
    report(`idle: ${JSON.stringify(idle)}, ${idleProcessor} ms`);

    const lost: number[] = [];
    for (let move = 0; move < MOVES; move++) lost.push(await lostProbes(first, move % 2 === 0 ? "node2" : "node1"));
    report(`lost: ${lost.join(", ")}`);

    // The rows of the following changes have no interfaces; OVN would set them right.
    await first.run("ovn-sbctl chassis-add node3 geneve 198.18.0.9");
    for (const host of [first, second])
      await host.run("for pid in ovn-controller.pid ovn-northd.pid; do if [ -e $pid ]; then kill -s STOP $(cat $pid); fi; done");
    const near = Array.from({ length: NEAR }, (_, index) => announcedPort(index));
    const [names, addresses] = [near.map(({ name }) => name), near.map(({ address }) => address)];
    const routes = { file: join(sandbox.folder, "leaf1", Leaf.file), addresses };
    const beforeNear = await first.usage();
    const up = await changes({ ports: names, chassis: "node1", times: 1, pause: 500, routes });
    const down = await changes({ ports: names, chassis: null, times: 1, pause: 500, routes });
    const nearProcessor = (await first.usage()).processor - beforeNear.processor;
    const seen = await leaf.changes();
    const delays = (made: readonly number[], isDeleted: boolean) =>
      made.map(
        (at, index) =>
          (seen.find((change) => change.address === addresses[index] && change.isDeleted === isDeleted && change.at > at - 50)?.at ?? Infinity) - at,
      );
    const [announced, withdrawn] = [delays(up, false), delays(down, true)];
    report(`row to leaf: ${announced.map(Math.round).join(" ")}; ${withdrawn.map(Math.round).join(" ")}; processor ${nearProcessor} ms`);

    const far = Array.from({ length: FAR }, (_, index) => remotePort(index).name);
    await changes({ ports: far, chassis: "node3", times: 1, pause: 0 });
    await sleep(3_000);
    const beforeFar = await first.usage();
    await changes({ ports: far, times: FAR_TIMES, pause: 10 });
    await sleep(3_000);
    const after = await first.usage();
    const farProcessor = after.processor - beforeFar.processor;
    report(`elsewhere: ${farProcessor} ms; ${JSON.stringify(after)}`);

    await changes({ ports: names.slice(0, 1), chassis: "node1", times: 1, pause: 500, routes });
    await first.end("KILL");
    const killed = [...(await first.objects())].filter((object) => !before.has(object));
    await changes({ ports: names.slice(0, 1), chassis: null, times: 1, pause: 0 });
    const again = await first.start();
    const gone = async () => (await leaf.changes()).find(({ at, address, isDeleted }) => isDeleted && address === addresses[0] && at > again);
    await until(gone);
    const restart = (await gone())!.at - again;
    await first.end("TERM");
    if (contender.withdraw !== undefined) await first.run(contender.withdraw);
    const removed = [...(await first.objects())].filter((object) => !before.has(object));
    report(`restart ${restart.toFixed(0)} ms; left ${killed.length} after kill -9, ${removed.length} after removal`);
    return { start, learned, idle, after, idleProcessor, lost, announced, withdrawn, nearProcessor, farProcessor, killed, removed, restart };
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}\n${await first.log().catch(() => "")}`, { cause: error });
  }
}

async function prepare(first: AgentHost, second: AgentHost, contender: Contender): Promise<void> {
  await first.run(networkScript(NEAR, FAR));
  const [cable, inside] = secondCable("$(cat ../p1/pid)");
  await second.run(cable);
  await first.run(inside, "p1");
  await first.run(`ovn-nbctl --wait=hv set NB_Global . 'options:"pulumi-ovn-bgp:bench"=${JSON.stringify(JSON.stringify(EXPOSURE))}'`);
  for (const host of [first, second]) await host.run(contender.prepare);
}

async function until(isDone: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + STARTED;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("no answer in time");
    await sleep(500);
  }
}

/** Moves the workload to a chassis, as a live migration does: probes from outside that had no answer. */
async function lostProbes(host: AgentHost, to: "node1" | "node2"): Promise<number> {
  const count = MOVING / PROBE;
  const [from, cable] = to === "node1" ? ["other", "first"] : ["first", "other"];
  const text = await host.run(
    `(sleep 3
printf 'link set ${from} nomaster\\nlink set ${cable} master eth0\\n' | nsenter --target "$(cat ../p1/pid)" --net ip -batch -
OVN_NB_DB=unix:$PWD/../node1/ovnnb_db.sock ovn-nbctl lsp-set-options p1 requested-chassis=${to}) &
ping -n -q -c ${count} -i ${PROBE / 1000} -W 2 198.51.100.11 | sed -n 's/.* \\([0-9]*\\) received.*/\\1/p'`,
    "ext",
  );
  return count - Number(text);
}
