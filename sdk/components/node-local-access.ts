import { expandNodeLocalAccess, notObject, type NodeLocalAccessArgs as PlainArgs, type NodeLocalHostArgs, waitFailures } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { laterFailures } from "../plain";
import { named, orRefuse, refusal, refuseUnsendable, refusingToo } from "../program-error";
import { AddressPool } from "../resources/address-pool";
import { NodeLocalBridge } from "../resources/node-local-bridge";
import { NodeLocalGateway } from "../resources/node-local-gateway";
import { claimInProgram } from "./program-claims";
import { type WaitFor, waitForZones } from "./wait";

/** The arguments of node-local access; only the routers may be outputs. */
export interface NodeLocalAccessArgs extends Omit<PlainArgs, "zones"> {
  /** Zones by name, keys of `zones` in the file of targets. */
  zones: Record<string, NodeLocalZoneArgs>;
  /** Condition that all zones must meet. Default: `chassis`. */
  waitFor?: WaitFor;
  /** Seconds that one zone may take to catch up. Default: 60. */
  waitTimeout?: number;
}

export interface NodeLocalZoneArgs {
  /** The router whose workloads reach their nodes: UUID or name. */
  router: pulumi.Input<string>;
  /** Nodes of this zone by name. A name occurs in one zone only. */
  nodes: Record<string, NodeLocalHostArgs>;
  /** The node whose chassis answers for the gateway port's own address. Default: the first by name. */
  gateway?: string;
}

/**
 * Access of workloads and hosts to services on the hosts, under the hosts' addresses and without leaving the node.
 *
 * See docs/how-to/node-local.md.
 */
export class NodeLocalAccess extends pulumi.ComponentResource {
  /** Source address that each node's services see for packets of the host to itself. */
  readonly addresses: pulumi.Output<Record<string, string[]>>;
  /** Keyed by zone. */
  readonly gateways: Readonly<Record<string, NodeLocalGateway>>;
  /** Keyed by node, with the addresses and the MAC that the host's internal port must have. */
  readonly hosts: Readonly<Record<string, NodeLocalBridge>>;

  constructor(name: string, args: NodeLocalAccessArgs, options?: pulumi.ComponentResourceOptions) {
    const what = named("NodeLocalAccess", name, args);
    super("ovn:network:NodeLocalAccess", name, {}, options);
    const { waitFor = "chassis", waitTimeout, ...rest } = args;
    refuseUnsendable(what, rest);
    const wait = { waitFor, waitTimeout };
    const plan = refusingToo(what, waitFailures(wait), () => expand(what, rest));
    claimInProgram(what, Object.keys(plan.gateways), plan.claims);
    const child = { parent: this };
    const pool = new AddressPool(`${name}-addresses`, plan.pool, child);
    const hosts = Object.entries(plan.bridges).map(([node, bridge]) => [node, new NodeLocalBridge(`${name}-bridge-${node}`, bridge, child)] as const);
    this.addresses = pool.addresses;
    this.hosts = Object.fromEntries(hosts);
    this.gateways = Object.fromEntries(
      Object.entries(plan.gateways).map(([zone, gateway]) => {
        const nodes = Object.fromEntries(Object.entries(gateway.nodes).map(([node, own]) => [node, { ...own, addresses: pool.of(node) }]));
        return [zone, new NodeLocalGateway(`${name}-gateway-${zone}`, { ...gateway, router: args.zones[zone]!.router, nodes }, child)];
      }),
    );
    const written = Object.entries(plan.gateways).map(
      ([zone, { nodes }]) => [zone, [this.gateways[zone]!, ...Object.keys(nodes).map((node) => this.hosts[node]!)]] as const,
    );
    waitForZones(`${name}-propagation`, Object.fromEntries(written), wait, this);
    this.registerOutputs({ addresses: this.addresses });
  }
}

/** Expands the arguments. The routers' UUIDs may be unknown; only the resources need them. */
function expand(what: string, args: Omit<NodeLocalAccessArgs, "waitFor" | "waitTimeout">) {
  const { zones } = args;
  // Values that are not objects are not spread here: the schema refuses them.
  const routed = notObject(zones) === undefined ? Object.fromEntries(Object.entries(zones).map(([zone, part]) => [zone, withRouter(part)])) : zones;
  const later = laterFailures({ ...args, zones: routed });
  if (later.length > 0) throw refusal(what, later);
  return orRefuse(what, () => expandNodeLocalAccess({ ...args, zones: routed as never }));
}

function withRouter(part: NodeLocalZoneArgs): unknown {
  return notObject(part) === undefined ? { ...part, router: "router" } : part;
}
