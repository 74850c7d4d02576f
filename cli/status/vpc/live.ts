import { logicalRouterBridge, vpcBridges } from "@pulumi-ovn/provider";
import {
  type BridgeDifference,
  compare,
  type FlowSet,
  type InterfaceRow,
  type LogicalRouterBridgeSpec,
  otherFragments,
  requireAnswer,
  routerBridge,
  type RowDrift,
  rowDrift,
  rowsOf,
  select,
  tierBridge,
  tunnelPort,
  type VpcBridgesSpec,
} from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Part, VpcInState } from "../../vpc/model";
import type { Look } from "../section";
import { agentOf, type LiveAgent } from "./agent";
import { dropsOf } from "./drops";
import type { Drops } from "./facts";
import { isOfTheSwitch } from "./problem";

/** Columns of Interface (ovs-vswitchd.conf.db(5)); of a port that the switch has not made, most are empty sets. */
export interface LiveInterface extends InterfaceRow {
  readonly link_state?: unknown;
}

/** How many flows of a bridge are not as they should be. */
export interface FlowCounts {
  readonly missing: number;
  readonly surplus: number;
  /** Its fragment mode, if that is another one than its flows rely on. */
  readonly fragments?: string;
}

/** Parts of a VPC on a host. A part that could not be read is an error. */
export interface LiveHost {
  /** Rows by name: tier bridges, tunnels, interfaces with port security, the logical router's bridge. Undefined for a missing row. */
  readonly interfaces: Readonly<Record<string, LiveInterface | undefined>> | Error;
  /** Differences of bridges, tunnels and workloads' ports from the state. */
  readonly rows: RowDrift | Error;
  /** Flow counts of the tier bridges, keyed by bridge. */
  readonly switching: Readonly<Record<string, FlowCounts>> | Error;
  /** Flow counts of the logical router, compared with its enabled and its disabled state. Undefined without a router or its bridge. */
  readonly routing: { readonly enabled: FlowCounts; readonly disabled: FlowCounts } | Error | undefined;
  readonly drops: readonly Drops[] | Error;
  readonly agent?: LiveAgent | string | Error | undefined;
}

/** Reads a host: database and programs independently, so that a failure of one does not hide the other. */
export async function liveHost(host: string, vpc: VpcInState, targets: Connections, look: Look): Promise<LiveHost> {
  const { switches, routers } = vpc;
  const [bridges, router] = [switches.get(host), routers.get(host)];
  const silent = silentSwitch(host, vpc, targets);
  /** Fails early if the switch hangs: every question would wait for it. */
  const ofSwitch = <T>(look: () => Promise<T>): Promise<T | Error> =>
    orError(async () => {
      const error = await silent;
      if (error) throw error;
      return look();
    });
  const [interfaces, rows, switching, routing, drops, agent] = await Promise.all([
    orError(() => interfacesOf(host, namesOf(bridges, router), targets)),
    orError(() => rowsOfHost(host, bridges, targets)),
    ofSwitch(() => switchingOf(host, bridges, targets)),
    ofSwitch(() => routingOf(host, router, targets)),
    ofSwitch(() => dropsOf(host, vpc, targets)),
    orError(() => agentOf(host, vpc, targets, look)),
  ]);
  return { interfaces, rows, switching, routing, drops, agent };
}

/** The error of a switch that runs and does not answer. */
async function silentSwitch(host: string, { name, switches }: VpcInState, targets: Connections): Promise<Error | undefined> {
  const [key] = Object.values(switches.get(host)?.spec.tiers ?? {});
  const found = await orError(() => requireAnswer({ host: targets.host(host) }, key === undefined ? routerBridge(name) : tierBridge(key)));
  return found instanceof Error && isOfTheSwitch(found) ? found : undefined;
}

function namesOf(bridges: Part<VpcBridgesSpec> | undefined, router: Part<LogicalRouterBridgeSpec> | undefined): string[] {
  const keys = Object.values(bridges?.spec.tiers ?? {});
  const tunnels = keys.flatMap((key) => Object.keys(bridges!.spec.remotes).map((remote) => tunnelPort(key, remote)));
  return [
    ...keys.map(tierBridge),
    ...tunnels,
    ...Object.keys(bridges?.spec.portSecurity ?? {}),
    ...(router === undefined ? [] : [routerBridge(router.spec.vpc)]),
  ];
}

async function interfacesOf(host: string, names: readonly string[], targets: Connections): Promise<Record<string, LiveInterface | undefined>> {
  if (names.length === 0) return {};
  // Reports a host that the targets lack; the database's own look-up would read the name as a zone.
  targets.host(host);
  const client = await targets.get(host, "Open_vSwitch");
  const results = await client.transact(names.map((name) => select("Interface", [["name", "==", name]], ["ofport", "error", "link_state", "bfd_status"])));
  return Object.fromEntries(names.map((name, index) => [name, rowsOf(results[index])[0]]));
}

async function rowsOfHost(host: string, part: Part<VpcBridgesSpec> | undefined, targets: Connections): Promise<RowDrift> {
  if (part === undefined) return { missing: [], changed: {}, taken: [] };
  return rowDrift({ urn: part.owner, properties: { host }, targets }, vpcBridges.render(part.spec).rows);
}

async function switchingOf(host: string, part: Part<VpcBridgesSpec> | undefined, targets: Connections): Promise<Record<string, FlowCounts>> {
  if (part === undefined) return {};
  const { bridges } = vpcBridges.render(part.spec).flows;
  const place = { host: targets.host(host) };
  const found = await compare(place, part.cookie, bridges);
  const modes = await otherFragments(place, bridges);
  return Object.fromEntries(
    found.flatMap((difference, index) => {
      const { bridge } = bridges[index]!;
      return difference === undefined ? [] : [[bridge, countsOf([difference], modes[bridge])]];
    }),
  );
}

/** One run of the host's command for both: flows that the disabled one has in surplus are redirects. */
async function routingOf(host: string, part: Part<LogicalRouterBridgeSpec> | undefined, targets: Connections): Promise<LiveHost["routing"]> {
  if (part === undefined) return undefined;
  const [enabled, disabled] = [true, false].map((on): FlowSet => logicalRouterBridge.render({ ...part.spec, enabled: on }, {}).flows) as [FlowSet, FlowSet];
  const place = { host: targets.host(host) };
  const found = await compare(place, part.cookie, [...enabled.bridges, ...disabled.bridges]);
  if (found.some((difference) => difference === undefined)) return undefined;
  const half = enabled.bridges.length;
  const fragments = (await otherFragments(place, enabled.bridges))[routerBridge(part.spec.vpc)];
  return { enabled: countsOf(found.slice(0, half), fragments), disabled: countsOf(found.slice(half)) };
}

function countsOf(differences: readonly (BridgeDifference | undefined)[], fragments?: string): FlowCounts {
  const sum = (count: (difference: BridgeDifference) => number) =>
    differences.reduce((all, difference) => all + (difference === undefined ? 0 : count(difference)), 0);
  return { missing: sum(({ wanted }) => wanted.length), surplus: sum(({ surplus }) => surplus.length), ...(fragments !== undefined && { fragments }) };
}

/** Pure. Describes a problem of the flows. Empty if there is no problem. */
export function flowsProblem({ missing, surplus, fragments }: FlowCounts): string {
  return [missing > 0 && `${missing} missing`, surplus > 0 && `${surplus} too many`, fragments !== undefined && `fragments are in mode "${fragments}"`]
    .filter(Boolean)
    .join(", ");
}

async function orError<T>(look: () => Promise<T>): Promise<T | Error> {
  try {
    return await look();
  } catch (error) {
    return error as Error;
  }
}
