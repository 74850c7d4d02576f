import { printable } from "@pulumi-ovn/ovsdb-client";
import { AgentConnections, type Connections, HostKeeper, KEPT_FOLDER, type Problem } from "@pulumi-ovn/provider/agent";
import { Journal } from "../daemon/journal";
import { Loop } from "../daemon/loop";
import { type Agent, type AgentOptions, type Role, runAgents } from "../daemon/run-agent";
import { vpcHealth, vpcMetrics } from "./report";
import { type Outcome, Rounds } from "./round";
import { roundOf, type VpcRound } from "./vpc-round";
import { watchHost } from "./watch";

export interface VpcAgentOptions {
  /** The host's Open vSwitch database. */
  readonly openvswitch: string;
  /** Folder of the files that updates write. Default: /var/lib/pulumi-ovn. */
  readonly folder?: string | undefined;
  /** Command that runs ovs-ofctl and ovs-vsctl. Default: none; they run directly. */
  readonly command?: readonly string[] | undefined;
  readonly log: (line: string) => void;
  /** Ends the agent. Restored rows and flows stay. */
  readonly signal: AbortSignal;
}

/** OVSDB lock that makes its holder the only VPC agent of the host. */
export const VPC_LOCK = "pulumi_ovn_vpc_agent";

/** Its own host among the targets. */
const HOST = "this";

/** Restores the host until the signal. Rejects with an AgentError as `runAgents` does. */
export async function runVpcAgent(options: VpcAgentOptions & AgentOptions): Promise<void> {
  await runAgents(options, [vpcAgent(options)]);
}

/** The agent of a VPC's host. */
export const vpcAgent = (options: VpcAgentOptions & AgentOptions): Agent => ({ listen: options.listen, role: (signal) => vpcRole(options, signal) });

function vpcRole(options: VpcAgentOptions, signal: AbortSignal): Role {
  const { log, folder = KEPT_FOLDER } = options;
  const targets = targetsOf(options);
  const journal = new Journal(log);
  const rounds = new Rounds(new HostKeeper({ targets, host: HOST, signal }), folder);
  const loop = new Loop<VpcRound>(
    (last) => roundOf(rounds, last),
    (outcome) => {
      logChanges(outcome, log);
      journal.problems(outcome.problems);
    },
  );
  return {
    lock: VPC_LOCK,
    started: `; updates in ${folder}`,
    loop,
    connect: () => targets.get(HOST, "Open_vSwitch"),
    health: () => vpcHealth(loop),
    metrics: () => vpcMetrics(loop, Date.now()),
    follow: (client, ended) => watchHost(client, folder, () => loop.wake(), ended),
    close: () => targets.close(),
  };
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
  new AgentConnections({}, { [HOST]: { openvswitch, command: command && [...command] } });

function logChanges({ changes }: Outcome, log: (line: string) => void): void {
  for (const { owner, what } of changes) log(`restored ${printable(owner)}: ${printable(what)}`);
}
