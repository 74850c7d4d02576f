import { type Condition, type Operation, OperationError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { DRAINED_KEY, NEXT_HOPS_KEY } from "@pulumi-ovn/provider";
import { didYouMean, OWNER_KEY, rowsOf, select } from "@pulumi-ovn/provider/tools";
import { Connections, propagate, PropagationError, type Zones } from "@pulumi-ovn/provider/targets";
import { listed } from "../texts";
import { type DrainRequest, type DrainStep, nodesOf, planDrain, planRestore, type ReroutePolicy } from "./plan";

/** Result of one zone, or with a dry run its plan. */
export interface ZoneReport {
  readonly zone: string;
  readonly steps: readonly DrainStep[];
  /** Why the zone could not be reached or written. The other zones were still processed. */
  readonly error?: Error;
  /** The zone was reached, and the error came after that. */
  readonly reached?: boolean;
}

export type DrainReport = readonly ZoneReport[];

export interface DrainOptions {
  /** Nodes that exist, whether policies have next hops on them or not. Default: none. */
  readonly nodes?: readonly string[];
  readonly dryRun?: boolean;
  /** Also where no next hop is left: such a policy does nothing, and packets leave with their own node's address. */
  readonly force?: boolean;
}

export interface RestoreOptions {
  /** As for `drainNode`. */
  readonly nodes?: readonly string[];
  readonly dryRun?: boolean;
  /** Seconds that the node's zone may take to follow; 0: don't wait. Default: 60. */
  readonly timeout?: number;
}

/** A policy would be left without any next hop. Nothing was written in any zone. */
class LastNextHopError extends Error {
  readonly code = "OVN_LAST_NEXT_HOP";
}

/** No policy knows the node, and no zone is called like it. Nothing was written in any zone. */
class UnknownNodeError extends Error {
  readonly code = "OVN_EGRESS_NODE";
}

/** Another writer came between reading and writing too often. */
class ContentionError extends Error {
  readonly code = "OVN_CONTENTION";
}

/**
 * Takes the node's next hops out of every policy of every zone, in one transaction a zone. Idempotent. Throws an
 * UnknownNodeError for a node that no policy has a next hop on, unless it is among `nodes`, which may have none.
 */
export async function drainNode(zones: Zones, node: string, options: DrainOptions = {}): Promise<DrainReport> {
  return inZones(zones, node, planDrain, options, (reports) => {
    const last = reports.flatMap(({ zone, steps }) => steps.filter(({ after }) => after.length === 0).map(({ match }) => `${match} in zone "${zone}"`));
    if (last.length === 0 || options.force) return;
    throw new LastNextHopError(
      `"${node}" is the last next hop of ${last.length} ${last.length === 1 ? "policy" : "policies"} (${last[0]}): without one a policy does nothing, ` +
        "and packets leave with the address of their own node; --force does it all the same",
    );
  });
}

/**
 * Puts back what `drainNode` took out, once the chassis of the zone that is called like the node have installed their
 * flows: a node that is not ready loses every connection that it is given. Throws a PropagationError, with nothing written,
 * when it takes longer. Idempotent.
 */
export async function restoreNode(zones: Zones, node: string, { timeout = 60, ...options }: RestoreOptions = {}): Promise<DrainReport> {
  return inZones(zones, node, planRestore, options, async (reports, connections) => {
    if (options.dryRun || timeout === 0 || !Object.hasOwn(zones, node) || reports.every(({ steps }) => steps.length === 0)) return;
    await propagate(connections, node, "chassis", timeout * 1000).catch((error: Error) => {
      throw error instanceof PropagationError
        ? new PropagationError(`zone ${node}: ${error.message}; nothing was restored; --timeout 0 does it all the same`)
        : error;
    });
  });
}

type Plan = (policies: readonly ReroutePolicy[]) => DrainStep[];

type PlanNode = (request: DrainRequest) => DrainStep[];

/** Throws when nothing must be written. */
type Judge = (planned: DrainReport, connections: Connections) => void | Promise<void>;

async function inZones(zones: Zones, node: string, planNode: PlanNode, { dryRun = false, nodes = [] }: DrainOptions, judge: Judge): Promise<DrainReport> {
  const connections = new Connections(zones);
  const plan: Plan = (policies) => planNode({ node, policies });
  const known = new Set<string>();
  try {
    const read = async (zone: string) => {
      const policies = await policiesOf(await northbound(connections, zone));
      for (const name of nodesOf(policies)) known.add(name);
      return plan(policies);
    };
    const planned = await Promise.all(Object.keys(zones).map((zone) => reported(zone, () => read(zone))));
    requireKnown(node, known, nodes, planned);
    await judge(planned, connections);
    if (dryRun) return planned;
    return await Promise.all(
      planned.map(async (report) => {
        const { zone, steps } = report;
        if (steps.length === 0) return report;
        const replan: Replan = async (client) => {
          const again = plan(await policiesOf(client));
          await judge([{ zone, steps: again }], connections);
          return again;
        };
        return { ...(await reported(zone, async () => write(await northbound(connections, zone), replan, steps))), reached: true };
      }),
    );
  } finally {
    await connections.close();
  }
}

/** Refuses an unknown node: it is a typo, and the dead node would continue to receive its share of the connections. */
function requireKnown(node: string, inPolicies: ReadonlySet<string>, nodes: readonly string[], reports: DrainReport): void {
  const silent = reports.filter(({ error }) => error !== undefined).map(({ zone }) => zone);
  // If no zone was reached, the report contains only these errors.
  if (inPolicies.has(node) || nodes.includes(node) || silent.length === reports.length) return;
  const known = [...inPolicies].sort();
  const text = known.length === 0 ? "no policy has a next hop on any node" : `there are ${listed(known)}${didYouMean(node, known)}`;
  throw new UnknownNodeError(`no egress policy has a next hop on a node "${node}": ${text}${silent.length === 0 ? "" : ` (not reached: ${listed(silent)})`}`);
}

const northbound = (connections: Connections, zone: string) => connections.get(zone, "OVN_Northbound");

async function reported(zone: string, work: () => Promise<readonly DrainStep[]>): Promise<ZoneReport> {
  try {
    return { zone, steps: await work() };
  } catch (error) {
    return { zone, steps: [], error: error as Error };
  }
}

/** Reroute policies that this tool wrote. */
async function policiesOf(client: OvsdbClient): Promise<ReroutePolicy[]> {
  const table = (await client.getSchema()).table("Logical_Router_Policy");
  const [result] = await client.transact([select("Logical_Router_Policy", [["action", "==", "reroute"]], ["_uuid", "match", "nexthops", "external_ids"])]);
  return rowsOf(result).flatMap((wire) => {
    const row = table.decodeRow(wire);
    const ids = row.external_ids as ReadonlyMap<string, string>;
    const known = ids.get(NEXT_HOPS_KEY);
    if (known === undefined || !ids.has(OWNER_KEY)) return [];
    return [{ uuid: row._uuid as string, match: row.match as string, nexthops: row.nexthops as readonly string[], known, drained: ids.get(DRAINED_KEY) }];
  });
}

const ATTEMPTS = 5;

/** Plans for the current next hops. Checks the request again, because changes of another writer may be a reason to refuse it. */
type Replan = (client: OvsdbClient) => Promise<readonly DrainStep[]>;

/** Writes only if the next hops are unchanged since they were read. Otherwise reads and plans again. */
async function write(client: OvsdbClient, replan: Replan, first: readonly DrainStep[]): Promise<readonly DrainStep[]> {
  let steps = first;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (steps.length === 0) return steps;
    try {
      await client.transact(steps.flatMap(operations));
      return steps;
    } catch (error) {
      if (!(error instanceof OperationError && error.error === "timed out")) throw error;
    }
    steps = await replan(client);
  }
  throw new ContentionError(`the policies changed ${ATTEMPTS} times while they were updated; another writer works on them: run the command again`);
}

function operations({ uuid, before, after, drained }: DrainStep): Operation[] {
  const table = "Logical_Router_Policy";
  const where: Condition[] = [["_uuid", "==", ["uuid", uuid]]];
  const set = (texts: readonly string[]) => ({ nexthops: ["set", [...texts]] as const });
  const forget: Operation = { op: "mutate", table, where, mutations: [["external_ids", "delete", ["set", [DRAINED_KEY]]]] };
  const remember: Operation[] =
    drained === undefined ? [] : [{ op: "mutate", table, where, mutations: [["external_ids", "insert", ["map", [[DRAINED_KEY, drained]]]]] }];
  return [
    { op: "wait", table, where, columns: ["nexthops"], until: "==", rows: [set(before)], timeout: 0 },
    { op: "update", table, where, row: set(after) },
    forget,
    ...remember,
  ];
}
