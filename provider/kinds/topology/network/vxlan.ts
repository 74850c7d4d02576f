import { VXLAN_PORT_KEYS, gatewayPortKey, transitPortKey } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import type { ResolvedNetwork } from "./resolve";
import { onSwitch } from "./upgrade";

export function usesVxlan({ nodes }: ResolvedNetwork): boolean {
  return nodes.some(({ spec }) => spec.encapsulation === "vxlan");
}

/** Port keys beyond what VXLAN carries: northd gives such a port another key, and zones don't agree on it. */
export function checkVxlanPortKeys(network: ResolvedNetwork, failures: Failures): void {
  if (!usesVxlan(network)) return;
  const { last } = VXLAN_PORT_KEYS;
  const check = (key: number | undefined, ...path: string[]) => {
    if (key !== undefined && key > last)
      failures.add(propertyPath(path), "out-of-range", `port key ${key} does not fit in VXLAN: port keys end at ${last} there`);
  };
  for (const { name, tunnelKey } of network.workloads) check(tunnelKey, "workloads", name, "tunnelKey");
  for (const {
    name,
    spec: { id, switchPortKey = gatewayPortKey(id) },
  } of network.nodes) {
    check(transitPortKey(id), "nodes", name, "id");
    if (onSwitch(network)) check(switchPortKey, "nodes", name, "switchPortKey");
  }
}
