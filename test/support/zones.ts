import { type Central, type CentralOptions, startCentral } from "@pulumi-ovn/sandbox";
import { type Dump, parseDump } from "./dump";

/** Zones of a test: each is the central part of an OVN zone of its own. */
export class TestZones implements AsyncDisposable {
  private constructor(readonly centrals: Readonly<Record<string, Central>>) {}

  static async start(names: readonly string[], options: CentralOptions = {}): Promise<TestZones> {
    const started = await Promise.allSettled(names.map((name) => startCentral(options).then((central) => [name, central] as const)));
    const zones = new TestZones(Object.fromEntries(started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))));
    const failed = started.find((result) => result.status === "rejected");
    if (failed) {
      await zones.stop();
      throw failed.reason;
    }
    await zones.settled(options.northd ?? true);
    return zones;
  }

  /** As `zones` in a file of targets. */
  get config(): Record<string, { northbound: string; southbound: string }> {
    return Object.fromEntries(Object.entries(this.centrals).map(([name, { northbound, southbound }]) => [name, { northbound, southbound }]));
  }

  /** Runs ovn-nbctl(8) in a zone; it has to succeed. */
  async nbctl(zone: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.centrals[zone]!.run("ovn-nbctl", args);
    if (code !== 0) throw new Error(`ovn-nbctl ${args.join(" ")} in ${zone}: ${stderr}`);
    return stdout.trimEnd();
  }

  /** Until northd of every zone has translated what is in its Northbound database. */
  async settled(northd = true): Promise<void> {
    const args = northd ? ["--wait=sb", "sync"] : ["init"];
    await Promise.all(Object.keys(this.centrals).map((name) => this.nbctl(name, ...args)));
  }

  northbound(): Promise<Dump> {
    return this.#dump("OVN_Northbound", ({ northbound }) => northbound);
  }

  southbound(): Promise<Dump> {
    return this.#dump("OVN_Southbound", ({ southbound }) => southbound);
  }

  async #dump(database: string, endpoint: (central: Central) => string): Promise<Dump> {
    const dumps = await Promise.all(
      Object.entries(this.centrals).map(async ([name, central]) => {
        const { code, stdout, stderr } = await central.run("ovsdb-client", ["--format=json", "dump", endpoint(central), database]);
        if (code !== 0) throw new Error(`ovsdb-client dump in ${name}: ${stderr}`);
        return parseDump(stdout, name);
      }),
    );
    return new Map(dumps.flat());
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.centrals).map((central) => central.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
