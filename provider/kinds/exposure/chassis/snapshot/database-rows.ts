import type { Row } from "@pulumi-ovn/ovsdb-client";
import { Memo } from "../memo";
import { floatingIP, groupsOf, loadBalancer, portBinding, type Read } from "./rows";
import type { FloatingIP, LoadBalancer, NorthboundFacts, PortBinding } from "./snapshot";

/** Port bindings between networks, by type: one for each network, not for each workload. (ovn-sb(5), Port_Binding) */
export const NETWORK_PORTS = ["patch", "localnet", "chassisredirect", "l3gateway"] as const;

/** A row of a database, of a monitor or of a query. */
export interface DatabaseRow {
  readonly uuid: string;
  get(column: string): Row[string] | undefined;
}

/** Rows of some tables. */
export interface DatabaseRows {
  table(name: string): Iterable<DatabaseRow> & { get(uuid: string): DatabaseRow | undefined };
}

/** Reads the parts of a snapshot from rows of the Southbound database. An unchanged row gives the same object again. */
export class SouthboundReader {
  private readonly bindings = new Memo<PortBinding>();
  private readonly balancers = new Memo<LoadBalancer>();
  private encaps: readonly DatabaseRow[] = [];
  private addresses: readonly string[] = [];

  /** @param columns that the server has, by table */
  constructor(
    private readonly rows: DatabaseRows,
    private readonly columns: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** UUIDs of the rows of chassis, by name. */
  chassis(): ReadonlyMap<string, string> {
    return new Map([...this.rows.table("Chassis")].map((row) => [row.get("name") as string, row.uuid]));
  }

  ports(): PortBinding[] {
    return [...this.rows.table("Port_Binding")].map((row) => {
      const datapath = this.rows.table("Datapath_Binding").get(row.get("datapath") as string);
      return this.bindings.of([row, datapath], () => portBinding(this.reader("Port_Binding", row), this.reader("Datapath_Binding", datapath)));
    });
  }

  /** Datapath groups that load balancers refer to. */
  groups(): string[] {
    return [...new Set([...this.rows.table("Load_Balancer")].flatMap((row) => groupsOf(this.reader("Load_Balancer", row))))].sort();
  }

  loadBalancers(): LoadBalancer[] {
    return [...this.rows.table("Load_Balancer")].map((row) => {
      const read = this.reader("Load_Balancer", row);
      const groups = groupsOf(read).map((uuid) => this.rows.table("Logical_DP_Group").get(uuid));
      const datapaths = () => groups.flatMap((group) => (group?.get("datapaths") as string[] | undefined) ?? []);
      return this.balancers.of([row, ...groups], () => loadBalancer(read, datapaths()));
    });
  }

  /** Addresses of encapsulations, sorted; the same list while the rows are the same. A chassis may have several encapsulations at one address. */
  tunnels(): readonly string[] {
    const rows = [...this.rows.table("Encap")];
    if (rows.length !== this.encaps.length || rows.some((row, at) => row !== this.encaps[at])) {
      this.encaps = rows;
      this.addresses = [...new Set(rows.map((row) => row.get("ip") as string))].sort();
    }
    return this.addresses;
  }

  private reader(table: string, row: DatabaseRow | undefined): Read {
    const columns = this.columns[table]!;
    return (column) => (columns.includes(column) ? row?.get(column) : undefined);
  }
}

/** Columns of the Northbound database that NAT facts are read from. */
export const NAT_COLUMNS = {
  Logical_Router: ["nat"],
  Logical_Switch_Port: ["name", "options"],
  NAT: ["type", "external_ip", "logical_port", "external_mac"],
} as const;

/** Reads NAT facts from rows of the Northbound database. */
export class NatRows {
  private readonly found = new Memo<readonly FloatingIP[]>();

  constructor(private readonly rows: DatabaseRows) {}

  facts(): NorthboundFacts {
    const announcing = [...this.rows.table("Logical_Switch_Port")].filter(
      (row) => (row.get("options") as ReadonlyMap<string, string>).get("nat-addresses") === "router",
    );
    return {
      floatingIPs: [...this.rows.table("Logical_Router")].flatMap((router) => this.floatingIPs(router)),
      natPorts: announcing.map((row) => row.get("name") as string).sort(),
    };
  }

  private floatingIPs(router: DatabaseRow): readonly FloatingIP[] {
    const rows = (router.get("nat") as string[]).map((uuid) => this.rows.table("NAT").get(uuid));
    return this.found.of([router, ...rows], () => rows.flatMap((row) => (row ? floatingIP(router.uuid, (column) => row.get(column)) : [])));
  }
}
