import { parseIp } from "@pulumi-ovn/provider";
import { type Network, type NetworkNode, zoneOfChassis } from "../network";
import type { ZoneSnapshot } from "../snapshot";
import type { Finding } from "./finding";
import { type Device, Paths } from "./paths";

/**
 * Checks that workloads of every node and the join addresses of every other node's gateway router reach each other: replies of services
 * and of egress use this path. Reads only the databases; `Paths` lists what they do not show.
 * @param nodes nodes whose addresses are checked, all by default
 */
export function joinFindings(network: Network, zones: readonly ZoneSnapshot[], nodes: readonly string[] = network.nodes.map(({ name }) => name)): Finding[] {
  const paths = new Paths(zones, zoneOfChassis(network));
  const gateways = new Map(zones.map((snapshot) => [snapshot.zone, defaultGateway(network, snapshot)]));
  const checked = new Set(nodes);
  const findings = network.nodes.flatMap((from) =>
    network.nodes.filter((to) => checked.has(from.name) || checked.has(to.name)).flatMap((to) => pair(network, paths, gateways.get(from.zone), from, to)),
  );
  // One wrong key breaks both families and all paths to that node, so equal findings are merged.
  return [...new Map(findings.map((finding) => [`${finding.where} ${finding.problem}`, finding])).values()];
}

/** Checks both directions between a workload of one node and another node's gateway router. One workload represents its node. */
function pair(network: Network, paths: Paths, gateway: Device | undefined, from: NetworkNode, to: NetworkNode): Finding[] {
  const workload = Object.entries(network.workloads).find(([, { zone }]) => zone === from.zone);
  return to.joins.flatMap((join): Finding[] => {
    const { family } = parseIp(join);
    const address = workload?.[1].addresses.find((candidate) => parseIp(candidate).family === family);
    if (!gateway) return [finding(from.zone, `no router is on switch ${network.switchName}`)];
    // Whose join address it is: the reply finds the very router that translated the request.
    const there = paths.follow(gateway, address ?? join, join);
    if (there.at === "nowhere") return [finding(there.zone, `join address ${join} of ${to.name} is not reached from ${from.name}: ${there.why}`)];
    if (there.at !== "router" || there.zone !== to.zone)
      return [finding(from.zone, `join address ${join} of ${to.name} leads from ${from.name} to ${there.name} in zone ${there.zone}`)];
    if (address === undefined) return [];
    const back = paths.follow({ zone: to.zone, kind: "router", name: there.name }, join, address);
    if (back.at === "nowhere") return [finding(back.zone, `workload ${workload![0]} of ${from.name} is not reached from ${there.name}: ${back.why}`)];
    if (back.name === workload![0] && back.zone === from.zone) return [];
    return [finding(to.zone, `workload ${workload![0]} of ${from.name}: ${there.name} leads to ${back.name} in zone ${back.zone}`)];
  });
}

/** Default gateway of a zone's workloads: the transit router if it is on the switch, otherwise the gateway router. */
function defaultGateway({ switchName, transitRouter }: Network, { zone, switches, routers }: ZoneSnapshot): Device | undefined {
  const ports = new Set(switches.find(({ name }) => name === switchName)?.ports.flatMap(({ routerPort }) => routerPort ?? []));
  const connected = routers.filter((router) => router.ports.some(({ name }) => ports.has(name)));
  const router = connected.find(({ name }) => name === transitRouter) ?? connected[0];
  return router && { zone, kind: "router", name: router.name };
}

function finding(zone: string, problem: string): Finding {
  return {
    gate: "join-addresses",
    where: `zone ${zone}`,
    problem,
    remedy: 'compare the zone\'s rows with "pulumi preview --refresh"; "pulumi up --refresh" writes them again',
  };
}
