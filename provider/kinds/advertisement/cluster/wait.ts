import { type Look, repeat } from "../../../targets/cluster/repeat";
import { sentences } from "../../../kit/text/listed";
import type { RouteAdvertisementSpec } from "../args";
import { type Acceptance, type RouteAdvertisementsObject, acceptance } from "../controller";
import type { FrrConfiguration, NodeObject } from "../facts";
import { listedIn, together } from "../names";
import { type NodeStateObject, type Problem, type SessionStateObject, unapplied, unestablished, unwithdrawn, withdrawnOf } from "./progress";
import { type ObjectReader, CONFIGURATION, FRR, OVN } from "./reader";

/** The written objects did not take effect in time. */
export class AdvertisementError extends Error {
  constructor(
    readonly code: "OVN_NOT_ACCEPTED" | "OVN_NOT_APPLIED" | "OVN_NOT_ESTABLISHED",
    message: string,
  ) {
    super(message);
  }
}

/** Maximum number of problems that are named. */
const MOST_NAMED = 5;

/** Milliseconds between two looks: frr-k8s writes a state some seconds after FRR has changed. */
const PACE = { first: 200, longest: 2_000 };

/** An API server may be away for a moment, while it is upgraded, say; a right that is missing does not come by waiting. */
const PASSING: ReadonlySet<unknown> = new Set(["OVN_CLUSTER_UNREACHABLE", "OVN_CLUSTER_ERROR"]);
const passes = (error: Error): boolean => PASSING.has((error as { code?: unknown }).code);

/** However short a timeout is, the cluster has this long to answer. */
const SHORTEST_ANSWER = 5_000;

/**
 * Waits for what the arguments say, with their timeout, which bounds each request, too.
 *
 * @param former what there was before
 */
export async function awaitAdvertised(
  spec: RouteAdvertisementSpec,
  objects: readonly FrrConfiguration[],
  reader: ObjectReader,
  signal?: AbortSignal,
  former: readonly FrrConfiguration[] = [],
): Promise<void> {
  const began = performance.now();
  const until = began + spec.timeout * 1000;
  const wait = (code: AdvertisementError["code"], look: Look) => {
    const unanswered = new AdvertisementError(code, `not reached within ${spec.timeout} s: the cluster has not answered in that time`);
    return repeat(look, { pace: PACE, until, answersUntil: Math.max(until, began + SHORTEST_ANSWER), unanswered, passes }, signal);
  };
  if (spec.mode === "controller") return wait("OVN_NOT_ACCEPTED", (bounded) => accepted(spec, reader, bounded));
  if (spec.waitFor === "none") return;
  const withdrawn = withdrawnOf(former, objects);
  const namespaces = together([spec.namespace, ...former.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  const own = new Set(objects.map(({ metadata }) => metadata.name));
  const beside = async (bounded: AbortSignal) => {
    const lists = namespaces.map((each) => reader.list(FRR, CONFIGURATION, listedIn(each), bounded));
    const all = (await Promise.all(lists)).flat() as unknown as readonly FrrConfiguration[];
    const nodes = (await reader.list("v1", "Node", undefined, bounded)) as readonly NodeObject[];
    return { nodes, others: all.filter(({ metadata }) => !own.has(metadata.name)) };
  };
  await wait("OVN_NOT_APPLIED", async (bounded) => {
    const states = (await reader.list(FRR, "FRRNodeState", undefined, bounded)) as readonly NodeStateObject[];
    const problems = unapplied(objects, states);
    return failed("OVN_NOT_APPLIED", problems.length > 0 || withdrawn.size === 0 ? problems : unwithdrawn(withdrawn, states, await beside(bounded)), spec);
  });
  if (spec.waitFor === "applied") return;
  await wait("OVN_NOT_ESTABLISHED", async (bounded) => {
    const sessions = (await reader.list(FRR, "BGPSessionState", listedIn(spec.namespace), bounded)) as readonly SessionStateObject[];
    return failed("OVN_NOT_ESTABLISHED", unestablished(objects, sessions), spec);
  });
}

/** Returns the status that ovn-kubernetes' controller reports for the current object. */
export async function readAcceptance(
  { name }: Pick<RouteAdvertisementSpec, "name">,
  reader: ObjectReader,
  signal: AbortSignal | undefined,
): Promise<Acceptance> {
  const objects = (await reader.list(OVN, "RouteAdvertisements", undefined, signal)) as readonly RouteAdvertisementsObject[];
  return acceptance(objects.find(({ metadata }) => metadata.name === name));
}

async function accepted(spec: RouteAdvertisementSpec, reader: ObjectReader, signal: AbortSignal | undefined): Promise<AdvertisementError | undefined> {
  const [{ state, message }, { timeout }] = [await readAcceptance(spec, reader, signal), spec];
  if (state === "accepted") return undefined;
  const error = new AdvertisementError("OVN_NOT_ACCEPTED", state === "refused" ? message : `not accepted within ${timeout} s: ${message}`);
  // If the controller refuses an object, it does not accept the same object later.
  if (state === "refused") throw error;
  return error;
}

function failed(
  code: "OVN_NOT_APPLIED" | "OVN_NOT_ESTABLISHED",
  problems: readonly Problem[],
  { timeout }: RouteAdvertisementSpec,
): AdvertisementError | undefined {
  if (problems.length === 0) return undefined;
  const named = sentences(
    problems.map(({ node, text }) => `node ${node}: ${text}`),
    MOST_NAMED,
  );
  return new AdvertisementError(code, `not reached within ${timeout} s: ${named}`);
}
