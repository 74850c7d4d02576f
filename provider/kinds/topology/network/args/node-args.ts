import { z } from "zod";
import { byName, ips, mappedName, name, nodeId, portKey } from "../../fields";
import { topology } from "../../layer2-gateway/args";
import type { Topology } from "../../layer2-gateway/stage";
import { external, furtherExternal, type NetworkExternalArgs, type NetworkFurtherExternalArgs } from "./external-args";

export interface NetworkNodeArgs {
  /** Unique and never reused in the network: addresses, MACs and port keys derive from it. 1 to 32757. */
  id: number;
  /** Name of the node's zone, a key of `zones` in the file of targets. Default: the node's name. */
  zone?: string;
  /** The node's chassis (`system-id`). Default: the node's name. */
  chassis?: string;
  /**
   * Default gateway of the node's workloads: the transit router, or the node's gateway router. Nodes may differ in stage "move". Default: "transit".
   */
  topology?: Topology;
  /** Port key of the node's gateway router on the switch, for the gateway topology and upgrades. Default: 32768 - id. */
  switchPortKey?: number;
  /** The node's gateway router and the network outside. */
  external: NetworkExternalArgs;
  /** Further external networks by names of `ovn-bridge-mappings`. See docs/how-to/external-networks.md. Default: none. */
  furtherExternals?: Record<string, NetworkFurtherExternalArgs>;
  /** The chassis's `ovn-encap-ip`, for remote chassis rows in other zones. Omit it if ovn-ic writes these rows. Default: none. */
  tunnelAddresses?: string[];
  /** Kind of tunnel for `tunnelAddresses`. Default: "geneve". */
  encapsulation?: "geneve" | "vxlan";
  /** Addresses of the node, of the network's families, that its workloads reach through the management port. Default: none. */
  hostAddresses?: string[];
  /** Further chassis of the node's zone, by `system-id`. Default: none. */
  additionalChassis?: Record<string, NetworkChassisArgs>;
}

export interface NetworkChassisArgs {
  /** The chassis's `ovn-encap-ip`, for the other zones; see the node's own `tunnelAddresses`. Default: none. */
  tunnelAddresses?: string[];
}

export const node = z.strictObject({
  id: nodeId,
  topology,
  switchPortKey: portKey.optional(),
  zone: name.optional(),
  chassis: name.optional(),
  external,
  furtherExternals: z.record(mappedName, furtherExternal).default({}),
  tunnelAddresses: ips.default([]),
  encapsulation: z.enum(["geneve", "vxlan"]).default("geneve"),
  hostAddresses: ips.default([]),
  additionalChassis: byName(z.strictObject({ tunnelAddresses: ips.default([]) })).default({}),
});
