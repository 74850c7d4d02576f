import type { Failure } from "../../kit/arguments/errors";
import { UNKNOWN } from "../../kit/arguments/unknown";
import type { Backend, Drift, Lines, Live, Previous, Properties, Subject } from "../contract/backend";
import { memo } from "../../kit/memo/memo";
import { describeCommand } from "../../targets/command";
import type { Connections } from "../../targets/connections";
import { lookFailures, targetFailures } from "../../targets/failures";
import { removeCookie, withdraw } from "./engine/apply";
import { changingFlows } from "./engine/record";
import { ensureFlows, ensureThere } from "./engine";
import { additions } from "./plan/assume";
import { flowCookie } from "./set/cookie";
import { fragmentDrift, fragmentLines, modeDrift, otherFragments, requireAnswer } from "./switch/fragments";
import { setFlowLines } from "./lines";
import type { BridgeFlowList, FlowSet } from "./set";
import type { FlowRendered } from "./kind";
import { flowDigest } from "./set/text";
import { hideFlows } from "./hide";
import { overOneShell, type HostTarget } from "./shell/host";
import { liveFlows } from "./live";
import { bridgesWith } from "./switch/owned";
import { bundleOf } from "./plan";

/**
 * Flows on the bridges of a host, all with the resource's cookie, which is the property `cookie`. The host's own ovs-ofctl
 * reads, compares and writes them, so that syntax and features are those of its release.
 */
export class FlowBackend implements Backend<FlowRendered> {
  readonly target = "host";
  readonly arguments = [];
  readonly located = ["cookie"];
  readonly unknown = { cookie: UNKNOWN };

  /** @param anywhere whether flows may be on bridges that neither the state nor the program names; not where the bridges are of the resource */
  constructor(private readonly anywhere = true) {}

  failures({ host }: Properties, targets: Connections): Failure[] {
    return targetFailures({ path: "host", code: "host" }, host, (name) => targets.host(name));
  }

  describe({ host }: Properties, targets: Connections): string {
    return describeHost(String(host ?? ""), targets);
  }

  lines({ set }: FlowRendered): Lines {
    return { ...fragmentLines(set.bridges), ...setFlowLines(set) };
  }

  hide(desired: FlowRendered, twin: FlowRendered): FlowRendered {
    return { ...desired, set: hideFlows(desired.set, twin.set) };
  }

  digest({ set }: FlowRendered): string {
    return digestOfSet(set);
  }

  id(urn: string): string {
    return flowCookie(urn);
  }

  locate({ urn }: Subject): Promise<Properties> {
    return Promise.resolve({ cookie: flowCookie(urn) });
  }

  async read(subject: Subject, desired: FlowRendered): Promise<Live | undefined> {
    return overOneShell(hostTargetOf(subject), (target) => liveFlows(target, flowCookie(subject.urn), desired.set, this.digest(desired)));
  }

  async ensure(subject: Subject, { set }: FlowRendered, previous?: Previous<FlowRendered>): Promise<void> {
    await changing(subject, [...set.bridges, ...(previous?.desired?.set.bridges ?? [])], (target, cookie) => ensureFlows(target, cookie, set, previous));
  }

  /** Compares all flows and fragment modes with the set and writes what differs. Returns what was written, by bridge. */
  restore(subject: Subject, set: FlowSet): Promise<string[]> {
    return overOneShell(hostTargetOf(subject), async (target) => {
      const modes = fragmentDrift(set.bridges, await otherFragments(target, set.bridges));
      const flows = await ensureFlows(target, flowCookie(subject.urn), set, undefined);
      return [...Object.entries(modes).map(([label, how]) => `${label}: ${how}`), ...flows];
    });
  }

  /** Drift of the fragment modes of bridges, which exist. */
  modes(subject: Subject, bridges: readonly BridgeFlowList[]): Promise<Omit<Drift, "missing">> {
    return modeDrift(hostTargetOf(subject), bridges);
  }

  /** Throws a SilentSwitchError if a bridge exists and does not answer. */
  async requireAnswer(subject: Subject, { bridges: [first] }: FlowSet): Promise<void> {
    if (first) await requireAnswer(hostTargetOf(subject), first.bridge);
  }

  /** On bridges that are there, and on no others; those that the set does not name keep what they have. */
  async ensureThere(subject: Subject, { bridges }: FlowSet): Promise<void> {
    if (bridges.length === 0) return;
    await changing(subject, bridges, (target, cookie) => ensureThere(target, cookie, bridges));
  }

  /** Takes away what one set has beyond another, and nothing else. */
  async withdraw(subject: Subject, set: FlowSet, other: FlowSet): Promise<void> {
    await changing(subject, set.bridges, (target, cookie) =>
      withdraw(
        target,
        additions(set, other).map(({ bridge, difference }) => ({ bridge, bundle: bundleOf(cookie, difference) })),
      ),
    );
  }

  async remove(subject: Subject, { set }: FlowRendered): Promise<void> {
    await changing(subject, set.bridges, async (target, cookie) => {
      await removeCookie(target, cookie, set.bridges.map(({ bridge }) => bridge).reverse());
      if (this.anywhere) await removeCookie(target, cookie, await bridgesWith(target, cookie));
    });
  }
}

function changing<T>(subject: Subject, bridges: readonly BridgeFlowList[], work: (target: HostTarget, cookie: string) => Promise<T>): Promise<T> {
  const cookie = flowCookie(subject.urn);
  return overOneShell(hostTargetOf(subject), (target) =>
    changingFlows(
      subject,
      target,
      cookie,
      bridges.map(({ bridge }) => bridge),
      () => work(target, cookie),
    ),
  );
}

/** A check asks for it, and the update after it of the same set and of the one before. */
const digestOfSet = memo(flowDigest);

export function hostTargetOf({ properties, targets, signal }: Subject): HostTarget {
  return { host: targets.host(properties.host as string), signal };
}

/** A host in errors, with the program that leads to it. */
function describeHost(name: string, targets: Connections): string {
  if (lookFailures({ path: "host", code: "host" }, () => targets.host(name)).length > 0) return `host "${name}"`;
  return `host "${name}" (${describeCommand(targets.host(name))})`;
}
