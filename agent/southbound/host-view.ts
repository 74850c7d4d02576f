import type { Monitor, Open_vSwitch, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { OnLost, View } from "./connection";
import { type HostNote, noteIn } from "./host-note";
import { chassisMacsOf, type LocalBridge, mappingsOf } from "@pulumi-ovn/provider/agent";

const TABLES = {
  Open_vSwitch: { columns: ["external_ids"] },
  Bridge: { columns: ["name", "ports"] },
  Port: { columns: ["name", "interfaces", "external_ids"] },
  Interface: { columns: ["name", "type", "ofport", "mac_in_use", "options"] },
} as const;
type Rows = { readonly [T in keyof typeof TABLES]: Open_vSwitch[T]["row"] };

/** `external_ids` of the table Open_vSwitch. */
export type Settings = ReadonlyMap<string, string>;

const NAME = "system-id";

/** Data about the host from its own database. */
export interface HostFacts {
  readonly name: string;
  /** Whether the host currently has the name. */
  readonly named: boolean;
  /** Settings from which the other fields are read. */
  readonly settings: Settings;
  /** Endpoints of the Southbound database. */
  readonly remote: string | undefined;
  /** Endpoints of the Northbound database. */
  readonly northboundRemote: string | undefined;
  /** Note of a previous agent. */
  readonly note: HostNote;
  readonly bridges: Readonly<Record<string, LocalBridge>>;
}

export class HostView implements View {
  private constructor(private readonly monitor: Monitor<Rows>) {}

  static async open(client: OvsdbClient, lost: OnLost, changed: () => void): Promise<HostView> {
    const monitor = (await client.as<Open_vSwitch>().monitor(TABLES)) as unknown as Monitor<Rows>;
    monitor.subscribe({ changed, failed: lost });
    return new HostView(monitor);
  }

  close(): void {
    this.monitor.cancel();
  }

  /**
   * Undefined if the host has never had a name.
   *
   * @param last settings that it had, which hold while it has no name: ovn-controller changes nothing then, either
   */
  facts(last: Settings | undefined): HostFacts | undefined {
    const [root] = [...this.monitor.table("Open_vSwitch")];
    const now: Settings | undefined = root?.get("external_ids");
    const named = Boolean(now?.get(NAME));
    const ids = named ? now : last;
    if (ids === undefined) return undefined;
    const name = ids.get(NAME)!;
    // Several ovn-controllers of one host each have their own settings. (ovn-controller(8))
    const setting = (key: string) => ids.get(`${key}-${name}`) ?? ids.get(key);
    const chassisMacs = chassisMacsOf(setting("ovn-chassis-mac-mappings") ?? "");
    return {
      name,
      named,
      settings: ids,
      remote: setting("ovn-remote"),
      northboundRemote: setting("ovn-nb-remote"),
      note: noteIn(ids),
      bridges: Object.fromEntries(
        mappingsOf(setting("ovn-bridge-mappings") ?? "").map(([physical, bridge]) => [
          physical,
          { ...this.bridge(bridge), chassisMac: chassisMacs.get(physical) },
        ]),
      ),
    };
  }

  private bridge(name: string): LocalBridge {
    const row = this.monitor.table("Bridge").index("name").first(name);
    const ports = (row?.get("ports") ?? []).map((uuid) => this.monitor.table("Port").get(uuid)).filter((port) => port !== undefined);
    const patches = ports.flatMap((port): [string, string][] => {
      // ovn-controller notes here which localnet port it has made the patch port for.
      const localnet = port.get("external_ids").get("ovn-localnet-port");
      const [own] = port.get("interfaces").map((uuid) => this.monitor.table("Interface").get(uuid));
      const number = own?.get("type") === "patch" ? Number(own.get("ofport") ?? -1) : -1;
      return localnet !== undefined && number > 0 ? [[localnet, String(number)]] : [];
    });
    const local = row && this.monitor.table("Interface").index("name").first(name);
    const uplinks = [...new Set(this.outside(name, new Set([name])))].sort();
    return { name, mac: local?.get("mac_in_use") ?? null, patches: Object.fromEntries(patches.sort(([a], [b]) => (a < b ? -1 : 1))), uplinks };
  }

  /** Interfaces that lead out of the switch, of a bridge and of those that patch ports join to it. Patch ports to br-int belong to OVN. */
  private outside(bridge: string, seen: Set<string>): string[] {
    const ports = this.monitor.table("Bridge").index("name").first(bridge)?.get("ports") ?? [];
    return ports.flatMap((uuid): string[] => {
      const port = this.monitor.table("Port").get(uuid);
      if (!port || port.get("external_ids").has("ovn-localnet-port")) return [];
      return port.get("interfaces").flatMap((own): string[] => {
        const found = this.monitor.table("Interface").get(own);
        if (!found || found.get("type") === "internal" || found.get("name") === bridge) return [];
        if (found.get("type") !== "patch") return [found.get("name")];
        const next = this.bridgeOf(found.get("options").get("peer"));
        if (next === undefined || seen.has(next)) return [];
        seen.add(next);
        return this.outside(next, seen);
      });
    });
  }

  private bridgeOf(interfaceName: string | undefined): string | undefined {
    const found = interfaceName === undefined ? undefined : this.monitor.table("Interface").index("name").first(interfaceName);
    const port = found && [...this.monitor.table("Port")].find((row) => row.get("interfaces").includes(found.uuid));
    return port && [...this.monitor.table("Bridge")].find((row) => row.get("ports").includes(port.uuid))?.get("name");
  }
}
