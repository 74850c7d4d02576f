import { accepted } from "../../../kit/arguments/validate";
import { Failures } from "../../../kit/arguments/failures";
import { namesOf } from "../naming";
import type { CompactPlan, WorkloadPlan } from "../network";
import { type EgressIPPolicyArgs, type EgressNetworkArgs, type EgressNetworkWorkloadArgs, egressIPPolicySchema } from "./args";
import { check } from "./check";
import { type EgressIPPolicyPlan, planOf } from "./plan";
import { resolve } from "./resolve";

export { type EgressAddressArgs, egressAddress } from "./address";
export type { EgressIPPolicyArgs, EgressNetworkArgs, EgressNetworkWorkloadArgs, EgressNodeArgs } from "./args";
export { DRAINED_KEY, NEXT_HOPS_KEY, formatNextHops, type NodeNextHop, parseNextHops } from "./next-hops";
export type { EgressIPPolicyPlan, PlannedAddress } from "./plan";
export { egressReroute } from "./reroute";
export type { EgressGatewayArgs, EgressRerouteArgs, EgressWorkloadArgs } from "./reroute-args";

/** From a policy to the arguments of every resource in every zone. Pure. Throws one ArgumentError with everything that is wrong. */
export function expandEgressIPPolicy(args: EgressIPPolicyArgs): EgressIPPolicyPlan {
  const spec = accepted(egressIPPolicySchema, args);
  const failures = new Failures();
  const policy = resolve(spec, failures);
  check(policy, failures);
  failures.throwIfAny();
  return planOf(policy);
}

/** Returns the properties that an egress policy needs of a network of the same stack. */
export function egressNetworkOf(plan: CompactPlan): EgressNetworkArgs {
  const zones = Object.entries(plan.zones);
  const [, { gateway, switch: layer2Switch }] = zones[0]!;
  return {
    name: gateway.network ?? "",
    subnets: gateway.subnets,
    joinSubnets: gateway.joinSubnets,
    transitSubnets: gateway.transitSubnets,
    routerName: namesOf(gateway.network ?? "").transitRouter,
    switchName: layer2Switch.name,
    ...(plan.upgrade !== undefined && { upgrade: plan.upgrade }),
    nodes: Object.fromEntries(
      zones.map(([zone, { node, gatewayRouter, gateway }]) => [
        node,
        {
          id: plan.members.nodes[node]!.id,
          zone,
          externalAddresses: gatewayRouter.external.addresses,
          nextHops: gatewayRouter.external.nextHops ?? [],
          hostAddresses: gateway.management?.hostAddresses ?? [],
          gatewayRouterName: gatewayRouter.name,
          externalSwitchName: gatewayRouter.external.switchName,
          networkName: gatewayRouter.external.networkName ?? "physnet",
          ...(gatewayRouter.external.vlan !== undefined && { vlan: gatewayRouter.external.vlan }),
          topology: plan.topologies[node]!,
        },
      ]),
    ),
    workloads: Object.fromEntries(Object.entries(plan.workloads).map(([key, workload]) => [key, workloadOf(workload)])),
  };
}

function workloadOf({ node, migratesTo, addresses }: WorkloadPlan): EgressNetworkWorkloadArgs {
  return { node, addresses: addresses.map((address) => address.split("/")[0]!), ...(migratesTo !== undefined && { migration: { to: migratesTo } }) };
}
