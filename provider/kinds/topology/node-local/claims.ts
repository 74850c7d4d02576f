import type { ProgramClaim } from "../claims";
import type { NodeLocalAccessSpec } from "./access-args";
import { LOCAL_PORTS } from "./ports";

/**
 * Claims of a component: names in the zones' Northbound databases, and the bridge on the hosts.
 *
 * @param hosts names of the hosts' zones
 */
export function nodeLocalClaims({ zones, switchName, networkName, bridge, port, subnets }: NodeLocalAccessSpec, hosts: readonly string[]): ProgramClaim[] {
  const central = new Set(Object.keys(zones));
  const named = (table: string, name: string): ProgramClaim => ({
    key: `${table} ${name}`,
    what: `the name ${name} of a ${table}`,
    holder: "the node-local switch",
    path: "switchName",
    zones: central,
    group: "switchName",
  });
  const onHosts = (what: string, holder: string, path: string): ProgramClaim => ({ key: `on hosts: ${what}`, what, holder, path, zones: new Set(hosts) });
  return [
    named("Logical_Switch", switchName),
    named("Logical_Switch_Port", LOCAL_PORTS.lnet(switchName)),
    named("Logical_Switch_Port", LOCAL_PORTS.stor(switchName)),
    onHosts(`the entry ${networkName} of ovn-bridge-mappings`, "the bridge", "networkName"),
    onHosts(`the interface ${bridge}`, "the bridge", "bridge"),
    onHosts(`the interface ${port}`, "the bridge's internal port", "port"),
    ...subnets.map((subnet, index) => onHosts(`node-local subnet ${subnet}`, "the bridge", `subnets[${index}]`)),
  ];
}
