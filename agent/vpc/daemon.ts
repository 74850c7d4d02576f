import { setTimeout as sleep } from "node:timers/promises";
import { type OvsdbClient, printable } from "@pulumi-ovn/ovsdb-client";
import { Connections, HostKeeper, KEPT_FOLDER, type Problem } from "@pulumi-ovn/provider/agent";
import { type Listen, type Listening, listenForProbes } from "../daemon/endpoints";
import { Journal } from "../daemon/journal";
import { sole } from "../daemon/sole";
import { Loop } from "./loop";
import { vpcHealth, vpcMetrics } from "./report";
import { type Outcome, Rounds } from "./round";
import { watchHost } from "./watch";

export interface VpcAgentOptions {
  /** The host's Open vSwitch database. */
  readonly openvswitch: string;
  /** Folder of the files that updates write. Default: /var/lib/pulumi-ovn. */
  readonly folder?: string | undefined;
  /** Command that runs ovs-ofctl and ovs-vsctl. Default: none; they run directly. */
  readonly command?: readonly string[] | undefined;
  readonly log: (line: string) => void;
  /** Ends the agent; what it has restored stays. */
  readonly signal: AbortSignal;
}

/** OVSDB lock that makes its holder the only VPC agent of the host. */
export const VPC_LOCK = "pulumi_ovn_vpc_agent";

/** Milliseconds between two attempts to reach the database at the start. */
const PAUSE = 500;

/** Its own host among the targets. */
const HOST = "this";

/** Restores the host until the signal. Rejects with an AgentError when another agent does so, or the endpoints can't be there. */
export async function runVpcAgent(options: VpcAgentOptions & { readonly listen: Listen }): Promise<void> {
  const { log, folder = KEPT_FOLDER } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const targets = targetsOf(options);
  const journal = new Journal(log);
  const rounds = new Rounds(new HostKeeper({ targets, host: HOST, signal }), folder);
  const loop = new Loop({
    work: rounds,
    rounded: (outcome) => {
      logChanges(outcome, log);
      journal.problems(outcome.problems);
    },
  });
  let listening: Listening | undefined;
  try {
    const client = await reached(targets, log, signal);
    let lost: Error | undefined;
    await sole(
      client,
      signal,
      (error) => {
        lost = error;
        ending.abort();
      },
      VPC_LOCK,
    );
    listening = await listenForProbes(
      options.listen,
      () => vpcHealth(loop),
      () => vpcMetrics(loop, Date.now()),
    );
    log(`started: ${listening.url}/healthz, ${listening.url}/metrics; updates in ${folder}`);
    await watchHost(client, folder, () => loop.wake(), signal);
    loop.wake();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    if (lost) throw lost;
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    ending.abort();
    listening?.close();
    await loop.stop();
    await targets.close();
  }
}

/** One round, and the problems that it leaves. */
export async function restoreOnce(options: VpcAgentOptions): Promise<readonly Problem[]> {
  const { log, signal, folder = KEPT_FOLDER } = options;
  const targets = targetsOf(options);
  try {
    const outcome = await new Rounds(new HostKeeper({ targets, host: HOST, signal }), folder).run();
    logChanges(outcome, log);
    return outcome.problems;
  } finally {
    await targets.close();
  }
}

const targetsOf = ({ openvswitch, command }: VpcAgentOptions): Connections =>
  new Connections({}, { [HOST]: { openvswitch, command: command && [...command] } });

function logChanges({ changes }: Outcome, log: (line: string) => void): void {
  for (const { owner, what } of changes) log(`restored ${printable(owner)}: ${printable(what)}`);
}

/** The database may come later than the agent. */
async function reached(targets: Connections, log: (line: string) => void, signal: AbortSignal): Promise<OvsdbClient> {
  for (let last = ""; ; ) {
    try {
      return await targets.get(HOST, "Open_vSwitch");
    } catch (error) {
      const { message } = error as Error;
      if (message !== last) log(`${message}; trying again`);
      last = message;
      await sleep(PAUSE, undefined, { signal });
    }
  }
}
