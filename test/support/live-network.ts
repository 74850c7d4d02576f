import { type OvsdbClient, connect } from "@pulumi-ovn/ovsdb-client";
import type { RowKind, ZoneArgs } from "../../provider/kind";
import { ensureRows, removeRows } from "../../provider/rows/engine";
import type { DatabaseName, RowSet } from "../../provider/rows/rowset";
import { type Layer2NetworkArgs, type ZonePlan, expandLayer2Network, kinds } from "../../provider/topology";

type Endpoints = Readonly<Record<string, { readonly northbound: string; readonly southbound: string }>>;

/** The row sets of a zone in the order in which they depend on each other, by the resource that has them. */
export function setsOf(plan: ZonePlan): Map<string, RowSet> {
  const set = <Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): [string, RowSet][] => (args === undefined ? [] : [[kind.name, kind.render(kind.schema.parse(args)).set]]);
  return new Map([
    ...set(kinds.RemoteChassis, plan.remoteChassis),
    ...set(kinds.LayerTwoSwitch, plan.switch),
    ...set(kinds.GatewayRouter, plan.gatewayRouter),
    ...set(kinds.Layer2Gateway, plan.gateway),
    ...set(kinds.WorkloadPorts, plan.workloads),
  ]);
}

/**
 * Writes networks as the resources of `Layer2Network` do, without the Pulumi CLI: zones in parallel, in each zone one
 * transaction after the other. For tests that need many steps, or the moment of each.
 */
export class LiveNetwork implements AsyncDisposable {
  #written: Readonly<Record<string, ZonePlan>> = {};
  readonly #clients = new Map<string, Promise<OvsdbClient>>();

  constructor(private readonly endpoints: Endpoints) {}

  /** Brings all zones from what was written last to this network; undefined: to none. Returns `zone resource` of all that changed. */
  async write(args: Layer2NetworkArgs | undefined): Promise<string[]> {
    const after = args ? expandLayer2Network(args).zones : {};
    const zones = [...new Set([...Object.keys(this.#written), ...Object.keys(after)])];
    const changed = await Promise.all(zones.map((zone) => this.#zone(zone, this.#written[zone], after[zone])));
    this.#written = after;
    return changed.flat().sort();
  }

  async #zone(zone: string, before: ZonePlan | undefined, after: ZonePlan | undefined): Promise<string[]> {
    const previous = before ? setsOf(before) : new Map<string, RowSet>();
    const desired = after ? setsOf(after) : new Map<string, RowSet>();
    const gone = [...previous.keys()].filter((name) => !desired.has(name)).reverse();
    const changed: string[] = [];
    for (const name of [...desired.keys(), ...gone]) {
      const [old, wanted] = [previous.get(name), desired.get(name)];
      if (JSON.stringify(old) === JSON.stringify(wanted)) continue;
      const target = { client: await this.#client(zone, (wanted ?? old)!.database), owner: `urn:pulumi:dev::net::${name}::${zone}` };
      await (wanted ? ensureRows(target, wanted, old) : removeRows(target, old!));
      changed.push(`${zone} ${name}`);
    }
    return changed;
  }

  #client(zone: string, database: DatabaseName): Promise<OvsdbClient> {
    const key = `${zone} ${database}`;
    const { northbound, southbound } = this.endpoints[zone]!;
    const client = this.#clients.get(key) ?? connect(database === "OVN_Northbound" ? northbound : southbound, { database });
    this.#clients.set(key, client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients.values()) await (await client).close();
  }
}
