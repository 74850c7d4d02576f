import { hasEntries, type LooseArgs, pick, pickEach } from "../needs";
import { tierFields } from "./args";

const LOCATION = ["tier", "host"];
/** Stand-ins for arguments that a part does not depend on. */
const NO_HOSTS = { hosts: {} };
const TIER = { cidrs: ["10.0.0.0/8"], gateways: ["10.0.0.1"] };
const WORKLOAD = { mac: "0a:58:0a:00:00:09", addresses: ["10.0.0.9"] };

/** The arguments that each part of a VPC depends on. Names, hosts of workloads and tunnel keys must be known. */
export function vpcNeedsOf(args: LooseArgs) {
  const { tiers, workloads = {}, virtualRouter } = args;
  return {
    /** Arguments that decide which resources exist, and the names of their bridges. */
    frame: {
      ...NO_HOSTS,
      ...pick(args, ["name"]),
      tiers: pickEach(tiers, ["key"], TIER),
      workloads: pickEach(workloads, LOCATION, WORKLOAD),
      virtualRouter: pick(virtualRouter, ["host"]),
    },
    /** Arguments that bridges, tunnels and interfaces depend on. */
    bridges: {
      ...pick(args, ["name", "hosts", "tunnelType", "datapathType", "agent", "bfd", "portSecurity"]),
      tiers: pickEach(tiers, ["key"], TIER),
      workloads: pickEach(workloads, [...LOCATION, "port", "portSecurity", ...(mayBeSecured(args) ? Object.keys(WORKLOAD) : [])], WORKLOAD),
      virtualRouter: pick(virtualRouter, ["host", "ports"]),
    },
    /** Arguments that logical routers depend on. The tunnel type decides which keys are valid. */
    routers: {
      ...NO_HOSTS,
      ...pick(args, ["name", "acls", "tunnelType", "enabled", "stateful", "conntrackZone", "agent", "bfd", "datapathType"]),
      tiers: pickEach(tiers, Object.keys(tierFields)),
      workloads: pickEach(workloads, [...LOCATION, ...Object.keys(WORKLOAD)]),
      virtualRouter: pick(virtualRouter, ["host"]),
    },
  };
}

/** Whether bridges depend on the MACs and addresses of workloads: port security is on, or may turn out to be. */
function mayBeSecured({ portSecurity, workloads }: LooseArgs): boolean {
  const own = hasEntries(workloads) ? Object.values(workloads).map((workload) => (hasEntries(workload) ? workload["portSecurity"] : undefined)) : [];
  return [portSecurity, ...own].some((on) => on !== undefined && on !== false);
}
