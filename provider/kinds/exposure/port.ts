import { type Prefix, contains, networkOf, parsePrefix, parseSubnet } from "../../kit/address";
import type { BgpExposureSpec, ExposureSelection } from "./args";
import type { RouterPortFacts } from "./facts";

/** Values of `dynamic-routing-redistribute` that are used. (ovn-nb(5)) */
export type Redistributed = "connected" | "connected-as-host" | "lb" | "nat";

/** Returns what a router port announces, sorted. Empty: nothing. */
export function redistributed(spec: BgpExposureSpec, name: string, port: RouterPortFacts): Redistributed[] {
  if (spec.exclude && names(spec.exclude, name, port)) return [];
  const selected = spec.select === undefined || names(spec.select, name, port);
  if (port.provider)
    return [
      ...(spec.providerPorts && selected ? ["connected-as-host" as const] : []),
      ...(spec.loadBalancers ? ["lb" as const] : []),
      ...(spec.floatingIPs ? ["nat" as const] : []),
    ];
  if (spec.tenantNetworks === undefined || !selected || !port.networks.some((text) => isAnnouncedFamily(spec, port, parsePrefix(text)))) return [];
  return [spec.tenantNetworks === "host" ? "connected-as-host" : "connected"];
}

/** Whether a selection names a port: the port, its network, or all labels of the network. */
export function names({ networks, ports, labels }: ExposureSelection, name: string, port: Pick<RouterPortFacts, "network" | "labels">): boolean {
  const wanted = Object.entries(labels);
  return networks.includes(port.network) || ports.includes(name) || (wanted.length > 0 && wanted.every(([key, value]) => port.labels[key] === value));
}

const GLOBAL = parseSubnet("2000::/3");

/** Whether addresses of a family in a tenant network are announced. */
export function isAnnouncedFamily(
  { tenantAddresses, addressScopes }: Pick<BgpExposureSpec, "tenantAddresses" | "addressScopes">,
  { scopes }: Pick<RouterPortFacts, "scopes">,
  prefix: Prefix,
): boolean {
  if (tenantAddresses === "global" && !contains(GLOBAL, networkOf(prefix))) return false;
  const scope = scopes[prefix.family];
  return addressScopes === undefined || (scope !== undefined && addressScopes.includes(scope));
}
