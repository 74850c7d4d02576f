import type { Prefix } from "../../address";
import type { FloatingIP, LoadBalancer, PortBinding, Snapshot } from "./snapshot";
import { addressesOf } from "./addresses";
import { type Link, Links } from "./link";
import type { Problem } from "./problem";
import type { Joint } from "./sender";
import { resorted } from "./resorted";

/** A switch or router. */
export interface Datapath {
  readonly uuid: string;
  readonly name: string;
}

/** A router's port on a provider network that is on this chassis now: a gateway router's, or a distributed gateway port. */
export interface Gateway {
  /** The row with the addresses, on the router. */
  readonly port: PortBinding;
  /** The router's port by the name that people gave it, and the switch's port to it. */
  readonly ends: readonly [PortBinding, PortBinding];
  readonly router: string;
  readonly network: Datapath;
}

/** An entry of a load balancer: the VIP, and its backends ("": none). */
export interface Vip {
  readonly vip: string;
  readonly backends: string;
}

/** A snapshot, with ways from row to row. */
export class World {
  readonly problems: Problem[] = [];
  readonly gateways: readonly Gateway[];
  private readonly byName: ReadonlyMap<string, PortBinding>;
  private readonly byDatapath: ReadonlyMap<string, readonly PortBinding[]>;
  private readonly links: Links;
  private readonly floating: ReadonlyMap<string, readonly FloatingIP[]>;
  private readonly natPorts: ReadonlySet<string>;
  private readonly balancers = new Map<string, LoadBalancer[]>();
  private readonly subnets = new Map<string, readonly Prefix[]>();
  private readonly vips = new Map<string, readonly Vip[]>();

  constructor(readonly snapshot: Snapshot) {
    // One order, whatever that of the rows is.
    const ports = inOrder(snapshot.ports);
    this.byName = new Map(ports.map((port) => [port.name, port]));
    this.byDatapath = Map.groupBy(ports, ({ datapath }) => datapath);
    this.links = new Links(snapshot, ports, (datapath) => this.joints(datapath), this.problems);
    const { floatingIPs, natPorts } = snapshot.northbound;
    this.floating = Map.groupBy(floatingIPs, ({ router }) => router);
    this.natPorts = new Set(natPorts);
    for (const balancer of snapshot.loadBalancers) {
      for (const datapath of balancer.datapaths) {
        const known = this.balancers.get(datapath);
        if (known) known.push(balancer);
        else this.balancers.set(datapath, [balancer]);
      }
    }
    this.gateways = ports.flatMap((port) => this.gateway(port));
  }

  get ports(): Iterable<PortBinding> {
    return this.byName.values();
  }

  portsOf(datapath: string): readonly PortBinding[] {
    return this.byDatapath.get(datapath) ?? [];
  }

  port(name: string | undefined): PortBinding | undefined {
    return name === undefined ? undefined : this.byName.get(name);
  }

  /** The port at the other end, of a port between a switch and a router, or two routers. */
  peer({ options }: PortBinding): PortBinding | undefined {
    return this.port(options["peer"]);
  }

  /** Whether OVN takes a port's packets on this chassis: `is_chassis_resident` of ovn-sb(5), for workloads not before their flows are there. */
  isHere({ type, chassis, up }: PortBinding): boolean {
    const { uuid } = this.snapshot.chassis;
    return uuid !== null && chassis === uuid && (up || !isWorkload(type));
  }

  isProvider(datapath: string): boolean {
    return this.links.isProvider(datapath);
  }

  /** The way from the host into a provider network. undefined: there is none, which is a problem that has been noted. */
  link(network: Datapath): Link | undefined {
    return this.links.of(network);
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

  /** A network's ports to routers, with those of switches that are joined to it. */
  private joints(datapath: string, seen = new Set([datapath])): Joint[] {
    return this.portsOf(datapath).flatMap((port): Joint[] => {
      const peer = this.peer(port);
      if (!peer || peer.router) return peer ? [[port, peer]] : [];
      if (seen.has(peer.datapath)) return [];
      seen.add(peer.datapath);
      return this.joints(peer.datapath, seen);
    });
  }

  note(problem: Problem): void {
    this.problems.push(problem);
  }

  /**
   * Entries of the load balancers that a router has. Releases before 23.09 don't say routers: there, those of the tenant networks
   * behind it are meant, where the members of load balancers are.
   */
  vipsOf(router: string): readonly Vip[] {
    const known = this.vips.get(router);
    if (known) return known;
    const networks = new Set(this.portsOf(router).flatMap((port) => {
      const peer = this.peer(port);
      return peer && !peer.router && !this.isProvider(peer.datapath) ? [peer.datapath] : [];
    }));
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

  /** Whether a switch's port to a router has the addresses of its NAT told. */
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

  private gateway(port: PortBinding): Gateway[] {
    if (!port.router || !this.isHere(port)) return [];
    const own = port.type === "chassisredirect" ? this.port(port.options["distributed-port"]) : port.type === "l3gateway" ? port : undefined;
    const peer = own && this.peer(own);
    if (!own || !peer || !this.isProvider(peer.datapath)) return [];
    return [{ port, ends: [own, peer], router: port.datapath, network: datapathOf(peer) }];
  }
}

const inOrder = resorted<PortBinding>((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

export const isWorkload = (type: string): boolean => type === "" || type === "virtual";

export const datapathOf = ({ datapath, network }: PortBinding): Datapath => ({ uuid: datapath, name: network });
