import { bridgesOf, hostsOf, type VpcTopology, type VpcInState } from "../../vpc/model";
import { classesOf } from "../alike/classes";
import { Identities } from "../alike/identities";
import { digestOf, EVERYWHERE, type FlowTables, flowTables, tableKeyOf, type TableFlow } from "../zones/flow-tables";
import { topologyInShadow } from "./vpc-shadow";

/** Flows of a VPC's bridges, without cookies, by host and bridge. */
export type VpcFlows = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads flows of bridges of a host; see `bridgeFlows`. */
type Read = (host: string, bridges: readonly string[]) => Promise<readonly (readonly string[] | undefined)[]>;

/** Flows of a VPC's bridges, sorted: a switch prints them in any order. */
export async function readVpcFlows(vpc: VpcInState, read: Read): Promise<VpcFlows> {
  const bridges = bridgesOf(vpc);
  const hosts = hostsOf(vpc).map(async (host) => {
    const flows = await read(host, bridges);
    return [host, new Map(bridges.map((bridge, index) => [bridge, (flows[index] ?? []).map(withoutCookie).sort()]))] as const;
  });
  return new Map(await Promise.all(hosts));
}

/** A renamed resource has another cookie and the same flows. */
const withoutCookie = (flow: string): string => flow.replace(/\bcookie=0x[0-9a-f]+, ?/, "");

/** Pure. Flows of a VPC by host, as those of a zone are compared. A bridge is one table, and paths depend on all ports of the VPC. */
export function vpcTables({ topology, switches }: Pick<VpcInState, "topology" | "switches">, flows: VpcFlows): ReadonlyMap<string, FlowTables> {
  const tableFlow = (tableKey: string, text: string): TableFlow => ({ tableKey, key: digestOf(text), hint: "", digest: "" });
  const ports = JSON.stringify([topology, [...switches].map(([name, { spec }]) => [name, spec.tunnelAddress, spec.remotes, spec.tiers, spec.ports])]);
  const all = tableFlow(EVERYWHERE, ports);
  const tables = [...flows].map(([host, bridges]): [string, FlowTables] => {
    const own = [...bridges].flatMap(([bridge, texts]) => texts.map((text) => tableFlow(tableKeyOf(bridge, "ingress", 0), text)));
    return [host, flowTables([...own, all])];
  });
  return new Map(tables);
}

/** Pure. Classes of workloads that no flow of the VPC treats differently, by workload; see `classesOf`. */
export function vpcClasses(vpc: VpcInState & { readonly topology: VpcTopology }, flows: VpcFlows): ReadonlyMap<string, string> {
  const { workloads } = topologyInShadow(vpc.topology);
  const ports = Object.values(workloads).map(({ port, mac, addresses }) => ({ name: port!, switch: "", type: "", mac, addresses }));
  const classes = classesOf(new Identities(ports), textsOf(flows));
  return new Map(Object.entries(workloads).map(([name, { port }]) => [name, classes.get(port!)!]));
}

function* textsOf(flows: VpcFlows): Generator<string> {
  for (const [host, bridges] of flows)
    for (const [bridge, own] of bridges) for (const flow of own) yield `${JSON.stringify(host)} ${JSON.stringify(bridge)} ${separated(flow)}`;
}

/** Actions whose argument follows a colon, which is a part of MACs and IPv6 addresses, too (ovs-actions(7)). */
const ARGUMENT = /\b(set_field|output|load|mod_\w+|learn|move):/g;
const BARE_PORT = /\b(in_port=|output )(?!")([^\s,"]+)/g;

/** The flow with each name and address on its own: names of ports are in double quotes. */
function separated(flow: string): string {
  return flow.replace(ARGUMENT, "$1 ").replace(BARE_PORT, (_all, before: string, port: string) => `${before}${JSON.stringify(port)}`);
}
