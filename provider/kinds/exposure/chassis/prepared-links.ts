import type { AgentExposure } from "../agent/exposure";
import { allowed, selected } from "./candidates/candidate";
import { datapathOf } from "./datapath";
import { type Link, Links } from "./link";
import { rowIndexOf } from "./row-index";
import type { PortBinding, Snapshot } from "./snapshot/snapshot";

/**
 * Links of the provider networks from which the exposures may announce something. The host has them before an address is on the chassis: a
 * workload or a gateway that moves here then needs only a route.
 */
export function preparedLinks(snapshot: Snapshot, exposures: readonly AgentExposure[]): Link[] {
  const rows = rowIndexOf(snapshot);
  // Only what is announced needs a reason why it can't be.
  const links = new Links(snapshot.bridges, rows, []);
  return rows.providers.flatMap((uuid) => {
    const [localnet] = rows.localnetsOf(uuid) as [PortBinding];
    return exposures.some((exposure) => mayAnnounce(exposure, localnet)) ? (links.find(datapathOf(localnet)) ?? []) : [];
  });
}

/** A selection restricts only provider ports and tenant networks. */
function mayAnnounce(exposure: AgentExposure, port: PortBinding): boolean {
  const { floatingIPs, loadBalancers, providerPorts, tenantNetworks } = exposure;
  return floatingIPs || loadBalancers
    ? allowed(exposure, port.network, port)
    : (providerPorts || tenantNetworks !== undefined) && selected(exposure, port.network, port);
}
