import { parseIp } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { readPrefix } from "../fields";
import { Holders } from "../holders";
import { checkPolicyHops } from "../routing";
import { sortedEntries } from "../../../kit/entries";
import { type PolicyRouter, hopsOf, policyRoutersOf } from "./policy-routers";
import type { EgressRerouteSpec } from "./reroute-args";

/** Checks relations between arguments. Reports all failures together. */
export function check(args: EgressRerouteSpec): void {
  const failures = new Failures();
  const routers = policyRoutersOf(args);
  if (routers.length === 0) failures.add("router", "required", "is required without gateway");
  if (Object.keys(args.workloads).length === 0) failures.add("workloads", "required", "needs at least one workload");
  if (args.replyMark === 0) failures.add("replyMark", "out-of-range", "0 means that a packet has no mark");
  for (const policyRouter of routers) checkNextHops(policyRouter, failures);
  checkWorkloads(args, routers, failures);
  failures.throwIfAny();
}

function checkNextHops({ path, nextHops }: PolicyRouter, failures: Failures): void {
  for (const [node, hops] of sortedEntries(nextHops)) {
    const families = hops.map((hop) => parseIp(hop).family);
    checkPolicyHops(hops, [...path, node], failures);
    if (new Set(families).size < families.length) failures.add(propertyPath([...path, node]), "duplicate", "only one next hop of each family is possible here");
  }
}

function checkWorkloads(args: EgressRerouteSpec, routers: readonly PolicyRouter[], failures: Failures): void {
  const [first] = routers;
  const holders = new Holders(failures);
  for (const [key, { addresses, through = [] }] of sortedEntries(args.workloads)) {
    const at = (...path: PropertyKey[]) => propertyPath(["workloads", key, ...path]);
    through.forEach((node, index) => {
      if (!Object.hasOwn(args.nextHops, node))
        failures.add(at("through", index), "unknown-node", `"${node}" is not one of nextHops: ${Object.keys(args.nextHops).sort().join(", ")}`);
    });
    addresses.forEach((address, index) => {
      holders.take("address", address, key, at("addresses", index));
      const { family } = parseIp(address);
      // The gateway router next to the transit router may have no next hop: the node's own egress address needs a default gateway.
      if (first && hopsOf(first, args, key, family).length === 0)
        failures.add(at("addresses", index), "family", `there is no IPv${family} next hop for ${address}`);
      if (!args.keep.some((text) => readPrefix(text).family === family))
        failures.add("keep", "required", `needs the network's IPv${family} subnet: packets inside of the network must not be rerouted`);
    });
  }
}
