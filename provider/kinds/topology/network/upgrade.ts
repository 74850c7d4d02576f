import { type Prefix, contains, formatIp, gatewayPortKey, lastOf, ofFamily } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../holders";
import { stageFailures } from "../layer2-gateway/stage";
import type { ResolvedNetwork } from "./resolve";

/** Whether gateway routers are ports of the switch, or are about to be. */
export function onSwitch({ spec, nodes }: ResolvedNetwork): boolean {
  return spec.upgrade !== undefined || nodes.some((node) => node.spec.topology === "gateway");
}

/**
 * Whether gateway routers translate only packets that leave the network. False in "settle", because no gateway router is
 * on the switch then. So the routers' own translations stay the same in the step from "settle" to no stage, in which
 * translations of egress policies change.
 */
export function translatesOutsideOnly(network: ResolvedNetwork): boolean {
  return onSwitch(network) && network.spec.upgrade !== "settle";
}

export function checkUpgrade(network: ResolvedNetwork, failures: Failures): void {
  const { spec, workloads } = network;
  failures.addAll(stageFailures(spec.nodes, spec.upgrade));
  if (!onSwitch(network)) return;
  const holders = new Holders(failures);
  // Workloads first: a duplicate key is then reported for the node, whose key can be changed as long as no row is written.
  for (const { name, tunnelKey } of workloads) if (tunnelKey !== undefined) holders.take("port key", tunnelKey, `workload ${name}`, "");
  for (const { name, spec: node } of network.nodes) {
    holders.take("port key", node.switchPortKey ?? gatewayPortKey(node.id), name, propertyPath(["nodes", name, "switchPortKey"]));
  }
  if (spec.upgrade === "announce" && unusedAddress(network) === undefined && ofFamily(network.subnets, 4)) {
    failures.add(
      "upgrade",
      "exhausted",
      `needs an unused IPv4 address, to announce the gateway by asking for it: the last ${SEARCHED} of ${formatIp(lastOf(ofFamily(network.subnets, 4)!))} and below are taken`,
    );
  }
}

const SEARCHED = 1000n;

/** The highest IPv4 address of the network that is neither a workload's nor the network's own. */
export function unusedAddress({ subnets, gateways, management, workloads }: ResolvedNetwork): string | undefined {
  const subnet: Prefix | undefined = ofFamily(subnets, 4);
  if (!subnet) return undefined;
  const own = [...gateways, ...(management?.addresses ?? []), ...workloads.flatMap(({ addresses }) => addresses)];
  const taken = new Set(own.filter(({ family }) => family === 4).map(({ value }) => value));
  const last = lastOf(subnet).value;
  for (let value = last - 1n; value > last - SEARCHED && contains(subnet, { family: 4, value }) && value > subnet.value; value--) {
    if (!taken.has(value)) return formatIp({ family: 4, value });
  }
  return undefined;
}
