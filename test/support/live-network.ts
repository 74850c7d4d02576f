import { type OvsdbClient, connect } from "@pulumi-ovn/ovsdb-client";
import {
  type DatabaseName,
  type EgressIPPolicyArgs,
  egressNetworkOf,
  expandEgressIPPolicy,
  expandLayer2Network,
  kinds,
  type Layer2NetworkArgs,
  type RowKind,
  type RowSet,
  type ZoneArgs,
  type ZonePlan,
} from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";

type Endpoints = Readonly<Record<string, { readonly northbound: string; readonly southbound: string }>>;

const setOf = <Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): RowSet => kind.render(kind.schema.parse(args)).set;

/** The row sets of a zone in the order in which they depend on each other, by the resource that has them. */
export function setsOf(plan: ZonePlan): Map<string, RowSet> {
  const set = <Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): [string, RowSet][] => (args === undefined ? [] : [[kind.name, setOf(kind, args)]]);
  return new Map([
    ...set(kinds.RemoteChassis, plan.remoteChassis),
    ...set(kinds.Layer2Switch, plan.switch),
    ...set(kinds.GatewayRouter, plan.gatewayRouter),
    ...set(kinds.Layer2Gateway, plan.gateway),
    ...set(kinds.WorkloadPorts, plan.workloads),
  ]);
}

/** An egress policy as a program has it, without the network. */
export type LivePolicy = Omit<EgressIPPolicyArgs, "network">;

type ZoneSets = Readonly<Record<string, ReadonlyMap<string, RowSet> | undefined>>;

/** The row sets of all zones: what depends on the network comes after it. */
function allSets(args: Layer2NetworkArgs, policies: readonly LivePolicy[]): ZoneSets {
  const network = expandLayer2Network(args);
  const plans = policies.map((policy) => ({ name: policy.name, ...expandEgressIPPolicy({ ...policy, network: egressNetworkOf(network) }) }));
  return Object.fromEntries(
    Object.entries(network.zones).map(([zone, plan]) => [
      zone,
      new Map([
        ...setsOf(plan),
        ...plans.flatMap(({ name, addresses }) =>
          addresses
            .filter(({ args }) => args.zone === zone)
            .map(({ node, args }) => [`EgressAddress ${name} ${args.address} ${node}`, setOf(kinds.EgressAddress, args)] as const),
        ),
        ...plans.flatMap(({ name, reroutes }) => (reroutes[zone] ? [[`EgressReroute ${name}`, setOf(kinds.EgressReroute, reroutes[zone])] as const] : [])),
      ]),
    ]),
  );
}

/**
 * Writes networks, and egress policies over them, as the resources of `Layer2Network` and `EgressIPPolicy` do, without the Pulumi CLI: zones in parallel, in each zone one
 * transaction after the other. For tests that need many steps, or the moment of each.
 */
export class LiveNetwork implements AsyncDisposable {
  #written: ZoneSets = {};
  readonly #clients = new Map<string, Promise<OvsdbClient>>();

  /** @param name distinguishes the rows of several networks in one database */
  constructor(
    private readonly endpoints: Endpoints,
    private readonly name = "net",
  ) {}

  /**
   * Brings zones from what was written last to this network; undefined: to none. Returns `zone resource` of all that changed.
   * @param only zones of one of several stacks; the others stay as they are. Default: all.
   */
  async write(args: Layer2NetworkArgs | undefined, policies: readonly LivePolicy[] = [], only?: readonly string[]): Promise<string[]> {
    const after = args ? allSets(args, policies) : {};
    const zones = only ?? [...new Set([...Object.keys(this.#written), ...Object.keys(after)])];
    const changed = await Promise.all(zones.map((zone) => this.#zone(zone, this.#written[zone], after[zone])));
    this.#written = { ...this.#written, ...Object.fromEntries(zones.map((zone) => [zone, after[zone]])) };
    return changed.flat().sort();
  }

  async #zone(zone: string, previous: ReadonlyMap<string, RowSet> = new Map(), desired: ReadonlyMap<string, RowSet> = new Map()): Promise<string[]> {
    const gone = [...previous.keys()].filter((name) => !desired.has(name)).reverse();
    const changed: string[] = [];
    for (const name of [...desired.keys(), ...gone]) {
      const [old, wanted] = [previous.get(name), desired.get(name)];
      if (JSON.stringify(old) === JSON.stringify(wanted)) continue;
      const target = { client: await this.#client(zone, (wanted ?? old)!.database), owner: `urn:pulumi:dev::${this.name}::${name}::${zone}` };
      await (wanted ? ensureRows(target, wanted, { previous: old }) : removeRows(target, old!));
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
