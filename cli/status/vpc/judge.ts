import { bfdProblem, madeProblem, numberProblem, routerBridge, securedNumbers, tierBridge, tunnelPort, type VpcBridgesSpec } from "@pulumi-ovn/provider/tools";
import { hostsOf, type Part, virtualRouterHost, type VpcInState } from "../../vpc/model";
import type { BridgeFacts, HostFacts, RouterFacts, StateWithDetail, TunnelEnd, TunnelFacts, TunnelState, VpcFacts } from "./facts";
import { flowsProblem, type LiveHost, type LiveInterface } from "./live";
import { agentFacts } from "./agent";
import { routerState } from "./router-state";
import { codeOf, isOfTheSwitch, problemText } from "./problem";

/** Pure. Compares the hosts' live parts of a VPC with the state. */
export function vpcFacts(vpc: VpcInState, live: ReadonlyMap<string, LiveHost>): VpcFacts {
  const hosts = hostsOf(vpc);
  const router = virtualRouterHost(vpc);
  return {
    name: vpc.name,
    virtualRouter: router ?? null,
    tiers: tiersOf(vpc.switches.values()).map(([tier]) => tier),
    hosts: hosts.map((host) => hostFacts(host, live.get(host)!)),
    bridges: hosts.flatMap((host) => bridgeFacts(vpc, host, live.get(host)!)),
    tunnels: tunnelFacts(vpc, hosts, live),
    routers: hosts
      .filter((host) => host !== router)
      .map((host) => ({ host, bridge: routerBridge(vpc.name), ...routerState(vpc.routers.get(host), live.get(host)!) }) satisfies RouterFacts),
    // Unreadable parts are reported at the host or at its bridges.
    drops: hosts.flatMap((host) => {
      const { drops } = live.get(host)!;
      return drops instanceof Error ? [] : drops;
    }),
    agents: hosts.flatMap((host) => {
      const { agent } = live.get(host)!;
      return agent === undefined ? [] : [agentFacts(host, agent)];
    }),
  };
}

/** Union over all hosts. After an interrupted update some hosts have fewer. */
function tiersOf(switches: Iterable<Part<VpcBridgesSpec>>): [tier: string, key: number][] {
  const tiers = new Map([...switches].flatMap(({ spec }) => Object.entries(spec.tiers)));
  return [...tiers].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Facts of a host. An error of the switch is reported at the part that the switch refuses, not here. */
function hostFacts(host: string, { interfaces, switching, routing }: LiveHost): HostFacts {
  const problems = [interfaces, switching, routing].filter((part): part is Error => part instanceof Error && !isOfTheSwitch(part));
  if (problems.length === 0) return { host, reached: true };
  return { host, reached: false, detail: [...new Map(problems.map((problem) => [codeOf(problem), problemText(problem)])).values()].join("; ") };
}

function bridgeFacts({ switches }: VpcInState, host: string, { interfaces, rows, switching }: LiveHost): BridgeFacts[] {
  return Object.entries(switches.get(host)?.spec.tiers ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tier, key]) => {
      const bridge = tierBridge(key);
      return { host, tier, bridge, ...stateOf() };

      function stateOf(): StateWithDetail<BridgeFacts["state"]> {
        if (interfaces instanceof Error) return { state: "unknown" };
        const made = madeState(interfaces[bridge]);
        if (made.state !== "up") return made;
        const changed = changedRow(rows, bridge);
        if (changed !== undefined) return { state: "error", detail: changed };
        const misplaced = misplacedPorts(switches.get(host)!.spec, tier, rows);
        if (misplaced !== "") return { state: "ports", detail: misplaced };
        if (switching instanceof Error) return isOfTheSwitch(switching) ? { state: "flows", detail: problemText(switching) } : { state: "unknown" };
        const renumbered = otherNumbers(switches.get(host)!.spec, tier, interfaces);
        if (renumbered !== "") return { state: "flows", detail: `port security does not know ${renumbered}` };
        const problem = flowsProblem(switching[bridge] ?? { missing: 0, surplus: 0 });
        return problem === "" ? { state: "up" } : { state: "flows", detail: problem };
      }
    });
}

/** How rows of a bridge or port differ from the state. */
function changedRow(rows: LiveHost["rows"], name: string): string | undefined {
  if (rows instanceof Error) return undefined;
  const found = ["Bridge", "Port", "Interface"].flatMap((table) => rows.changed[`${table} ${name}`] ?? []);
  return found.length === 0 ? undefined : found.join(", ");
}

/** Workloads' ports of a tier that are not as the state has them. */
function misplacedPorts({ ports }: VpcBridgesSpec, tier: string, rows: LiveHost["rows"]): string {
  if (rows instanceof Error) return "";
  return Object.entries(ports)
    .flatMap(([name, own]) => {
      const problem = own !== tier ? undefined : rows.missing.includes(name) ? "on no bridge" : changedRow(rows, name);
      return problem === undefined ? [] : [`${name}: ${problem}`];
    })
    .join("; ");
}

/** Interfaces of a tier that flows of port security know by other numbers than they have. */
function otherNumbers(spec: VpcBridgesSpec, tier: string, interfaces: Readonly<Record<string, LiveInterface | undefined>>): string {
  return [...securedNumbers(spec)]
    .flatMap(([name, number]) => {
      const problem = spec.ports[name] === tier ? numberProblem(interfaces[name], number) : undefined;
      return problem === undefined ? [] : [`${name}: ${problem}`];
    })
    .join("; ");
}

function madeState(row: LiveInterface | undefined): StateWithDetail<"up" | "missing" | "error"> {
  if (row === undefined) return { state: "missing" };
  const problem = madeProblem(row);
  return problem === undefined ? { state: "up" } : { state: "error", detail: problem };
}

const BADNESS: readonly TunnelState[] = ["up", "unknown", "down", "error", "missing"];

function tunnelFacts({ switches }: VpcInState, hosts: readonly string[], live: ReadonlyMap<string, LiveHost>): TunnelFacts[] {
  const pairs = hosts.flatMap((a, index) => hosts.slice(index + 1).map((b) => [a, b] as const));
  return pairs.flatMap(([a, b]) => {
    return tiersOf([a, b].flatMap((host) => switches.get(host) ?? [])).map(([tier, key]): TunnelFacts => {
      const ends = [tunnelEnd(a, tunnelPort(key, b), live.get(a)!), tunnelEnd(b, tunnelPort(key, a), live.get(b)!)] as const;
      return { tier, state: ends.map(({ state }) => state).reduce((worst, state) => (BADNESS.indexOf(state) > BADNESS.indexOf(worst) ? state : worst)), ends };
    });
  });
}

function tunnelEnd(host: string, name: string, { interfaces, rows }: LiveHost): TunnelEnd {
  return { host, interface: name, ...(interfaces instanceof Error ? { state: "unknown" as const } : linkState(interfaces[name], changedRow(rows, name))) };
}

function linkState(row: LiveInterface | undefined, changed: string | undefined): StateWithDetail<TunnelState> {
  const made = madeState(row);
  if (made.state !== "up") return made;
  if (changed !== undefined) return { state: "error", detail: changed };
  const down = bfdProblem(row);
  if (down !== undefined) return { state: "down", detail: down };
  return row?.link_state === "down" ? { state: "down", detail: "its link is down" } : made;
}
