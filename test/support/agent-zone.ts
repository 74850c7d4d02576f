import { connect, type OVN_Southbound, type OvsdbClient, type WritableOf } from "@pulumi-ovn/ovsdb-client";
import { binaries } from "@pulumi-ovn/sandbox";
import { type Snapshot, type SnapshotSource, snapshotSource } from "@pulumi-ovn/agent";
import { OpenVSwitch } from "./open-vswitch";
import { type TestServer, standalone } from "./ovsdb-server";

type Binding = { readonly [C in keyof OVN_Southbound.Port_Binding]?: WritableOf<OVN_Southbound.Port_Binding[C]> };
export type SouthboundServer = TestServer & { remove(): Promise<void> };

export const southboundServer = async (schema?: string): Promise<SouthboundServer> =>
  standalone({ schema: schema ?? (await binaries()).schema("ovn-sb.ovsschema") });

/** Values that northd always writes there. */
const BY_NORTHD = { mac_prefix: "0a:00:00" };

/** A Southbound database without northd, and what an agent test writes into it. */
export class SouthboundRows implements AsyncDisposable {
  private key = 0;

  private constructor(readonly client: OvsdbClient<OVN_Southbound>) {}

  static async connect(endpoint: string): Promise<SouthboundRows> {
    const rows = new SouthboundRows(await connect<OVN_Southbound>(endpoint, { database: "OVN_Southbound" }));
    await rows.client.transaction((tx) => tx.insert("SB_Global", { options: BY_NORTHD }));
    return rows;
  }

  async chassis(name: string): Promise<string> {
    const { value, uuid } = await this.client.transaction((tx) =>
      tx.insert("Chassis", { name, hostname: name, encaps: [tx.insert("Encap", { type: "geneve", ip: `198.18.0.${++this.key}`, chassis_name: name })] }),
    );
    return uuid(value);
  }

  async datapath(name: string): Promise<string> {
    const kind = name.startsWith("router") ? "logical-router" : "logical-switch";
    const { value, uuid } = await this.client.transaction((tx) =>
      tx.insert("Datapath_Binding", { tunnel_key: ++this.key, external_ids: { [kind]: name, name } }),
    );
    return uuid(value);
  }

  async port(name: string, datapath: string, more: Binding = {}): Promise<string> {
    const { value, uuid } = await this.client.transaction((tx) => tx.insert("Port_Binding", { logical_port: name, datapath, tunnel_key: ++this.key, ...more }));
    return uuid(value);
  }

  async change(name: string, columns: Binding): Promise<void> {
    await this.client.transaction((tx) => tx.update("Port_Binding", { logical_port: name }, columns));
  }

  async exposures(texts: Readonly<Record<string, string>>): Promise<void> {
    await this.client.transaction((tx) =>
      tx.update("SB_Global", [], {
        options: { ...BY_NORTHD, ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`pulumi-ovn-bgp:${name}`, text])) },
      }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

/** A host's Open vSwitch, as a running one with ovn-controller has filled it: bridge br-ex with a patch port for localnet port "ln". */
export async function agentHost(remote?: string): Promise<OpenVSwitch> {
  const host = await OpenVSwitch.start();
  await host.vsctl(
    "set",
    "Open_vSwitch",
    ".",
    "external_ids:system-id=h1",
    "external_ids:ovn-bridge-mappings=physnet:br-ex",
    ...(remote === undefined ? [] : [`external_ids:ovn-remote="${remote}"`]),
  );
  await host.vsctl("add-br", "br-ex", "--", "set", "Interface", "br-ex", 'mac_in_use="0a:00:00:00:00:ee"');
  await host.vsctl(
    "add-port",
    "br-ex",
    "patch-ln-to-br-int",
    "--",
    "set",
    "Port",
    "patch-ln-to-br-int",
    "external_ids:ovn-localnet-port=ln",
    "--",
    "set",
    "Interface",
    "patch-ln-to-br-int",
    "type=patch",
    "ofport=7",
  );
  return host;
}

/** A source, with every snapshot that it has published. */
export class WatchedSource implements AsyncDisposable {
  readonly published: Snapshot[] = [];
  calls = 0;
  private readonly source: SnapshotSource;

  constructor(...args: Parameters<typeof snapshotSource>) {
    this.source = snapshotSource(...args);
    this.source.subscribe(() => {
      this.calls++;
      const now = this.source.current();
      if (now !== null && now !== this.published.at(-1)) this.published.push(now);
    });
  }

  get snapshot(): Snapshot | null {
    return this.source.current();
  }

  get noted() {
    return this.source.note;
  }
  get database(): string | undefined {
    return this.source.note.database;
  }

  get problems(): string[] {
    return this.source.problems().map(({ code }) => code);
  }

  get ports(): string[] {
    return (this.source.current()?.ports ?? []).map(({ name }) => name).sort();
  }

  /** Waits until it is so; by the source's own news. */
  async until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = this.source.subscribe(() => holds() && resolve());
    const timer = setTimeout(() => reject(new Error(`not so: ${what}; ${JSON.stringify([this.problems, this.source.current()])}`)), 60_000);
    await promise.finally(() => (clearTimeout(timer), end()));
  }

  close(): Promise<void> {
    return this.source.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.source.close();
  }
}
