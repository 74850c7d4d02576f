import { setTimeout as sleep } from "node:timers/promises";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type Listen, type Listening, listenForProbes } from "./endpoints";
import { acquireAgentLock } from "./agent-lock";
import { watchdog } from "./watchdog";

/** Options of all agents in a process. */
export interface ProcessOptions {
  readonly log: (line: string) => void;
  /** Ends the agents. The host keeps what they have written. */
  readonly signal: AbortSignal;
}

/** Options of every agent. */
export interface AgentOptions extends ProcessOptions {
  readonly listen: Listen;
}

/** An agent that can be started. */
export interface Agent {
  readonly listen: Listen;
  /** @param signal ends it */
  readonly role: (signal: AbortSignal) => Role;
}

/** An agent: its events and its work. */
export interface Role {
  /** OVSDB lock that makes its holder the only agent of this kind on the host. */
  readonly lock: string;
  /** Text of the log after the addresses of the endpoints. Default: none. */
  readonly started?: string;
  readonly loop: { wake(): void; stop(): Promise<void> };
  connect(signal: AbortSignal): Promise<OvsdbClient>;
  health(): { readonly healthy: boolean };
  metrics(): string;
  /** Reports changes to the loop, until the signal. */
  follow(client: OvsdbClient, signal: AbortSignal): Promise<void> | void;
  /** Closes connections, after the last round. */
  close(): Promise<unknown>;
}

/** Milliseconds between two attempts to reach the host's Open vSwitch database at the start; later its client does that. */
const PAUSE = 500;

/**
 * Runs agents until the signal, or until one of them ends. Rejects with the AgentError of an agent: the host has another agent of its
 * kind, or its endpoints can't be listened on.
 */
export async function runAgents({ log, signal: ended }: ProcessOptions, agents: readonly Agent[]): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ended, ending.signal]);
  watchdog(process.env, signal, log);
  const results = await Promise.allSettled(agents.map((agent) => runAgent(agent, log, signal).finally(() => ending.abort())));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

async function runAgent({ listen, role }: Agent, log: (line: string) => void, ended: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ended, ending.signal]);
  const own = role(signal);
  let listening: Listening | undefined;
  const answer = async () => {
    listening ??= await listenForProbes(
      listen,
      () => own.health(),
      () => own.metrics(),
    );
  };
  try {
    const client = await connected(own, log, signal, answer);
    // Before it listens: the error of a port in use would hide that another agent runs.
    let lost: Error | undefined;
    await acquireAgentLock(
      client,
      signal,
      (error) => {
        lost = error;
        ending.abort();
      },
      own.lock,
    );
    await answer();
    log(`started: ${listening!.url}/healthz, ${listening!.url}/metrics${own.started ?? ""}`);
    await own.follow(client, signal);
    own.loop.wake();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    if (lost) throw lost;
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    ending.abort();
    listening?.close();
    await own.loop.stop();
    await own.close();
  }
}

/** The host's Open vSwitch database may start later than the agent, whose health is an error until then. */
async function connected({ connect }: Role, log: (line: string) => void, signal: AbortSignal, failed: () => Promise<void>): Promise<OvsdbClient> {
  for (let reported = ""; ; ) {
    try {
      return await connect(signal);
    } catch (error) {
      signal.throwIfAborted();
      const { message } = error as Error;
      if (message !== reported) log(`${message}; trying again`);
      reported = message;
      await failed();
      await sleep(PAUSE, undefined, { signal });
    }
  }
}
