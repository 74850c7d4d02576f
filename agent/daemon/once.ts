import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { desired, type HostState, NOTHING, type Problem, type Snapshot } from "@pulumi-ovn/provider/agent";
import { Host } from "../host/host";
import { plan } from "../host/plan";
import type { Step } from "../host/steps";
import { writeNote, EMPTY_NOTE } from "../southbound/host-note";
import { snapshotSource, type SnapshotSource } from "../southbound/source";
import type { DaemonOptions } from "./daemon";
import { checkVrf } from "./check-vrf";
import { AgentError } from "./errors";
import { acquireAgentLock } from "./agent-lock";

export type OnceOptions = Omit<DaemonOptions, "listen">;

/** Milliseconds in which both databases must have been read, and the Northbound database may be waited for. */
const PATIENCE = 25_000;

/** One round, and the problems that it leaves. */
export function convergeOnce(options: OnceOptions): Promise<readonly Problem[]> {
  return onHost(options, async (host, lock, client) => {
    await lock();
    return withSnapshot(options, async (source, snapshot) => {
      const { state, problems } = desired(snapshot, options);
      const done = await host.converge(state);
      await writeNote(client, source.note);
      return [...source.problems(), ...problems, ...done.problems];
    });
  });
}

/** Takes away all that agents have made on the host; asks no Southbound database. */
export function withdraw(options: OnceOptions): Promise<readonly Problem[]> {
  return onHost(options, async (host, lock, client) => {
    await lock();
    const { problems } = await host.converge(NOTHING);
    if (problems.length === 0) await writeNote(client, EMPTY_NOTE);
    return problems;
  });
}

export interface DryRun {
  readonly desired: HostState;
  readonly steps: readonly Step[];
  readonly problems: readonly Problem[];
}

/** Returns the steps that a round would take. Changes nothing, so an agent may be running. */
export function dryRun(options: OnceOptions): Promise<DryRun> {
  return onHost(options, (host) =>
    withSnapshot(options, async (source, snapshot) => {
      const { state, problems } = desired(snapshot, options);
      const planned = plan(state, await host.read(state));
      return { desired: state, steps: planned.steps, problems: [...source.problems(), ...problems, ...planned.problems] };
    }),
  );
}

async function onHost<T>(options: OnceOptions, work: (host: Host, lock: () => Promise<void>, client: OvsdbClient) => Promise<T>): Promise<T> {
  checkVrf(options);
  // The watch of the lock ends with the work.
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const client = await connect(options.openvswitch, { database: "Open_vSwitch", leaderOnly: false, tls: options.tls, signal });
  try {
    return await work(
      new Host({ openvswitch: client, command: options.command, vtysh: options.vtysh, signal }),
      () => acquireAgentLock(client, signal, () => undefined),
      client,
    );
  } finally {
    ending.abort();
    await client.close();
  }
}

/** With the snapshot, as soon as there is one. Without one in time it is the problems that say why. */
async function withSnapshot<T>(options: OnceOptions, work: (source: SnapshotSource, snapshot: Snapshot) => Promise<T>): Promise<T> {
  const source = snapshotSource(options);
  try {
    const waiting = AbortSignal.any([options.signal, AbortSignal.timeout(PATIENCE)]);
    const snapshot = await new Promise<Snapshot>((resolve, reject) => {
      const look = () => {
        const now = source.current();
        if (now !== null) resolve(now);
      };
      source.subscribe(look);
      look();
      waiting.addEventListener("abort", () => reject(noSnapshot(source)), { once: true });
    });
    return await work(source, snapshot);
  } finally {
    await source.close();
  }
}

function noSnapshot(source: SnapshotSource): Error {
  const [problem] = source.problems();
  return problem
    ? new AgentError(problem.code, problem.message)
    : new AgentError("OVN_AGENT_SOUTHBOUND", `the databases were not read within ${PATIENCE / 1000} s`);
}
