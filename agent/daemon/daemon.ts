import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { HostSettings } from "@pulumi-ovn/provider/agent";
import { Host } from "../host/host";
import { note, Notes } from "../southbound/noted";
import { snapshotSource, type SourceOptions } from "../southbound/source";
import { checkVrf } from "./check-vrf";
import { type Listen, type Listening, listenForProbes } from "./endpoints";
import { frrProbe } from "./frr-probe";
import { healthOf } from "./health";
import { Journal } from "./journal";
import { Loop } from "./loop";
import { metricsText } from "./metrics";
import { sole } from "./sole";
import { watchdog } from "./watchdog";

export interface DaemonOptions extends SourceOptions, HostSettings {
  readonly listen: Listen;
  /** What programs (ip, vtysh, ovs-ofctl) are run by; default: none, they run here. */
  readonly command?: readonly string[] | undefined;
  /** FRR's vtysh; default: that of PATH. */
  readonly vtysh?: string | undefined;
  readonly log: (line: string) => void;
  /** Ends the agent; what it has made stays. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two attempts to reach the host's Open vSwitch database at the start; later its client does that. */
const PAUSE = 1_000;

/** Runs until the signal; rejects with an AgentError when another agent has the chassis, the endpoints can't be there, or `vrf` is no name of one. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  checkVrf(options);
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  watchdog(process.env, signal, options.log);
  const source = snapshotSource(options);
  const journal = new Journal(options.log);
  let host: Host | undefined;
  let client: OvsdbClient | undefined;
  let listening: Listening | undefined;
  const notes = new Notes((noted) => note(client!, noted));
  const rounded = () => {
    journal.round(loop.last!, loop.problems);
    notes.say(source.noted);
  };
  const loop: Loop = new Loop({ source, settings: options, host: { converge: (state, newer) => host!.converge(state, newer) }, rounded });
  const answer = async () => {
    const health = () => healthOf(source, loop);
    listening ??= await listenForProbes(options.listen, health, () => metricsText(health(), loop.counters, Date.now()));
  };
  try {
    client = await reached(options, signal, answer);
    // Before it listens: that the port is taken would say less.
    let lost: Error | undefined;
    await sole(client, signal, (error) => {
      lost = error;
      ending.abort();
    });
    await answer();
    options.log(`started: ${listening!.url}/healthz, ${listening!.url}/metrics`);
    host = new Host({ openvswitch: client, command: options.command, vtysh: options.vtysh, signal });
    source.subscribe(() => {
      journal.problems(loop.problems);
      loop.renew();
    });
    host.watch(() => loop.wake());
    frrProbe(host, signal, () => loop.wake());
    loop.wake();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    if (lost) throw lost;
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    ending.abort();
    listening?.close();
    await Promise.all([loop.stop(), source.close(), client?.close()]);
  }
}

/** The host's Open vSwitch database may come later than the agent. */
async function reached({ openvswitch, tls, log }: DaemonOptions, signal: AbortSignal, failed: () => Promise<void>): Promise<OvsdbClient> {
  for (;;) {
    try {
      return await connect(openvswitch, { database: "Open_vSwitch", leaderOnly: false, tls, signal });
    } catch (error) {
      signal.throwIfAborted();
      log(`${(error as Error).message}; trying again`);
      await failed();
      await sleep(PAUSE, undefined, { signal });
    }
  }
}
