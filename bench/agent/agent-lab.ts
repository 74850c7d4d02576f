import { createInterface } from "node:readline";
import { connect, type OVN_Southbound, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type Central, type Sandbox, startCentral, up } from "@pulumi-ovn/sandbox";

/** The agent's routing table, and that of the script it is measured against. */
export const TABLES = { agent: 1200, peer: 1201 } as const;
/** Chassis whose workloads the agent announces, that of the script, and one that neither of them is about. */
export type ChassisName = "h1" | "h2" | "h3";
export type Chassis = Readonly<Record<ChassisName, string>>;

/** Ports in one transaction: larger ones keep the server from answering others. */
const SLICE = 1_000;

const EXPOSURE = {
  version: 1,
  chassis: ["h1"],
  asNumber: 64513,
  table: TABLES.agent,
  routerIds: {},
  floatingIPs: false,
  loadBalancers: false,
  providerPorts: true,
  tenantAddresses: "all",
};

/** A Southbound database without northd, and a host of the sandbox with Open vSwitch and FRR, which is chassis h1. */
export class AgentLab implements AsyncDisposable {
  #key = 10;

  private constructor(
    readonly sandbox: Sandbox,
    readonly central: Central,
    readonly client: OvsdbClient<OVN_Southbound>,
    readonly chassis: Chassis,
    private readonly network: string,
  ) {}

  static async start(): Promise<AgentLab> {
    const sandbox = await up({ name: `bench-${process.pid}`, hosts: 1, ovn: false, frr: true, workloads: [] });
    const central = await startCentral({ northd: false });
    const client = await connect<OVN_Southbound>(central.southbound, { database: "OVN_Southbound" });
    const { value, uuid } = await client.transaction((tx) => {
      tx.insert("SB_Global", { options: { "pulumi-ovn-bgp:bench": JSON.stringify(EXPOSURE) } });
      const chassis = (["h1", "h2", "h3"] as const).map((name, index) =>
        tx.insert("Chassis", { name, hostname: name, encaps: [tx.insert("Encap", { type: "geneve", ip: `198.18.0.${index + 1}`, chassis_name: name })] }),
      );
      const network = tx.insert("Datapath_Binding", { tunnel_key: 1, external_ids: { "logical-switch": "ext", name: "ext" } });
      tx.insert("Port_Binding", { logical_port: "ln", datapath: network, tunnel_key: 1, type: "localnet", options: { network_name: "physnet" } });
      return { chassis, network };
    });
    const [h1, h2, h3] = value.chassis.map(uuid) as [string, string, string];
    const lab = new AgentLab(sandbox, central, client, { h1, h2, h3 }, uuid(value.network));
    await lab.on([
      "ovs-vsctl",
      "--timeout=10",
      "set",
      "Open_vSwitch",
      ".",
      "external_ids:system-id=h1",
      "external_ids:ovn-bridge-mappings=physnet:br-pro",
      "--",
      "add-br",
      "br-pro",
      "--",
      "set",
      "Bridge",
      "br-pro",
      "datapath_type=netdev",
      "--",
      "add-port",
      "br-pro",
      "patch-ln",
      "--",
      "set",
      "Port",
      "patch-ln",
      "external_ids:ovn-localnet-port=ln",
      "--",
      "set",
      "Interface",
      "patch-ln",
      "type=patch",
      "options:peer=patch-int",
    ]);
    await lab.on(["ip", "link", "set", "br-pro", "up"]);
    return lab;
  }

  /** Runs a program on the host; it has to succeed. */
  async on(argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.sandbox.exec("node1", argv, { timeout: 30_000 });
    if (code !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
    return stdout;
  }

  /**
   * Workloads with these addresses on a chassis, as ovn-controller has set them up; the UUIDs of their rows.
   * @param chassis UUID of its row
   */
  async workloads(chassis: string, addresses: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < addresses.length; from += SLICE) {
      const { value, uuid } = await this.client.transaction((tx) =>
        addresses.slice(from, from + SLICE).map((address) =>
          tx.insert("Port_Binding", {
            logical_port: `workload-${++this.#key}`,
            datapath: this.network,
            tunnel_key: this.#key,
            chassis,
            up: true,
            mac: [`0a:00:00:00:00:09 ${address}`],
          }),
        ),
      );
      found.push(...value.map(uuid));
    }
    return found;
  }

  /** Further chassis, each with workloads in the same network. The exposure names all of them. Returns the UUIDs of the workloads' rows. */
  async furtherChassis(count: number, workloads: (chassis: number) => readonly string[]): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `further${index}`);
    const { value, uuid } = await this.client.transaction((tx) =>
      names.map((name, index) =>
        tx.insert("Chassis", {
          name,
          hostname: name,
          encaps: [tx.insert("Encap", { type: "geneve", ip: `198.19.${index >> 8}.${index & 255}`, chassis_name: name })],
        }),
      ),
    );
    const [{ _uuid: global }] = (await this.client.select("SB_Global", { columns: ["_uuid"] })) as [{ _uuid: string }];
    const exposure = JSON.stringify({ ...EXPOSURE, chassis: [...Object.keys(this.chassis), ...names] });
    await this.client.transaction((tx) => tx.update("SB_Global", global, { options: { "pulumi-ovn-bgp:bench": exposure } }));
    const found: string[] = [];
    for (const [index, one] of value.map(uuid).entries()) found.push(...(await this.workloads(one, workloads(index))));
    return found;
  }

  /** A program of these benchmarks on the host, and the lines that it prints. */
  async child(file: string, ...args: string[]) {
    const running = await this.sandbox.spawn("node1", [process.execPath, require.resolve(file), ...args], ["pipe", "pipe", "inherit"]);
    const lines = createInterface(running.process.stdout!)[Symbol.asyncIterator]();
    const answer = async (question?: string): Promise<string> => {
      if (question !== undefined) running.process.stdin!.write(`${question}\n`);
      const { done, value } = await lines.next();
      if (done) throw new Error(`${file} has ended`);
      return value;
    };
    return { answer, end: () => (running.signal("SIGTERM"), running.exit) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.central.stop();
    await this.sandbox.down();
  }
}

/** Changes of the host's routing tables, as the kernel reports them. */
export class RouteNews implements AsyncDisposable {
  readonly #waiting = new Map<string, (at: number) => void>();

  private constructor(private readonly running: Awaited<ReturnType<Sandbox["spawn"]>>) {
    createInterface(running.process.stdout!).on("line", (line) => {
      const [, gone, destination, table] = /^(Deleted )?(\S+) .*\btable (\d+)/.exec(line) ?? [];
      if (gone !== undefined || destination === undefined) return;
      const key = `${table} ${destination}`;
      this.#waiting.get(key)?.(performance.now());
      this.#waiting.delete(key);
    });
  }

  static async of({ sandbox }: AgentLab): Promise<RouteNews> {
    const running = await sandbox.spawn("node1", ["ip", "monitor", "route"], ["ignore", "pipe", "inherit"]);
    const news = new RouteNews(running);
    // It does not say when it listens.
    for (let heard = false; !heard; ) {
      const first = news.comes(1, "192.0.2.1").then(() => (heard = true));
      await sandbox.exec("node1", ["sh", "-c", "ip route replace 192.0.2.1 dev br-pro table 1; ip route del 192.0.2.1 table 1"]);
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    return news;
  }

  /** Resolves with the time at which there is a route to the address. */
  comes(table: number, address: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(`${table} ${address}`, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.running.signal("SIGTERM");
    await this.running.exit;
  }
}
