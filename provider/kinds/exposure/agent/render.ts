import type { Rendered } from "../../../backends/rows/kind";
import type { BgpExposureSpec, ExposureSelection } from "../args";
import { checkAgent } from "./check";
import { AGENT_KEY, type AgentExposure, DEFAULT_AGENT_TABLE } from "./exposure";
import type { AgentFacts } from "./facts";

/** Renders one entry of NB_Global's options, which northd passes on to the agents. */
export function renderAgent(spec: BgpExposureSpec, facts: AgentFacts): Rendered {
  checkAgent(spec, facts);
  const exposure = exposureOf(spec);
  const { chassis, table } = exposure;
  return {
    set: {
      database: "OVN_Northbound",
      rows: [],
      contributions: [
        {
          table: "NB_Global",
          row: { name: "." },
          column: "options",
          part: { kind: "entry", key: `${AGENT_KEY}${spec.name!}`, value: JSON.stringify(exposure) },
        },
      ],
    },
    // The announced routes change with every workload: they are read after a write, and by a refresh.
    outputs: { tables: Object.fromEntries(chassis.map((name) => [name, [table]])) },
  };
}

/** In one order, so that equal arguments are equal texts. */
export function exposureOf(spec: BgpExposureSpec): AgentExposure {
  const { floatingIPs, loadBalancers, providerPorts, tenantNetworks, tenantAddresses, addressScopes, select, exclude, gateways } = spec;
  return {
    version: 1,
    chassis: spec.chassis!.toSorted(),
    asNumber: spec.asNumber!,
    routerIds: Object.fromEntries(Object.entries(spec.routerIds ?? {}).sort()),
    table: spec.table ?? DEFAULT_AGENT_TABLE,
    floatingIPs,
    loadBalancers,
    providerPorts,
    ...(tenantNetworks && { tenantNetworks }),
    tenantAddresses,
    ...(addressScopes && { addressScopes: addressScopes.toSorted() }),
    ...(select && { select: sorted(select) }),
    ...(exclude && { exclude: sorted(exclude) }),
    ...(gateways && { gateways: gateways.toSorted() }),
  };
}

const sorted = ({ networks, ports, labels }: ExposureSelection): ExposureSelection => ({
  networks: networks.toSorted(),
  ports: ports.toSorted(),
  labels: Object.fromEntries(Object.entries(labels).sort()),
});
