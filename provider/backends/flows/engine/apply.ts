import type { Ports } from "../printed/ports";
import type { BridgeFlowList } from "../set";
import { eachOnHost, failed, runOnHost, type HostTarget } from "../shell/host";
import { type BridgeStep, inputOf, looking, NO_NAMES, OFCTL, timeout } from "../shell/ofctl";
import type { Step, StepResult } from "../shell/script";
import { fragmentStep, settingSteps } from "../switch/fragments";
import { countStep } from "../switch/owned";
import { missing, NO_BRIDGE, refusal, unreachable } from "../switch/refusal";

/** Changes of one bridge: lines of a bundle. */
export interface BridgeBundle {
  readonly bridge: string;
  readonly bundle: readonly string[];
  /** Ports, if its flows have usual forms, in which numbers can replace names. */
  readonly ports?: Ports | undefined;
}

/** @param ports whose numbers stand for their names */
function bundling(target: HostTarget, { bridge, bundle }: BridgeBundle, ports?: Ports): BridgeStep {
  return {
    argv: [...OFCTL, ports ? NO_NAMES : "--names", ...timeout(target), "--bundle", "add-flows", bridge, "-"],
    input: inputOf(ports ? bundle.map((line) => ports.numbered(line)) : bundle),
    bridge,
  };
}

/** A switch takes numbers that no port has, or another one: before they are written, the ports have to be those of the dump. */
function guardedBundling(target: HostTarget, change: BridgeBundle): Step[] {
  const { bridge, bundle, ports } = change;
  if (ports === undefined || !bundle.every((line) => ports.knows(line))) return [bundling(target, change)];
  return [{ ...looking(target, bridge, "dump-ports-desc"), ports: ports.listing }, bundling(target, change, ports)];
}

/**
 * Sets fragment modes, which flows rely on, and changes each bridge by one bundle, in this order. A bundle that is refused changes
 * nothing, and those after it are not sent.
 * Numbers of ports may be seconds old, so the same run of the host's command reads them again before each bundle that has them.
 */
export async function apply(target: HostTarget, changes: readonly BridgeBundle[], modes: readonly BridgeFlowList[] = []): Promise<void> {
  const setting = settingSteps(target, modes);
  const steps = [
    ...setting.map((step) => ({ index: undefined, step })),
    ...changes.flatMap((change, index) => guardedBundling(target, change).map((step) => ({ index, step }))),
  ];
  if (steps.length === 0) return;
  const results = await runOnHost(
    target,
    steps.map(({ step }) => step),
  );
  const last = results.at(-1);
  if (last === undefined || !failed(last)) return;
  const { index } = steps[results.length - 1]!;
  if (index === undefined) throw unreachable(setting[results.length - 1]!.bridge, last);
  if (changes[index]!.ports === undefined) return throwRefusal(changes[index]!, last);
  // Nothing of it is written: a port has got another number meanwhile, or errors are to have names.
  await apply(
    target,
    changes.slice(index).map(({ bridge, bundle }) => ({ bridge, bundle })),
  );
}

/**
 * Changes a bridge with `before` flows of the cookie and the desired fragment mode, in one run of the host's command. False if it has another
 * number, and nothing was changed; or if it does not have `after` flows then.
 */
export async function applyCounted(
  target: HostTarget,
  cookie: string,
  change: BridgeBundle & Pick<BridgeFlowList, "fragments">,
  { before, after }: { readonly before: number; readonly after: number },
): Promise<boolean> {
  const counted = (count: number) => countStep(target, cookie, change.bridge, count);
  const { bridge, fragments } = change;
  const guards = [...(fragments ? [fragmentStep(target, bridge, fragments)] : []), counted(before)];
  const [bundle, last] = (await runOnHost(target, [...guards, bundling(target, change), counted(after)])).slice(guards.length);
  if (bundle !== undefined) throwRefusal(change, bundle);
  return last !== undefined && !failed(last);
}

function throwRefusal({ bridge, bundle }: BridgeBundle, result: StepResult): void {
  if (failed(result)) throw result.bridge === NO_BRIDGE ? missing(bridge) : refusal(bridge, bundle, result);
}

/** Removes the flows of a cookie from bridges, in this order. */
export async function removeCookie(target: HostTarget, cookie: string, bridges: readonly string[]): Promise<void> {
  await whereThere(
    target,
    bridges.map((bridge) => ({ argv: [...OFCTL, ...timeout(target), "del-flows", bridge, `cookie=${cookie}/-1`], bridge })),
  );
}

/** Removes some flows from bridges, by one bundle for each, in this order. */
export async function withdraw(target: HostTarget, changes: readonly BridgeBundle[]): Promise<void> {
  await whereThere(
    target,
    changes.map((change) => bundling(target, change)),
  );
}

/** A missing bridge has no flows. */
async function whereThere(target: HostTarget, steps: readonly BridgeStep[]): Promise<void> {
  await eachOnHost(target, steps, (result, index) => {
    if (failed(result) && result.bridge !== NO_BRIDGE) throw refusal(steps[index]!.bridge, [], result);
  });
}
