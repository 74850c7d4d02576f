import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Target } from "@pulumi-ovn/provider/rows";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { type Dump, parseDump } from "./dump";
import { restored } from "./ovsdb-server";

/** A Northbound database without northd, and a client of it. */
export class Northbound {
  private constructor(
    private readonly central: Central,
    readonly client: OvsdbClient,
  ) {}

  /** @param folder of the database; default: a new one */
  static async start(folder?: string): Promise<Northbound> {
    const central = await startCentral({ northd: false, ...(folder !== undefined && { folder }) });
    return new Northbound(central, await connect(central.northbound, { database: "OVN_Northbound" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.central.stop();
  }

  get endpoint(): string {
    return this.central.northbound;
  }

  /** Kills the server and starts it again. */
  async restart(): Promise<void> {
    await this.central.kill("northbound");
    await this.central.start("northbound");
  }

  target(owner: string, more: Partial<Target> = {}): Target {
    return { client: this.client, owner, ...more };
  }

  /** Output of ovn-nbctl(8). */
  async nbctl(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.central.run("ovn-nbctl", ["--timeout=10", ...args]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  /** Backs the database up, and restores it from that: every row gets another UUID. */
  restore(): Promise<void> {
    return restored(this.central.northbound, "OVN_Northbound");
  }

  /** All rows, as ovsdb-client(1) prints them in JSON. */
  async dump(): Promise<Dump> {
    const { code, stdout, stderr } = await this.central.run("ovsdb-client", ["--format=json", "dump", this.central.northbound, "OVN_Northbound"]);
    if (code !== 0) throw new Error(stderr);
    return new Map(parseDump(stdout, "nb"));
  }

  /** Values of one column of all rows of a table, sorted. */
  async column(table: string, column: string): Promise<string[]> {
    return (await this.nbctl("--bare", `--columns=${column}`, "list", table)).split("\n").filter(Boolean).sort();
  }

  /** Removes everything. */
  async clear(...tables: string[]): Promise<void> {
    for (const table of tables) await this.nbctl("--all", "destroy", table);
  }

  /** `_version` of every row of these tables by UUID, which shows any change. */
  async versions(...tables: string[]): Promise<Record<string, string>> {
    const results = await this.client.transact(tables.map((table) => ({ op: "select", table, where: [], columns: ["_uuid", "_version"] }) as const));
    return Object.fromEntries(
      results.flatMap(({ rows = [] }) => rows.map((row) => [row._uuid, row._version].map((value) => (value as [string, string])[1]) as [string, string])),
    );
  }
}
