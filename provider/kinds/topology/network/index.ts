import { accepted } from "../../../kit/arguments/validate";
import { Failures } from "../../../kit/arguments/failures";
import { type Layer2NetworkArgs, layer2NetworkSchema } from "./args/args";
import { check } from "./check";
import { type CompactPlan, compactPlanOf, type Layer2NetworkPlan, planOf } from "./plan";
import { type ResolvedNetwork, resolve } from "./resolve";

export type { NetworkAdvertisedArgs } from "./args/advertised-args";
export * from "./args/args";
export type { NetworkExternalArgs, NetworkFurtherExternalArgs } from "./args/external-args";
export type { NetworkManagementArgs } from "./args/management-args";
export type { NetworkMasqueradeArgs } from "./args/masquerade-args";
export type { NetworkChassisArgs, NetworkNodeArgs } from "./args/node-args";
export type { NetworkMigrationArgs, NetworkWorkloadArgs } from "./args/workload-args";
export { type LooseNetworkArgs, needsOf, partialNetwork, type PartNeeds, partOf } from "./parts";
export { networkTunnelKeys, type NetworkTunnelKeysArgs } from "./tunnel-keys";
export type { WorkloadPlan } from "./workload-plan";
export { type AdvertisedSubnets, isolatedFrom } from "./isolation";
export { type NetworkResource, type NetworkResourceKind, networkResourceName, networkResources } from "./resources";
export type { ResolvedNetwork } from "./resolve";
export type { NetworkMembersArgs } from "./lists";
export type { CompactPlan, Layer2NetworkPlan, OwnZonePlan, ZonePlan } from "./plan";

/**
 * Expands a network into the arguments of every resource in every zone. Pure: names, addresses, MACs and port keys derive only from the
 * arguments, each from its own node or workload, so adding or removing one does not change the others. Throws one ArgumentError with all
 * failures.
 */
export function expandLayer2Network(args: Layer2NetworkArgs): Layer2NetworkPlan {
  return planOf(checkedNetwork(args));
}

/** The same with the lists that all zones share once, instead of each zone's part of them. */
export function planLayer2Network(args: Layer2NetworkArgs): CompactPlan {
  return compactPlanOf(checkedNetwork(args));
}

function checkedNetwork(args: Layer2NetworkArgs): ResolvedNetwork {
  const spec = accepted(layer2NetworkSchema, args);
  const failures = new Failures();
  const network = resolve(spec, failures);
  check(network, failures);
  failures.throwIfAny();
  return network;
}
