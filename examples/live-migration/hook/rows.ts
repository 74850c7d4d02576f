import { setTimeout as sleep } from "node:timers/promises";
import { type ClientOptions, connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { readTargets } from "@pulumi-ovn/provider/targets";

/** Milliseconds for one zone. Later writes could be older than those of an update meanwhile. */
const TIMEOUT = 2_000;

/** Milliseconds before a zone that could not be reached is tried again. */
const AGAIN = 5_000;

/** Chassis that the ports of the stack's zones request. */
export interface Target {
  readonly zone: string;
  readonly chassis: string;
}

/**
 * Points a guest's port in every zone to where it runs, without an update of the stack, which takes seconds: one
 * transaction in each zone, over connections that are open already. The update then has only port security left to do.
 * A zone that can't be reached stops neither the others nor the start; it is tried again until it is there.
 */
export class PortRows {
  /** Connections by zone; of a zone that was never reached, why. */
  readonly #clients = new Map<string, OvsdbClient | Error>();
  readonly #ending = new AbortController();

  private constructor() {}

  /** @param file the stack's `ovn:targets`, relative to this folder; the environment has precedence, as in the provider */
  static async open(names: readonly string[], file: string | undefined, again = AGAIN): Promise<PortRows> {
    const zones = readTargets({ file, environment: process.env, folder: process.cwd() });
    const rows = new PortRows();
    const endpoints = [...new Set(names)].map((name) => {
      const { northbound, tls } = zones[name] ?? {};
      if (northbound === undefined) throw new Error(`zone ${name} has no northbound endpoint in the targets`);
      return () =>
        rows.#connect(name, northbound, { database: "OVN_Northbound", tls, timeout: TIMEOUT, connectTimeout: TIMEOUT, signal: rows.#ending.signal }, again);
    });
    await Promise.all(endpoints.map((begin) => begin()));
    return rows;
  }

  /** Zones that can't be reached now. */
  away(): string[] {
    return [...this.#clients].filter(([, client]) => client instanceof Error || !client.connected).map(([name]) => name);
  }

  /** Resolves when every zone has been written; returns a message for each zone that failed. */
  async point(port: string, { zone, chassis }: Target): Promise<string[]> {
    const failures = await Promise.all(
      [...this.#clients].map(async ([name, client]) => {
        try {
          if (client instanceof Error) throw client;
          await client.transact(operations(port, name === zone, chassis));
          return [];
        } catch (error) {
          return [`zone ${name}: ${(error as Error).message}`];
        }
      }),
    );
    return failures.flat();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#clients.values()].map((client) => (client instanceof Error ? undefined : client.close())));
  }

  /** Resolves after the first attempt. Once there was a connection, the client itself connects again. */
  async #connect(name: string, endpoint: string, options: ClientOptions, again: number): Promise<void> {
    const { signal } = this.#ending;
    try {
      const client = await connect(endpoint, options);
      if (signal.aborted) return await client.close();
      this.#clients.set(name, client);
    } catch (error) {
      this.#clients.set(name, error as Error);
      void sleep(again, undefined, { signal }).then(
        () => this.#connect(name, endpoint, options, again),
        () => undefined,
      );
    }
  }
}

function operations(port: string, here: boolean, chassis: string): Parameters<OvsdbClient["transact"]>[0] {
  const at = { table: "Logical_Switch_Port", where: [["name", "==", port]] } as const;
  return [
    { op: "update", ...at, row: { type: here ? "" : "remote" } },
    {
      op: "mutate",
      ...at,
      mutations: [
        ["options", "delete", ["set", ["requested-chassis", "activation-strategy"]]],
        ["options", "insert", ["map", [["requested-chassis", chassis]]]],
      ],
    },
  ];
}
