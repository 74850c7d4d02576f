import { applyFlows, type BridgeFlowList, bundleOf, compareFlows, flowCookie, flowCount, FlowError, type Problem } from "@pulumi-ovn/provider/agent";
import type { LiveFlows } from "../live";
import { conflict } from "../problems";
import type { ProgramEnvironment } from "../program";
import type { FlowStep } from "../steps";
import { missingBridge } from "./ports";

/** The agent's flows on every bridge and every host. */
export const COOKIE = flowCookie("pulumi-ovn-agent");

/**
 * Compares the flows of each bridge by the host's own ovs-ofctl.
 *
 * @param bridges all of the host
 * @param everywhere whether other bridges may still have some of the agent's flows
 */
export async function readFlows(
  environment: ProgramEnvironment,
  desired: readonly BridgeFlowList[],
  bridges: readonly string[],
  everywhere: boolean,
): Promise<Record<string, LiveFlows>> {
  const others = everywhere ? bridges.filter((bridge) => !desired.some((list) => list.bridge === bridge)) : [];
  const read = async (list: BridgeFlowList, look: boolean): Promise<readonly (readonly [string, LiveFlows])[]> => {
    try {
      if (!bridges.includes(list.bridge)) return [[list.bridge, { problem: missingBridge(list.bridge) }]];
      if (look && !(await flowCount(switchOf(environment), COOKIE, list.bridge))) return [];
      const [difference] = await compareFlows(switchOf(environment), COOKIE, [list]);
      return [[list.bridge, difference ? { difference } : { problem: missingBridge(list.bridge) }]];
    } catch (error) {
      return [[list.bridge, { problem: flowProblem(list.bridge, error) }]];
    }
  };
  const found = await Promise.all([...desired.map((list) => read(list, false)), ...others.map((bridge) => read({ bridge, flows: [] }, true))]);
  return Object.fromEntries(found.flat());
}

export interface FlowsPlan {
  readonly made: readonly FlowStep[];
  readonly removed: readonly FlowStep[];
  readonly problems: readonly Problem[];
}

/** Pure. Plans added and removed flows as separate bundles: routes change between the two. */
export function planFlows(live: Readonly<Record<string, LiveFlows>>): FlowsPlan {
  const plan = Object.entries(live).map(([bridge, found]) => {
    if ("problem" in found) return { made: [], removed: [], problems: [found.problem] };
    const { wanted, surplus } = found.difference;
    const own = wanted.filter(({ foreign }) => foreign === undefined);
    const problems = wanted
      .filter(({ foreign }) => foreign !== undefined)
      .map(({ flow, foreign }) => conflict(`flow ${flow.rule} of bridge ${bridge}`, `a flow of cookie ${foreign!.cookie}`));
    const step = (bundle: readonly string[]): FlowStep[] => (bundle.length === 0 ? [] : [{ kind: "flows", bridge, bundle }]);
    return { made: step(bundleOf(COOKIE, { wanted: own, surplus: [] })), removed: step(bundleOf(COOKIE, { wanted: [], surplus })), problems };
  });
  return { made: plan.flatMap(({ made }) => made), removed: plan.flatMap(({ removed }) => removed), problems: plan.flatMap(({ problems }) => problems) };
}

export async function writeFlows(environment: ProgramEnvironment, step: FlowStep): Promise<Problem | undefined> {
  try {
    await applyFlows(switchOf(environment), [step]);
    return undefined;
  } catch (error) {
    return flowProblem(step.bridge, error);
  }
}

const switchOf = ({ command, timeout, signal }: ProgramEnvironment) => ({ host: { command: [...command], timeout }, signal });

function flowProblem(bridge: string, error: unknown): Problem {
  if (!(error instanceof FlowError) || error.code === "OVN_HOST_ABORTED") throw error;
  return { code: "OVN_AGENT_FLOWS", subject: bridge, message: error.message };
}
