import type { Prefix } from "../../../kit/address";
import type { FloatingIP, LoadBalancer, PortBinding, Snapshot } from "./snapshot/snapshot";
import { addressesOf } from "./addresses";
import { Memo } from "./memo";
import { incrementalSort } from "./incremental-sort";
import type { Joint } from "./sender";

/** An entry of a load balancer: the VIP, and its backends ("": none). */
export interface Vip {
  readonly vip: string;
  readonly backends: string;
}

/** Ways from row to row that are the same from every chassis. */
export class RowIndex {
  private readonly byName: ReadonlyMap<string, PortBinding>;
  private readonly byDatapath: ReadonlyMap<string, readonly PortBinding[]>;
  private readonly byChassis: ReadonlyMap<string | null, readonly PortBinding[]>;
  private readonly localnets: ReadonlyMap<string, readonly PortBinding[]>;
  private readonly floating: ReadonlyMap<string, readonly FloatingIP[]>;
  private readonly natPorts: ReadonlySet<string>;
  private readonly balancers = new Map<string, LoadBalancer[]>();
  private readonly joints = new Map<string, readonly Joint[]>();
  private readonly subnets = new Map<string, readonly Prefix[]>();
  private readonly vips = new Map<string, readonly Vip[]>();

  constructor({ ports: unordered, loadBalancers, northbound: { floatingIPs, natPorts } }: Rows) {
    // A fixed order that does not depend on the order of the rows.
    const ports = inOrder(unordered);
    this.byName = new Map(ports.map((port) => [port.name, port]));
    this.byDatapath = Map.groupBy(ports, ({ datapath }) => datapath);
    this.byChassis = Map.groupBy(ports, ({ chassis }) => chassis);
    this.localnets = Map.groupBy(
      ports.filter(({ type }) => type === "localnet"),
      ({ datapath }) => datapath,
    );
    this.floating = Map.groupBy(floatingIPs, ({ router }) => router);
    this.natPorts = new Set(natPorts);
    for (const balancer of loadBalancers) {
      for (const datapath of balancer.datapaths) {
        const known = this.balancers.get(datapath);
        if (known) known.push(balancer);
        else this.balancers.set(datapath, [balancer]);
      }
    }
  }

  get ports(): Iterable<PortBinding> {
    return this.byName.values();
  }

  portsOf(datapath: string): readonly PortBinding[] {
    return this.byDatapath.get(datapath) ?? [];
  }

  /** Ports that are bound to a chassis. */
  portsOn(chassis: string): readonly PortBinding[] {
    return this.byChassis.get(chassis) ?? [];
  }

  port(name: string | undefined): PortBinding | undefined {
    return name === undefined ? undefined : this.byName.get(name);
  }

  /** The port at the other end, of a port between a switch and a router, or two routers. */
  peer({ options }: PortBinding): PortBinding | undefined {
    return this.port(options["peer"]);
  }

  /** The router's port behind a provider network's own. */
  routerOf(port: PortBinding): PortBinding | undefined {
    return port.router || !this.isProvider(port.datapath) ? undefined : this.peer(port);
  }

  isProvider(datapath: string): boolean {
    return this.localnets.has(datapath);
  }

  /** Switches with a port to a physical network. */
  get providers(): string[] {
    return [...this.localnets.keys()];
  }

  /** The ports of a network to physical ones. */
  localnetsOf(datapath: string): readonly PortBinding[] {
    return this.localnets.get(datapath) ?? [];
  }

  /** Whether two provider networks share one wire: the same VLAN, or both untagged, of one physical network. */
  shareWire(one: string, other: string): boolean {
    const wires = (datapath: string) => this.localnetsOf(datapath).map(({ options, tag }) => JSON.stringify([options["network_name"], tag]));
    const own = new Set(wires(one));
    return one === other || wires(other).some((wire) => own.has(wire));
  }

  /** A network's ports to routers, with those of switches that are joined to it. */
  jointsOf(datapath: string): readonly Joint[] {
    const known = this.joints.get(datapath);
    if (known) return known;
    const found = this.connected(datapath, new Set([datapath]));
    this.joints.set(datapath, found);
    return found;
  }

  /** Subnets of a network with the addresses of routers in them, as far as routers' ports tell. */
  subnetsOf(datapath: string): readonly Prefix[] {
    const known = this.subnets.get(datapath);
    if (known) return known;
    const found = this.portsOf(datapath).flatMap((port) => {
      const peer = this.peer(port);
      return peer?.router === true ? addressesOf(peer) : [];
    });
    this.subnets.set(datapath, found);
    return found;
  }

  /**
   * Virtual addresses of the load balancers of a router. OVN before 23.09 does not name routers: there, the result has those of the
   * tenant networks behind the router, which have the backends.
   */
  vipsOf(router: string): readonly Vip[] {
    const known = this.vips.get(router);
    if (known) return known;
    const networks = new Set(
      this.portsOf(router).flatMap((port) => {
        const peer = this.peer(port);
        return peer && !peer.router && !this.isProvider(peer.datapath) ? [peer.datapath] : [];
      }),
    );
    const behind = [...networks].flatMap((datapath) => this.balancers.get(datapath) ?? []).filter(({ routersKnown }) => !routersKnown);
    const own = new Set([...(this.balancers.get(router) ?? []), ...behind]);
    const found = [...own].flatMap(({ vips }) => Object.entries(vips).map(([vip, backends]) => ({ vip, backends })));
    this.vips.set(router, found);
    return found;
  }

  /** Floating IPs of the Northbound database of the router that has the port. */
  floatingIPsOf({ logicalRouter }: PortBinding): readonly FloatingIP[] {
    return logicalRouter === null ? [] : (this.floating.get(logicalRouter) ?? []);
  }

  /** Whether a switch's port to a router announces the addresses of the router's NAT. */
  asksForNat(name: string): boolean {
    return this.natPorts.has(name);
  }

  /** A router's ports on provider networks. */
  gatewayPortsOf(router: string): readonly PortBinding[] {
    return this.portsOf(router).filter((port) => {
      const peer = this.peer(port);
      return peer !== undefined && !peer.router && this.isProvider(peer.datapath);
    });
  }

  private connected(datapath: string, seen: Set<string>): Joint[] {
    return this.portsOf(datapath).flatMap((port): Joint[] => {
      const peer = this.peer(port);
      if (!peer || peer.router) return peer ? [[port, peer]] : [];
      if (seen.has(peer.datapath)) return [];
      seen.add(peer.datapath);
      return this.connected(peer.datapath, seen);
    });
  }
}

type Rows = Pick<Snapshot, "ports" | "loadBalancers" | "northbound">;

const known = new Memo<RowIndex>();

/** The same for snapshots of several chassis that have the same lists. */
export const rowIndexOf = (rows: Rows): RowIndex => known.of([rows.ports, rows.loadBalancers, rows.northbound], () => new RowIndex(rows));

const inOrder = incrementalSort<PortBinding>((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
