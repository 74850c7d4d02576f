import { type NamedSubnet, formatPrefix, networkOf, overlapFailures, parseIp, parsePrefix } from "../../../kit/address";
import type { Failure } from "../../../kit/arguments/errors";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { readPrefix } from "../fields";
import { Holders } from "../holders";
import { DEFAULT_ROUTE } from "../routing";
import { sortedEntries } from "../../../kit/entries";
import type { FurtherExternalSpec, GatewayRouterSpec } from "./args";
import { externalFailures } from "./external-check";

type First = Pick<GatewayRouterSpec["external"], "addresses" | "nextHops" | "networkName" | "vlan">;
type Further = Pick<FurtherExternalSpec, "addresses" | "networkName" | "vlan" | "routes">;

/**
 * Failures of the networks outside after the first one. OVN accepts all of them: it alternates between two equal routes,
 * and between two ports in one subnet.
 */
export function furtherFailures(first: First, further: Readonly<Record<string, Further>>, path: readonly PropertyKey[]): readonly Failure[] {
  const failures = new Failures();
  const holders = new Holders(failures);
  const at = (...more: PropertyKey[]) => propertyPath([...path, ...more]);
  const subnets = subnetsOf("external", first.addresses, () => "");
  holders.take("physical network", wire(first.networkName, first.vlan), "external", "");
  for (const family of new Set(first.nextHops.map((nextHop) => parseIp(nextHop).family))) holders.take("destination", DEFAULT_ROUTE[family], "external", "");
  for (const [key, { addresses, networkName = key, vlan }] of sortedEntries(further)) {
    holders.take("physical network", wire(networkName, vlan), key, at(key, "networkName"));
    subnets.push(...subnetsOf(key, addresses, (index) => at(key, "addresses", index)));
    failures.addAll(externalFailures({ addresses, nextHops: [] }, at(key)));
  }
  failures.addAll(overlapFailures(subnets));
  for (const [key, { addresses, routes }] of sortedEntries(further)) {
    for (const [name, { prefix: text, nextHops }] of sortedEntries(routes)) {
      const [prefix, route] = [readPrefix(text), (...more: PropertyKey[]) => at(key, "routes", name, ...more)];
      const connected = subnets.find((subnet) => formatPrefix(subnet.prefix) === formatPrefix(prefix));
      if (connected) failures.add(route("prefix"), "overlap", `${text} is the subnet of ${connected.name} itself, which is reached without a route`);
      else holders.take("destination", formatPrefix(prefix), key, route("prefix"));
      if (nextHops.length === 0) failures.add(route("nextHops"), "required", "needs at least one next hop");
      const strange = nextHops.filter((nextHop) => parseIp(nextHop).family !== prefix.family);
      for (const nextHop of strange)
        failures.add(route("nextHops", nextHops.indexOf(nextHop)), "family", `${nextHop} is IPv${parseIp(nextHop).family}, the prefix ${text} is not`);
      if (strange.length === 0 && addresses.length > 0) failures.addAll(externalFailures({ addresses, nextHops }, route()));
    }
  }
  return failures.found;
}

function wire(networkName: string, vlan: number | undefined): string {
  return vlan === undefined ? networkName : `${networkName} VLAN ${vlan}`;
}

/** A router may have several addresses in one subnet of one network. */
function subnetsOf(key: string, addresses: readonly string[], path: (index: number) => string): NamedSubnet[] {
  return addresses.map((address, index) => ({ name: key, prefix: networkOf(parsePrefix(address)), path: path(index), group: key }));
}
