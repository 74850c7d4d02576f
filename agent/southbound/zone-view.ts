import type { CachedRow, DatabaseSchema, Monitor, MonitorCondition, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Lost, View } from "./connection";
import type { HostFacts } from "./host-view";
import {
  columnsOf,
  exposuresOf,
  groupsOf,
  loadBalancer,
  type LoadBalancer,
  Memo,
  portBinding,
  type PortBinding,
  type Read,
  type Snapshot,
} from "@pulumi-ovn/provider/agent";
import { Narrowing } from "./narrowing";
import { type Conditions, NO_ROWS, type Narrowed } from "./wanted";

const NARROWED: ReadonlySet<string> = new Set<Narrowed>(["Chassis", "Encap", "Port_Binding", "Load_Balancer", "Logical_DP_Group"]);

type Tables = Readonly<Record<string, { readonly columns: readonly string[]; readonly where?: readonly MonitorCondition[] }>>;

/** The tables with the columns that a server has. */
function tablesFor(schema: DatabaseSchema): Tables {
  return Object.fromEntries(Object.entries(columnsOf(schema)).map(([name, columns]) => [name, { columns, ...(NARROWED.has(name) && { where: NO_ROWS }) }]));
}

/** Data of the Southbound database that concerns the host. */
export class ZoneView implements View {
  private readonly narrowing: Narrowing;
  private readonly bindings = new Memo<PortBinding>();
  private readonly balancers = new Memo<LoadBalancer>();
  private encaps: readonly CachedRow[] = [];
  private tunnels: readonly string[] = [];

  private constructor(
    private readonly monitor: Monitor,
    private readonly tables: Tables,
    changed: () => void,
    lost: Lost,
  ) {
    this.narrowing = new Narrowing(monitor, changed, lost);
  }

  static async open(client: OvsdbClient, lost: Lost, changed: () => void): Promise<ZoneView> {
    const tables = tablesFor(await client.getSchema());
    const view = new ZoneView(await client.monitor(tables), tables, changed, lost);
    const current = async () => {
      changed();
      // After an upgrade of the database there may be more to be read.
      if (JSON.stringify(tablesFor(await client.getSchema())) !== JSON.stringify(tables)) lost({ message: "the database has another schema" });
    };
    view.monitor.subscribe({ changed, failed: lost, current: () => void current().catch(lost) });
    return view;
  }

  close(): void {
    this.monitor.cancel();
  }

  /** See {@link Narrowing.to}. */
  narrow(conditions: Conditions): boolean {
    return this.narrowing.to(conditions);
  }

  /** ID of the database, new after a recreation. Undefined if northd never ran; any ovn-sbctl creates the row, without options. */
  database(): string | undefined {
    const [row] = this.monitor.table("SB_Global");
    return row && (row.get("options") as ReadonlyMap<string, string>).size > 0 ? row.uuid : undefined;
  }

  /** Datapath groups that load balancers refer to. */
  groups(): string[] {
    return [...new Set([...this.monitor.table("Load_Balancer")].flatMap((row) => groupsOf(this.reader("Load_Balancer", row))))].sort();
  }

  snapshot({ name, bridges }: HostFacts): Omit<Snapshot, "northbound" | "servers" | "held"> {
    const rows = (table: string) => [...this.monitor.table(table)];
    const chassis = new Map(rows("Chassis").map((row) => [row.get("name") as string, row.uuid]));
    const [options] = rows("SB_Global").map((row) => row.get("options") as ReadonlyMap<string, string>);
    return {
      chassis: { name, uuid: chassis.get(name) ?? null },
      otherChassis: Object.fromEntries([...chassis].filter(([other]) => other !== name).map(([other, uuid]) => [uuid, other])),
      bridges,
      ports: rows("Port_Binding").map((row) => this.binding(row)),
      loadBalancers: rows("Load_Balancer").map((row) => this.balancer(row)),
      exposures: exposuresOf(options ?? new Map()),
      tunnels: this.tunnelsOf(rows("Encap")),
    };
  }

  /** A chassis may have several encapsulations at one address. */
  private tunnelsOf(rows: readonly CachedRow[]): readonly string[] {
    if (rows.length !== this.encaps.length || rows.some((row, at) => row !== this.encaps[at])) {
      this.encaps = rows;
      this.tunnels = [...new Set(rows.map((row) => row.get("ip") as string))].sort();
    }
    return this.tunnels;
  }

  private binding(row: CachedRow): PortBinding {
    const datapath = this.monitor.table("Datapath_Binding").get(row.get("datapath") as string);
    return this.bindings.of([row, datapath], () => portBinding(this.reader("Port_Binding", row), this.reader("Datapath_Binding", datapath)));
  }

  private balancer(row: CachedRow): LoadBalancer {
    const read = this.reader("Load_Balancer", row);
    const groups = groupsOf(read).map((uuid) => this.monitor.table("Logical_DP_Group").get(uuid));
    return this.balancers.of([row, ...groups], () =>
      loadBalancer(
        read,
        groups.flatMap((group) => (group?.get("datapaths") as string[] | undefined) ?? []),
      ),
    );
  }

  private reader(table: string, row: CachedRow | undefined): Read {
    const columns = this.tables[table]!.columns;
    return (column) => (columns.includes(column) ? row?.get(column) : undefined);
  }
}
