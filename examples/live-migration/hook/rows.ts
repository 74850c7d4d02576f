import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { readZones, ZONES_VARIABLE } from "@pulumi-ovn/provider/import";

/** Milliseconds for one zone. What is written later could be older than what the update has written meanwhile. */
const DEADLINE = 2_000;

/** What the ports of the stack's zones are pointed at. */
export interface Target {
  readonly zone: string;
  readonly chassis: string;
}

/**
 * Points a guest's port in every zone to where it runs, without an update of the stack, which takes seconds: one
 * transaction in each zone, over connections that are open already. The update then has only port security left to do.
 */
export class PortRows {
  readonly #clients: ReadonlyMap<string, OvsdbClient>;

  private constructor(clients: ReadonlyMap<string, OvsdbClient>) {
    this.#clients = clients;
  }

  /** @param configured the stack's `ovn:zones` as JSON, if it has them; the environment goes first, as in the provider */
  static async open(names: readonly string[], configured: string | undefined): Promise<PortRows> {
    const zones = readZones(configured, process.env[ZONES_VARIABLE]);
    const clients = names.map(async (name) => {
      const { northbound, tls } = zones[name] ?? {};
      if (northbound === undefined) throw new Error(`zone ${name} has no northbound endpoint in ovn:zones`);
      return [name, await connect(northbound, { database: "OVN_Northbound", tls, deadline: DEADLINE })] as const;
    });
    return new PortRows(new Map(await Promise.all(clients)));
  }

  /** Resolves when every zone has been told; says of each one that could not be, as the others were all the same. */
  async point(port: string, { zone, chassis }: Target): Promise<string[]> {
    const failures = await Promise.all([...this.#clients].map(async ([name, client]) => {
      try {
        await client.transact(operations(port, name === zone, chassis));
        return [];
      } catch (error) {
        return [`zone ${name}: ${(error as Error).message}`];
      }
    }));
    return failures.flat();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

function operations(port: string, here: boolean, chassis: string): Parameters<OvsdbClient["transact"]>[0] {
  const at = { table: "Logical_Switch_Port", where: [["name", "==", port]] } as const;
  return [
    { op: "update", ...at, row: { type: here ? "" : "remote" } },
    { op: "mutate", ...at, mutations: [["options", "delete", ["set", ["requested-chassis", "activation-strategy"]]], ["options", "insert", ["map", [["requested-chassis", chassis]]]]] },
  ];
}
