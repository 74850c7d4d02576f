import type { Drift, Lines } from "../../contract/backend";
import type { BridgeFlowList } from "../set";
import { SilentSwitchError } from "../errors";
import { eachOnHost, failed, type HostTarget, runOnHost } from "../shell/host";
import { type BridgeStep, modeStep, OFCTL, timeout } from "../shell/ofctl";
import type { Step, StepResult } from "../shell/script";

type FragmentMode = NonNullable<BridgeFlowList["fragments"]>;

const label = (bridge: string): string => `${bridge} fragments`;

/**
 * Pure. One line for each bridge with a mode.
 *
 * @param others modes that are not the desired ones, by bridge
 */
export function fragmentLines(bridges: readonly BridgeFlowList[], others: Readonly<Record<string, string>> = {}): Lines {
  return Object.fromEntries(bridges.flatMap(({ bridge, fragments }) => (fragments === undefined ? [] : [[label(bridge), others[bridge] ?? fragments]])));
}

/** Pure. Drift of the fragment modes. */
export function fragmentDrift(bridges: readonly BridgeFlowList[], others: Readonly<Record<string, string>>): Lines {
  return Object.fromEntries(
    bridges.flatMap(({ bridge, fragments }) => (others[bridge] === undefined ? [] : [[label(bridge), `${others[bridge]} instead of ${fragments}`]])),
  );
}

/** Throws a SilentSwitchError if a bridge does not answer a short question. A missing bridge is left to the commands that need it. */
export async function requireAnswer(target: HostTarget, bridge: string): Promise<void> {
  await runOnHost(target, [modeStep(target, bridge)]);
}

/** A step that fails if a bridge has another mode. */
export const fragmentStep = (target: HostTarget, bridge: string, mode: FragmentMode): Step => ({ ...modeStep(target, bridge), word: mode });

/** Steps that set the modes of these bridges, which exist. A mode that a bridge has already changes nothing. */
export function settingSteps(target: HostTarget, bridges: readonly BridgeFlowList[]): BridgeStep[] {
  return bridges.flatMap(({ bridge, fragments }) =>
    fragments === undefined ? [] : [{ argv: [...OFCTL, ...timeout(target), "set-frags", bridge, fragments], bridge }],
  );
}

/** Modes of bridges that differ from the desired ones, by bridge. Bridges that do not exist or do not answer are left out: their flows show that. */
export async function otherFragments(target: HostTarget, bridges: readonly BridgeFlowList[]): Promise<Record<string, string>> {
  const desired = bridges.filter(({ fragments }) => fragments !== undefined);
  const modes = await eachOnHost(
    target,
    desired.map(({ bridge }) => modeStep(target, bridge)),
    (result) => (failed(result) ? undefined : result.stdout.trim()),
  );
  return Object.fromEntries(
    desired.flatMap(({ bridge, fragments }, index) => (modes[index] === undefined || modes[index] === fragments ? [] : [[bridge, modes[index]]])),
  );
}

/** Drift of the modes of existing bridges. A slow switch is unanswered. A switch that does not run has lost all modes; its first bridge represents all. */
export async function modeDrift(target: HostTarget, bridges: readonly BridgeFlowList[]): Promise<Omit<Drift, "missing">> {
  const desired = bridges.filter(({ fragments }) => fragments !== undefined);
  if (desired.length === 0) return { changed: {} };
  let results: readonly StepResult[];
  try {
    results = await runOnHost(
      target,
      desired.map(({ bridge }) => modeStep(target, bridge)),
    );
  } catch (error) {
    if (error instanceof SilentSwitchError) return { changed: {}, unanswered: error.message };
    throw error;
  }
  const first = results.findIndex(failed);
  if (first >= 0) return { changed: { [`Bridge ${desired[first]!.bridge}`]: "does not answer; does ovs-vswitchd run?" } };
  const modes = desired.flatMap(({ bridge, fragments }, index) => {
    const mode = results[index]!.stdout.trim();
    return mode === fragments ? [] : [[bridge, mode] as const];
  });
  return { changed: fragmentDrift(desired, Object.fromEntries(modes)) };
}
