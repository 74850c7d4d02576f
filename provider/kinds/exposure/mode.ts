import type { Failures } from "../../kit/arguments/failures";
import type { BgpExposureSpec } from "./args";

/** Arguments that only one of the modes has. */
const OF_MODE = { ovn: ["routers"], agent: ["chassis", "asNumber", "routerIds", "table", "name", "gateways"] } as const;

/** Checks the arguments of an exposure in either mode. */
export function checkMode(spec: BgpExposureSpec, failures: Failures): void {
  const { mode, floatingIPs, loadBalancers, providerPorts, tenantNetworks, tenantAddresses, addressScopes } = spec;
  const other = mode === "ovn" ? "agent" : "ovn";
  for (const argument of OF_MODE[other])
    if (spec[argument] !== undefined) failures.add(argument, "value", `belongs to mode "${other}", and the mode is "${mode}"`);
  if (!floatingIPs && !loadBalancers && !providerPorts && tenantNetworks === undefined)
    failures.add("", "required", "announces nothing: needs floatingIPs, loadBalancers, providerPorts or tenantNetworks");
  for (const which of ["select", "exclude"] as const) {
    const selection = spec[which];
    if (selection && selection.networks.length + selection.ports.length + Object.keys(selection.labels).length === 0)
      failures.add(which, "required", "names nothing: needs networks, ports or labels");
  }
  if (tenantNetworks !== undefined) return;
  if (tenantAddresses !== "all") failures.add("tenantAddresses", "value", "has no meaning without tenantNetworks");
  if (addressScopes !== undefined) failures.add("addressScopes", "value", "has no meaning without tenantNetworks");
}
