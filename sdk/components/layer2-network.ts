import { type AdoptArgs, ArgumentError, expandLayer2Network, type Layer2NetworkArgs as PlainArgs, type Layer2NetworkPlan, type WorkloadPlan, type ZonePlan } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { GatewayRouter } from "../resources/gateway-router";
import { LayerTwoSwitch } from "../resources/layer-two-switch";
import { Layer2Gateway } from "../resources/layer2-gateway";
import { Propagation } from "../resources/propagation";
import { RemoteChassis } from "../resources/remote-chassis";
import { WorkloadPorts } from "../resources/workload-ports";
import { withConfiguredTopology } from "./configured-topology";

/** How far every zone must have come before the component counts as done. */
export type WaitFor = "none" | "southbound" | "chassis";

/** The arguments of a layer-2 network, as `expandLayer2Network` documents them; only the tunnel keys may be outputs. */
export interface Layer2NetworkArgs extends Omit<PlainArgs, "tunnelKeys">, AdoptArgs {
  /**
   * Datapath keys of the switch and of the transit router, the same in every zone: an owner's keys of a
   * `TunnelKeyPool`, or two numbers.
   */
  tunnelKeys: pulumi.Input<number[]>;
  /**
   * `southbound`: northd of every zone has translated the rows. `chassis`: every chassis has installed the flows, so
   * that packets pass when `pulumi up` returns. Waits once per zone and update, at most `waitTimeout`. Default: `chassis`.
   */
  waitFor?: WaitFor;
  /** Seconds that one zone may take to follow. Default: 60. */
  waitTimeout?: number;
}

/** The resources of one zone. */
export interface NetworkZone {
  readonly switch: LayerTwoSwitch;
  readonly gatewayRouter: GatewayRouter;
  /** What is between the two; its `uuid` is the transit router's. */
  readonly gateway: Layer2Gateway;
  readonly workloads: WorkloadPorts | undefined;
  readonly remoteChassis: RemoteChassis | undefined;
}

/**
 * A distributed layer-2 network over all zones: one switch and one default gateway, with the same address and MAC
 * wherever a workload runs, a transit router that spans the zones, and a gateway router on every node; or the topology
 * that came before, or any state between the two, by `topology` of each node and `upgrade`. (OKEP-5094)
 *
 * Names, addresses, MACs and port keys derive from the arguments as ovn-kubernetes derives them, each from its own
 * node or workload: adding or removing one changes nothing for the others. Arguments that can't be right are
 * refused, all at once, before any resource is registered.
 */
export class Layer2Network extends pulumi.ComponentResource {
  /** The resources of each zone, by the zone's name. */
  readonly zones: Readonly<Record<string, NetworkZone>>;
  /** The default gateway of every workload; in the gateway topology the MAC is another one on each node. */
  readonly gateway: { readonly addresses: readonly string[]; readonly mac: string };
  /** Subnets that the transit router's links are in, as given or chosen. */
  readonly transitSubnets: readonly string[];
  /** What the machines of the workloads must be configured with: addresses with masks, MAC, the port's name. */
  readonly workloads: Readonly<Record<string, WorkloadPlan>>;
  /** @internal Names and addresses of everything in the network, for components that build on it. */
  readonly plan: Layer2NetworkPlan;

  constructor(name: string, args: Layer2NetworkArgs, options?: pulumi.ComponentResourceOptions) {
    super("ovn:network:Layer2Network", name, {}, options);
    const { tunnelKeys, waitFor = "chassis", waitTimeout, adopt, ...rest } = args;
    const plan = this.#expand(name, rest);
    const keys = pulumi.output(tunnelKeys).apply((numbers) => this.#twoKeys(name, numbers));
    const zones = Object.entries(plan.zones).map(([zone, part]) => [zone, this.#zone(name, part, keys, adopt === undefined ? {} : { adopt })] as const);
    for (const [zone, resources] of zones) {
      if (waitFor !== "none") this.#propagation(name, zone, resources, waitFor, waitTimeout);
    }
    this.zones = Object.fromEntries(zones);
    this.gateway = plan.gateway;
    this.transitSubnets = plan.transitSubnets;
    this.workloads = plan.workloads;
    this.plan = plan;
    this.registerOutputs({ gateway: plan.gateway, transitSubnets: plan.transitSubnets });
  }

  #expand(name: string, args: PlainArgs) {
    try {
      return expandLayer2Network(withConfiguredTopology(name, args));
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      const lines = error.failures.map(({ path, code, message }) => `  ${path}: ${message} [${code}]`);
      throw new pulumi.RunError(`Layer2Network "${name}" can't be made from these arguments:\n${lines.join("\n")}`);
    }
  }

  #twoKeys(name: string, numbers: readonly number[]): readonly [number, number] {
    const [first, second] = numbers;
    if (numbers.length === 2 && first !== second) return [first!, second!];
    throw new pulumi.RunError(
      `Layer2Network "${name}": tunnelKeys needs two different keys, one for the switch and one for the transit router; got ${numbers.length === 2 ? "the same one twice" : numbers.length} [tunnel-keys]`,
    );
  }

  #zone(name: string, plan: ZonePlan, keys: pulumi.Output<readonly [number, number]>, adopt: AdoptArgs): NetworkZone {
    const child = { parent: this };
    const label = (role: string) => `${name}-${role}-${plan.node}`;
    const remoteChassis = plan.remoteChassis && new RemoteChassis(label("chassis"), { ...plan.remoteChassis, ...adopt }, child);
    // northd warns of every remote port whose chassis is not there yet.
    const reaching = { ...child, dependsOn: remoteChassis ? [remoteChassis] : [] };
    const layerTwoSwitch = new LayerTwoSwitch(label("switch"), { ...plan.switch, ...adopt, tunnelKey: keys[0] }, child);
    const gatewayRouter = new GatewayRouter(label("gateway"), { ...plan.gatewayRouter, ...adopt }, child);
    const between = { ...plan.gateway, ...adopt, switch: layerTwoSwitch.uuid, gatewayRouter: gatewayRouter.uuid, tunnelKey: keys[1] };
    return {
      switch: layerTwoSwitch,
      gatewayRouter,
      gateway: new Layer2Gateway(label("topology"), between, reaching),
      workloads: plan.workloads && new WorkloadPorts(label("workloads"), { ...plan.workloads, ...adopt, switch: layerTwoSwitch.uuid }, reaching),
      remoteChassis,
    };
  }

  #propagation(name: string, zone: string, resources: NetworkZone, waitFor: Exclude<WaitFor, "none">, timeout: number | undefined): void {
    const revision = Object.values(resources).flatMap((resource) => (resource === undefined ? [] : [resource.revision]));
    new Propagation(`${name}-propagation-${zone}`, { zone, waitFor, revision, ...(timeout !== undefined && { timeout }) }, { parent: this });
  }
}
