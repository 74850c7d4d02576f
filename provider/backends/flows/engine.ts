import { setTimeout as sleep } from "node:timers/promises";
import type { Previous } from "../contract/backend";
import { apply, applyCounted } from "./engine/apply";
import { FlowError, SilentSwitchError } from "./errors";
import type { FlowRendered } from "./kind";
import { bundleOf, inOrderOfChange, type BridgeDifference } from "./plan";
import { type AssumedChange, assumedBundle, assumedChange } from "./plan/assume";
import type { BridgeFlowList, FlowSet } from "./set";
import type { HostTarget } from "./shell/host";
import { compare } from "./switch/compare";
import { missing } from "./switch/refusal";

/** Milliseconds before a bridge or port that was made a moment ago is looked for once more. */
const AGAIN = [50, 100, 200, 400];

/** All bridges are looked at before any is changed. Those that the resource had flows on and has no more lose them. Returns what was written. */
export async function ensureFlows(target: HostTarget, cookie: string, set: FlowSet, previous: Previous<FlowRendered> | undefined): Promise<string[]> {
  const assumed = previous?.unchanged && previous.desired ? assumedChange(previous.desired.set, set) : undefined;
  if (assumed && (await written(target, cookie, assumed))) return [`${assumed.bridge}: flows`];
  const left = (previous?.desired?.set.bridges ?? []).filter(({ bridge }) => !set.bridges.some((other) => other.bridge === bridge));
  const bridges: BridgeFlowList[] = [...set.bridges, ...left.map(({ bridge }) => ({ bridge, flows: [] }))];
  const found = await settled(
    () => compare(target, cookie, bridges),
    (differences) => set.bridges.every((_, index) => differences[index] !== undefined),
  );
  const absent = bridges.find(({ flows }, index) => found[index] === undefined && flows.length > 0);
  if (absent !== undefined) throw missing(absent.bridge);
  return applyDifferences(target, cookie, bridges, found);
}

/** On bridges that exist, and on no others; those that the set does not name keep what they have. */
export async function ensureThere(target: HostTarget, cookie: string, bridges: readonly BridgeFlowList[]): Promise<void> {
  const found = await settled(
    () => compare(target, cookie, bridges),
    () => true,
  );
  await applyDifferences(target, cookie, bridges, found);
}

/** Applies the differences of each bridge; undefined for a missing bridge, which is skipped. */
async function applyDifferences(
  target: HostTarget,
  cookie: string,
  bridges: readonly BridgeFlowList[],
  found: readonly (BridgeDifference | undefined)[],
): Promise<string[]> {
  const changes = bridges.flatMap(({ bridge }, index) => {
    const difference = found[index];
    return difference === undefined || (difference.wanted.length === 0 && difference.surplus.length === 0) ? [] : [{ bridge, difference }];
  });
  for (const { bridge, difference } of changes) refuseTaken(bridge, difference);
  await apply(
    target,
    inOrderOfChange(changes).map(({ bridge, difference }) => ({ bridge, bundle: bundleOf(cookie, difference), ports: difference.ports })),
    bridges.filter((_, index) => found[index] !== undefined),
  );
  return changes.map(({ bridge, difference: { wanted, surplus } }) => `${bridge}: ${wanted.length} flows written, ${surplus.length} removed`);
}

/**
 * Writes differences from the state if the switch has as many flows as the state, before and after. False if it has other flows or refuses them;
 * then all flows must be compared.
 */
async function written(target: HostTarget, cookie: string, { bridge, fragments, count, difference }: AssumedChange): Promise<boolean> {
  try {
    return await applyCounted(target, cookie, { bridge, fragments, bundle: assumedBundle(cookie, difference) }, count);
  } catch (error) {
    if (error instanceof FlowError && error.code === "OVN_FLOW_REFUSED") return false;
    throw error;
  }
}

/** ovs-vswitchd makes bridges and ports a moment after the database has their rows. */
async function settled<T>(look: () => Promise<T>, complete: (found: T) => boolean): Promise<T> {
  for (const wait of AGAIN) {
    try {
      const found = await look();
      if (complete(found)) return found;
    } catch (error) {
      if (!(error instanceof FlowError) || error instanceof SilentSwitchError || !["OVN_BRIDGE_UNREACHABLE", "OVN_FLOW_REFUSED"].includes(error.code))
        throw error;
    }
    await sleep(wait);
  }
  return look();
}

/** OpenFlow would overwrite it silently: table, priority and match identify a flow. */
function refuseTaken(bridge: string, { wanted }: BridgeDifference): void {
  for (const { flow, foreign } of wanted) {
    if (foreign === undefined) continue;
    throw new FlowError(
      "OVN_FLOW_TAKEN",
      `bridge "${bridge}": a flow "${flow.rule || "of every packet"}" is there already, with cookie ${foreign.cookie}, which is not this resource's; remove it, or choose another priority`,
    );
  }
}
