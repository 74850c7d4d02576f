import type { VpcTopology, VpcInState } from "../../vpc/model";

/** A VPC whose workloads' hosts are known. */
export type KnownVpc = VpcInState & { readonly topology: VpcTopology };

/**
 * Pure. Hosts and ports of a VPC's workloads after a plan. A preview does not show them for a component without intents: then those of the
 * state are updated from bridges and logical routers. A workload without a known host is omitted. Undefined if the state has none.
 * @param untold hosts whose parts are those of the state
 */
export function plannedTopology({ topology, routers, switches }: VpcInState, untold: ReadonlySet<string>): VpcTopology | undefined {
  if (topology === undefined) return undefined;
  const home = homeOf(topology, { routers, switches });
  if (home === undefined) return undefined;
  const specs = [...routers].flatMap(([host, { spec }]) => (untold.has(host) && untold.size < routers.size ? [] : [spec]));
  if (specs.length === 0) return topology;
  const routed = Object.assign({}, ...specs.map(({ workloads }) => workloads)) as (typeof specs)[number]["workloads"];
  const tiers = Object.assign({}, ...specs.map((spec) => spec.tiers)) as (typeof specs)[number]["tiers"];
  const at = (name: string, tier: string): Pick<VpcTopology["workloads"][string], "host" | "port"> | undefined => {
    const known = topology.workloads[name];
    if (known?.port === undefined) return known && { host: known.host };
    if (switches.get(known.host)?.spec.ports[known.port] === tier) return { host: known.host, port: known.port };
    const host = [...switches].find(([, { spec }]) => spec.ports[known.port!] === tier)?.[0];
    return host === undefined ? undefined : { host, port: known.port };
  };
  const remote = Object.entries(routed).flatMap(([name, own]) => {
    const location = at(name, own.tier);
    return location === undefined || !switches.has(location.host) ? [] : [[name, { ...topology.workloads[name], ...own, ...location }] as const];
  });
  const local = Object.entries(topology.workloads).filter(
    ([name, { host, tier }]) => host === home && !Object.hasOwn(routed, name) && at(name, tier)?.host === home,
  );
  return {
    tiers: Object.fromEntries(Object.entries(tiers).map(([name, own]) => [name, { gateways: [], ...topology.tiers[name], ...own }])),
    workloads: Object.fromEntries([...remote, ...local]) as VpcTopology["workloads"],
    virtualRouter: { ...topology.virtualRouter, host: home },
  };
}

/** Host of the virtual router, which has no logical router. Undefined if several hosts have none. */
function homeOf({ virtualRouter: { host } }: VpcTopology, { routers, switches }: Pick<VpcInState, "routers" | "switches">): string | undefined {
  if (switches.has(host) && !routers.has(host)) return host;
  const [home, ...more] = [...switches.keys()].filter((each) => !routers.has(each));
  return more.length === 0 ? home : undefined;
}

/**
 * Pure. Workloads of a VPC after a plan whose hosts a preview does not show. Logical routers do not contain the workloads of the virtual
 * router's host, so only the ports of these are known.
 */
export function unknownWorkloads({ topology, routers, switches }: VpcInState): string[] {
  if (topology === undefined) return [];
  const { workloads, virtualRouter } = topology;
  const routed = new Set([...routers.values()].flatMap(({ spec }) => Object.keys(spec.workloads)));
  const names = [...routed].filter((name) => !Object.hasOwn(workloads, name));
  const declared = new Set([...Object.values(workloads).map(({ port }) => port), ...Object.values(virtualRouter.ports)]);
  const ports = Object.keys(switches.get(virtualRouter.host)?.spec.ports ?? {}).filter((port) => !declared.has(port));
  return [...names.sort().map((name) => `"${name}"`), ...ports.sort().map((port) => `port "${port}" of host "${virtualRouter.host}"`)];
}
