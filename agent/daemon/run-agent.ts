import { setTimeout as sleep } from "node:timers/promises";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type Listen, type Listening, listenForProbes } from "./endpoints";
import { sole } from "./sole";
import { watchdog } from "./watchdog";

/** Options of every agent. */
export interface AgentOptions {
  readonly listen: Listen;
  readonly log: (line: string) => void;
  /** Ends the agent. The host keeps what the agent has written. */
  readonly signal: AbortSignal;
}

/** An agent: what it follows and what it does about it. */
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

/** Runs an agent until the signal. Rejects with an AgentError when the host has another agent of this kind, or the endpoints can't be listened on. */
export async function runAgent({ listen, log, signal: ended }: AgentOptions, role: (signal: AbortSignal) => Role): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ended, ending.signal]);
  watchdog(process.env, signal, log);
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
    const client = await reached(own, log, signal, answer);
    // Before it listens: the error of a port in use would hide that another agent runs.
    let lost: Error | undefined;
    await sole(
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
async function reached({ connect }: Role, log: (line: string) => void, signal: AbortSignal, failed: () => Promise<void>): Promise<OvsdbClient> {
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
