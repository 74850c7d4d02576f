import {
  type AdoptArgs,
  type EgressNetworkArgs,
  planLayer2Network,
  type GatewayRouterArgs,
  type Layer2GatewayArgs,
  type Layer2NetworkArgs as PlainArgs,
  type Layer2SwitchArgs,
  type LooseArgs,
  type LooseNetworkArgs,
  type NetworkNodeArgs,
  type NetworkResourceKind,
  networkResourceName,
  type NetworkWorkloadArgs,
  type RemoteChassisArgs,
  type WorkloadPlan,
  type WorkloadPortsArgs,
  waitFailures,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { PerRun } from "../per-run";
import { isPlain } from "../plain";
import { named, orRefuse, refusal, refuseUnsendable, refusingToo } from "../program-error";
import type { Inputs, InZone, ResourceArgs, RowArgs } from "../resource";
import { GatewayRouter } from "../resources/gateway-router";
import { Layer2Switch } from "../resources/layer2-switch";
import { Layer2Gateway } from "../resources/layer2-gateway";
import { NetworkMembers } from "./network-members";
import { RemoteChassis } from "../resources/remote-chassis";
import { WorkloadPorts } from "../resources/workload-ports";
import { withConfiguredTopology } from "./configured-topology";
import { withIsolation } from "./isolation";
import { knownParts, laterParts, type NetworkParts, type PartArgs, type ZoneParts } from "./network-parts";
import { structureFailures } from "./network-structure";
import { checkedTunnelKeys, type TunnelKeysInput } from "./tunnel-keys";
import { ownZoneFailures } from "./own-zones";
import { type WaitFor, waitForZones } from "./wait";
import { claimInProgram } from "./program-claims";
import { IntentBook, keepsIntents } from "../intents/book";
import { networkSubject } from "../intents/subjects";
import { portNamesOf } from "../intents/port-names";

/**
 * Any value may be an output, except names of nodes, workloads, further chassis and zones. Unknown values hide only dependent values in a
 * preview.
 */
export interface Layer2NetworkArgs extends ResourceArgs<Omit<PlainArgs, "tunnelKeys" | "nodes" | "workloads">>, AdoptArgs {
  /** Nodes by name. One node in each zone. */
  nodes: Record<string, InZone<NetworkNodeArgs>>;
  /** Workloads by name. Default: none. */
  workloads?: Record<string, Inputs<NetworkWorkloadArgs>>;
  /** Datapath keys of switch and transit router, equal in every zone: `{ switch, router }`, or two keys of a `TunnelKeyPool`. */
  tunnelKeys: TunnelKeysInput;
  /** Zones that this stack writes. See docs/how-to/regions.md. Default: the zones of all nodes. */
  zones?: readonly string[];
  /** Condition that all zones must meet, in parallel, within `waitTimeout`. Default: `chassis`. */
  waitFor?: WaitFor;
  /** Seconds that one zone may take to catch up. Default: 60. */
  waitTimeout?: number;
}

/** The resources of one zone. */
export interface NetworkZone {
  readonly switch: Layer2Switch;
  readonly gatewayRouter: GatewayRouter;
  /** Rows between the two; the `uuid` is the transit router's. */
  readonly gateway: Layer2Gateway;
  readonly workloads: WorkloadPorts | undefined;
  readonly remoteChassis: RemoteChassis | undefined;
}

/**
 * A layer-2 network over all zones: a switch, a default gateway with the same address and MAC everywhere, a transit router, and a gateway router on
 * every node; or the gateway topology. (OKEP-5094)
 *
 * Names, addresses, MACs and port keys derive from each node or workload, as in ovn-kubernetes, so adding or removing one does not change others.
 */
export class Layer2Network extends pulumi.ComponentResource {
  /** The resources of each zone that this stack writes, by the zone's name. */
  readonly zones: Readonly<Record<string, NetworkZone>>;
  /** The default gateway of workloads. */
  readonly gateway: pulumi.Output<{ readonly addresses: readonly string[]; readonly mac: string }>;
  /** Subnets of the network, as given. */
  readonly subnets: pulumi.Output<readonly string[]>;
  /** Subnets that the transit router's links are in, as given or chosen. */
  readonly transitSubnets: pulumi.Output<readonly string[]>;
  /** Settings for the workloads' machines: addresses with masks, MAC, port name. */
  readonly workloads: Readonly<Record<string, pulumi.Output<WorkloadPlan>>>;
  /** @internal What egress policies have to know of the network; undefined when something of it is an output. */
  readonly egress: EgressNetworkArgs | undefined;

  constructor(name: string, args: Layer2NetworkArgs, options?: pulumi.ComponentResourceOptions) {
    const what = named("Layer2Network", name, args);
    const book = new IntentBook(what, () => networkSubject({ ...args }));
    super("ovn:network:Layer2Network", name, { intents: book.intents(), ports: book.forReaders((intents) => portNamesOf(args, intents)) }, options);
    keepsIntents(this, book);
    const { tunnelKeys, waitFor = "chassis", waitTimeout, adopt, zones: own, ...given } = args;
    refuseUnsendable(what, given);
    const rest = withIsolation(given);
    const wait = { waitFor, waitTimeout };
    // Known keys are judged with the rest.
    const parts = refusingToo(what, [...waitFailures(wait), ...ownZoneFailures(own, rest.nodes)], () =>
      partsOf(
        what,
        orRefuse(what, () => withConfiguredTopology(name, isPlain(tunnelKeys) ? { ...rest, tunnelKeys } : rest)),
      ),
    );
    const keys = checkedTunnelKeys(what, tunnelKeys, rest.nodes);
    const members = new NetworkMembers(`${name}-members`, parts.members, { parent: this });
    const zones = Object.entries(parts.zones)
      .filter(([zone]) => own?.includes(zone) ?? true)
      .map(([zone, part]) => [zone, this.#zone(name, zone, part, members, keys, adopt === undefined ? {} : { adopt })] as const);
    waitForZones(
      `${name}-propagation`,
      Object.fromEntries(zones.map(([zone, resources]) => [zone, Object.values(resources).filter((resource) => resource !== undefined)])),
      wait,
      this,
    );
    this.zones = Object.fromEntries(zones);
    this.subnets = pulumi.output(args.subnets);
    this.gateway = parts.gateway;
    this.transitSubnets = parts.transitSubnets;
    this.workloads = parts.workloads;
    this.egress = parts.egress;
    this.registerOutputs({ gateway: parts.gateway, transitSubnets: parts.transitSubnets });
  }

  #zone(name: string, zone: string, part: ZoneParts, members: NetworkMembers, keys: ReturnType<typeof checkedTunnelKeys>, adopt: AdoptArgs): NetworkZone {
    const child = { parent: this };
    // Each part has exactly the arguments of its resource.
    const argsOf = <Args>(args: PartArgs) => ({ ...args, ...adopt }) as unknown as RowArgs<Args>;
    const referring = <Args>(args: PartArgs, list: Parameters<NetworkMembers["reference"]>[0]) => argsOf<Args>({ ...args, members: members.reference(list) });
    const nameOf = (kind: NetworkResourceKind) => networkResourceName(name, kind, part.node);
    const remoteChassis = part.remoteChassis && remoteChassisOf(zone, nameOf("RemoteChassis"), referring(part.remoteChassis, "chassis"), child);
    // northd warns of every remote port whose chassis is not there yet.
    const reaching = { ...child, dependsOn: remoteChassis ? [remoteChassis] : [] };
    const layer2Switch = new Layer2Switch(nameOf("Layer2Switch"), { ...argsOf<Layer2SwitchArgs>(part.switch), tunnelKey: keys.switch }, child);
    const gatewayRouter = new GatewayRouter(nameOf("GatewayRouter"), argsOf<GatewayRouterArgs>(part.gatewayRouter), child);
    const between = {
      ...referring<Layer2GatewayArgs>(part.gateway, "nodes"),
      switch: layer2Switch.uuid,
      gatewayRouter: gatewayRouter.uuid,
      tunnelKey: keys.router,
    };
    return {
      switch: layer2Switch,
      gatewayRouter,
      gateway: new Layer2Gateway(nameOf("Layer2Gateway"), between, reaching),
      workloads:
        part.workloads &&
        new WorkloadPorts(nameOf("WorkloadPorts"), { ...referring<WorkloadPortsArgs>(part.workloads, "workloads"), switch: layer2Switch.uuid }, reaching),
      remoteChassis,
    };
  }
}

/** Error for another resource instead of a network. */
export const NO_NETWORK = "is a resource, but no Layer2Network";

/** Last remote chassis of this run, keyed by zone. Several networks share these rows, so they create and change them one after another. */
const lastChassis = new PerRun(() => new Map<string, RemoteChassis>());

function remoteChassisOf(zone: string, name: string, args: RowArgs<RemoteChassisArgs>, options: pulumi.CustomResourceOptions): RemoteChassis {
  const before = lastChassis.current.get(zone);
  const made = new RemoteChassis(name, args, { ...options, dependsOn: before ? [before] : [] });
  lastChassis.current.set(zone, made);
  return made;
}

/** Checks all arguments together. If they are known, the check runs before any resource is registered; otherwise as soon as they are. */
function partsOf(what: string, args: object): NetworkParts {
  const check = (known: PlainArgs) => {
    const plan = orRefuse(what, () => planLayer2Network(known));
    claimInProgram(what, Object.keys(plan.zones), plan.claims);
    return plan;
  };
  if (isPlain(args)) return knownParts(check(args as PlainArgs));
  const failures = structureFailures(args as LooseArgs);
  if (failures.length > 0) throw refusal(what, failures);
  return laterParts(what, args as LooseNetworkArgs, check);
}
