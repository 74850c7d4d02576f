import type { DatabaseSchema, Monitor, MonitorCondition, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { OnLost, View } from "./connection";
import type { HostFacts } from "./host-view";
import { columnsOf, exposuresOf, type Snapshot, SouthboundReader } from "@pulumi-ovn/provider/agent";
import { Narrowing } from "./narrowing";
import { type Conditions, NO_ROWS, type Narrowed } from "./conditions";

const NARROWED: ReadonlySet<string> = new Set<Narrowed>(["Chassis", "Encap", "Port_Binding", "Load_Balancer", "Logical_DP_Group"]);

type Tables = Readonly<Record<string, { readonly columns: readonly string[]; readonly where?: readonly MonitorCondition[] }>>;

/** The tables with the columns that a server has. */
function tablesFor(schema: DatabaseSchema): Tables {
  return Object.fromEntries(Object.entries(columnsOf(schema)).map(([name, columns]) => [name, { columns, ...(NARROWED.has(name) && { where: NO_ROWS }) }]));
}

/** Data of the Southbound database that concerns the host. */
export class ZoneView implements View {
  private readonly narrowing: Narrowing;
  private readonly rows: SouthboundReader;

  private constructor(
    private readonly monitor: Monitor,
    tables: Tables,
    changed: () => void,
    lost: OnLost,
  ) {
    this.narrowing = new Narrowing(monitor, changed, lost);
    this.rows = new SouthboundReader(monitor, Object.fromEntries(Object.entries(tables).map(([name, { columns }]) => [name, columns])));
  }

  static async open(client: OvsdbClient, lost: OnLost, changed: () => void): Promise<ZoneView> {
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
    return this.rows.groups();
  }

  snapshot({ name, bridges }: HostFacts): Omit<Snapshot, "northbound" | "servers" | "unreadable"> {
    const { rows } = this;
    const chassis = rows.chassis();
    const [options] = [...this.monitor.table("SB_Global")].map((row) => row.get("options") as ReadonlyMap<string, string>);
    return {
      chassis: { name, uuid: chassis.get(name) ?? null },
      otherChassis: Object.fromEntries([...chassis].filter(([other]) => other !== name).map(([other, uuid]) => [uuid, other])),
      bridges,
      ports: rows.ports(),
      loadBalancers: rows.loadBalancers(),
      exposures: exposuresOf(options ?? new Map()),
      tunnels: rows.tunnels(),
    };
  }
}
