import type { PortBinding, Snapshot } from "./snapshot/snapshot";
import { type Datapath, datapathOf } from "./datapath";
import { type Link, Links } from "./link";
import type { Problem } from "./problem";
import { type RowIndex, rowIndexOf } from "./row-index";

/** A router's port on a provider network that is on this chassis now: a gateway router's, or a distributed gateway port. */
export interface Gateway {
  /** The row with the addresses, on the router. */
  readonly port: PortBinding;
  /** The router's port by the name that people gave it, and the switch's port to it. */
  readonly ends: readonly [PortBinding, PortBinding];
  readonly router: string;
  readonly network: Datapath;
}

/** A snapshot, as its chassis sees it. */
export class ChassisModel {
  readonly problems: Problem[] = [];
  readonly rows: RowIndex;
  readonly gateways: readonly Gateway[];
  /** The ports that are bound to this chassis. */
  readonly bound: readonly PortBinding[];
  private readonly links: Pick<Links, "of">;

  /** @param links ways into provider networks; default: those of the snapshot's bridges */
  constructor(
    readonly snapshot: Snapshot,
    links?: Pick<Links, "of">,
  ) {
    const { uuid } = snapshot.chassis;
    this.rows = rowIndexOf(snapshot);
    this.bound = uuid === null ? [] : this.rows.portsOn(uuid);
    this.links = links ?? new Links(snapshot.bridges, this.rows, this.problems);
    this.gateways = this.bound.flatMap((port) => this.gateway(port));
  }

  /** Whether OVN accepts a port's packets on this chassis: `is_chassis_resident` of ovn-sb(5). For workloads only after their flows are installed. */
  isHere({ type, chassis, up }: PortBinding): boolean {
    const { uuid } = this.snapshot.chassis;
    return uuid !== null && chassis === uuid && (up || !isWorkload(type));
  }

  /** The link from the host into a provider network. Undefined if the host has no link; the problem is already recorded. */
  link(network: Datapath): Link | undefined {
    return this.links.of(network);
  }

  note(problem: Problem): void {
    this.problems.push(problem);
  }

  private gateway(port: PortBinding): Gateway[] {
    if (!port.router || !this.isHere(port)) return [];
    const own = port.type === "chassisredirect" ? this.rows.port(port.options["distributed-port"]) : port.type === "l3gateway" ? port : undefined;
    const peer = own && this.rows.peer(own);
    if (!own || !peer || !this.rows.isProvider(peer.datapath)) return [];
    return [{ port, ends: [own, peer], router: port.datapath, network: datapathOf(peer) }];
  }
}

export const isWorkload = (type: string): boolean => type === "" || type === "virtual";
