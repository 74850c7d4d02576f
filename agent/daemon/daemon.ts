import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { HostSettings } from "@pulumi-ovn/provider/agent";
import { Host } from "../host/host";
import { writeNote, NoteWriter } from "../southbound/host-note";
import { snapshotSource, type SourceOptions } from "../southbound/source";
import { checkVrf } from "./check-vrf";
import { type Convergence, Converging } from "./converging";
import { frrProbe } from "./frr-probe";
import { healthOf } from "./health";
import { Journal } from "./journal";
import { Loop } from "./loop";
import { metricsText } from "./metrics";
import { type Agent, type AgentOptions, type Role, runAgents } from "./run-agent";
import { LOCK } from "./agent-lock";

export interface DaemonOptions extends AgentOptions, SourceOptions, HostSettings {
  readonly signal: AbortSignal;
  /** Command that runs programs (ip, vtysh, ovs-ofctl). Default: none; they run directly. */
  readonly command?: readonly string[] | undefined;
  /** FRR's vtysh; default: that of PATH. */
  readonly vtysh?: string | undefined;
}

/** Runs the BGP agent until the signal. Rejects with an AgentError as `runAgents` does, and when `vrf` is not the name of one. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  await runAgents(options, [bgpAgent(options)]);
}

/** The BGP agent. Throws an AgentError if `vrf` is not the name of one. */
export function bgpAgent(options: DaemonOptions): Agent {
  checkVrf(options);
  return { listen: options.listen, role: () => bgpRole(options) };
}

function bgpRole(options: DaemonOptions): Role {
  const { command, vtysh, log } = options;
  const source = snapshotSource(options);
  const journal = new Journal(log);
  let host: Host | undefined;
  let client: OvsdbClient | undefined;
  const notes = new NoteWriter((note) => writeNote(client!, note));
  const rounds = new Converging({ source, settings: options, host: { converge: (...args) => host!.converge(...args) } });
  const problems = () => rounds.problems(loop.last);
  const loop = new Loop<Convergence>(
    (last) => rounds.round(last),
    (round) => {
      journal.round(round, problems());
      notes.update(source.note);
    },
  );
  const health = () => healthOf(source, loop, problems());
  return {
    lock: LOCK,
    loop,
    connect: async (signal) => (client = await connect(options.openvswitch, { database: "Open_vSwitch", leaderOnly: false, tls: options.tls, signal })),
    health,
    metrics: () => metricsText(health(), loop.counters, Date.now()),
    follow: (openvswitch, signal) => {
      host = new Host({ openvswitch, command, vtysh, signal });
      source.subscribe(() => {
        journal.problems(problems());
        rounds.renew();
        loop.wake();
      });
      const scan = () => {
        rounds.demandScan();
        loop.wake();
      };
      host.watch(scan);
      frrProbe(host, signal, scan);
    },
    close: () => Promise.all([source.close(), client?.close()]),
  };
}
