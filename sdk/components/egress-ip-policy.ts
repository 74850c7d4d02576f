import {
  type EgressIPPolicyArgs as PlainArgs,
  type EgressIPPolicyPlan,
  type EgressNetworkArgs,
  expandEgressIPPolicy,
  waitFailures,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { laterFailures } from "../plain";
import { named, orRefuse, refusal, refuseUnsendable, refusingToo } from "../program-error";
import { EgressAddress } from "../resources/egress-address";
import { EgressReroute } from "../resources/egress-reroute";
import { claimEgress } from "./egress-claims";
import { claimInProgram } from "./program-claims";
import { Layer2Network, NO_NETWORK } from "./layer2-network";
import { type Wait, type WaitFor, waitForZones } from "./wait";

/** The arguments of an egress policy, as `expandEgressIPPolicy` documents them. */
export interface EgressIPPolicyArgs extends Omit<PlainArgs, "name" | "network"> {
  /** The network of the workloads: one that this stack makes, or the description of one that exists. */
  network: Layer2Network | EgressNetworkArgs;
  /** Name of the policy in keys and address sets. Default: the resource's name. */
  name?: string;
  /** Condition that ends each step of a move: "none" may lose connections. Default: "chassis". */
  waitFor?: WaitFor;
  /** Seconds that one zone may take to catch up. Default: 60. */
  waitTimeout?: number;
}

/**
 * Egress addresses for a set of workloads, each on a node, IPv4 and IPv6. New connections are spread over all addresses. (OKEP-5094, Story 2)
 *
 * See docs/how-to/egress-ip.md.
 */
export class EgressIPPolicy extends pulumi.ComponentResource {
  /** The node that holds each egress address, of zones that this stack writes. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The rerouting policies of each zone, by the zone's name. */
  readonly reroutes: Readonly<Record<string, EgressReroute>>;

  readonly #name: string;
  readonly #wait: Wait;

  constructor(name: string, args: EgressIPPolicyArgs, options: pulumi.ComponentResourceOptions = {}) {
    const what = named("EgressIPPolicy", name, args);
    const { network, waitFor = "chassis", waitTimeout, ...rest } = args;
    const made = network instanceof Layer2Network ? network : undefined;
    const wrong = !made && pulumi.Resource.isInstance(network) ? [{ path: "network", code: "resource", message: NO_NETWORK }] : [];
    const given = { ...rest, ...(!made && { network }) };
    super("ovn:network:EgressIPPolicy", name, {}, options);
    this.#name = name;
    this.#wait = { waitFor, waitTimeout };
    const unfit = [...wrong, ...laterFailures(given)];
    if (unfit.length > 0) throw refusal(what, unfit);
    refuseUnsendable(what, given);
    const described = network instanceof Layer2Network ? network.egress : network;
    // The schema reports a missing network, together with all other errors.
    if (made && described === undefined) throw refusal(what, [UNKNOWN_NETWORK]);
    const description = described as NonNullable<typeof described>;
    const whole = refusingToo(what, waitFailures(this.#wait), () => orRefuse(what, () => expandEgressIPPolicy({ name, ...rest, network: description })));
    const plan = made ? partIn(whole, made.zones) : whole;
    claim(name, plan, args.mark, description.name);
    claimInProgram(what, [...plan.addresses.map(({ args: { zone } }) => zone), ...Object.keys(plan.reroutes)], plan.claims);
    this.addresses = Object.fromEntries(plan.addresses.map(({ node, args: { address } }) => [address, node]));
    const addresses = this.#addresses(plan, made);
    const announced = this.#waitFor("announced", zonesOf(addresses));
    this.reroutes = this.#reroutes(plan, made, [...addresses.map(({ resource }) => resource), ...(announced ? [announced] : [])]);
    this.#waitFor("applied", Object.fromEntries(Object.entries(this.reroutes).map(([zone, reroute]) => [zone, [reroute]])));
    this.registerOutputs({});
  }

  /** Routers are identified by name: when a node changes its topology, the policies move from one router to another. */
  #addresses(plan: EgressIPPolicyPlan, network: Layer2Network | undefined): AddressInZone[] {
    return plan.addresses.map(({ node, args }) => {
      // The name contains the node: on another node the address is a new resource, created before the old resource is deleted. "::" is Pulumi's own.
      const name = `${this.#name}-${args.address.replaceAll(":", "-")}-${node}`;
      return { zone: args.zone, resource: new EgressAddress(name, args, this.#child(network)) };
    });
  }

  #reroutes(plan: EgressIPPolicyPlan, network: Layer2Network | undefined, after: readonly pulumi.Resource[]): Record<string, EgressReroute> {
    return Object.fromEntries(
      Object.entries(plan.reroutes).map(([zone, args]) => [zone, new EgressReroute(`${this.#name}-reroute-${zone}`, args, this.#child(network, after))]),
    );
  }

  #waitFor(step: string, zones: Readonly<Record<string, readonly (EgressAddress | EgressReroute)[]>>): pulumi.Resource | undefined {
    return waitForZones(`${this.#name}-${step}`, zones, this.#wait, this);
  }

  /** The network's links must be there: a policy whose next hop is on no port does nothing, without a message. */
  #child(network: Layer2Network | undefined, after: readonly pulumi.Resource[] = []): pulumi.CustomResourceOptions {
    return { parent: this, dependsOn: [...(network ? [network] : []), ...after] };
  }
}

const UNKNOWN_NETWORK = {
  path: "network",
  code: "plain",
  message: "nodes, subnets and workloads' addresses of the network can't be outputs: which resources there are depends on them",
};

interface AddressInZone {
  readonly zone: string;
  readonly resource: EgressAddress;
}

function zonesOf(addresses: readonly AddressInZone[]): Record<string, EgressAddress[]> {
  const zones = Map.groupBy(addresses, ({ zone }) => zone);
  return Object.fromEntries([...zones].map(([zone, entries]) => [zone, entries.map(({ resource }) => resource)]));
}

/** The part of a plan in zones that this stack writes. */
function partIn(plan: EgressIPPolicyPlan, zones: Layer2Network["zones"]): EgressIPPolicyPlan {
  return {
    ...plan,
    addresses: plan.addresses.filter(({ args }) => Object.hasOwn(zones, args.zone)),
    reroutes: Object.fromEntries(Object.entries(plan.reroutes).filter(([zone]) => Object.hasOwn(zones, zone))),
  };
}

function claim(policy: string, plan: EgressIPPolicyPlan, mark: number | undefined, network: string): void {
  claimEgress(policy, [
    ...plan.addresses.map(({ args }) => `egress address ${args.address}`),
    ...(mark === undefined ? [] : [`mark ${mark}`]),
    ...plan.served.map((address) => `workload address ${address} of network "${network}"`),
  ]);
}
