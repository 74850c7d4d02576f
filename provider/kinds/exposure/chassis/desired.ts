import type { Snapshot } from "./snapshot/snapshot";
import { candidatesOf } from "./candidates/candidates";
import { withoutConflicts } from "./conflicts";
import { announcedElsewhere } from "./other-chassis";
import { exposuresHere } from "./exposures";
import { hostOf } from "./host/host";
import { type HostState, NOTHING } from "./host/host-state";
import { withoutHostAddresses } from "./host/host-addresses";
import type { Problem } from "./problem";
import { preparedLinks } from "./prepared-links";
import { routable } from "./routable";
import { ChassisModel } from "./chassis-model";

export interface Desired {
  readonly state: HostState;
  /** In one order, each once. */
  readonly problems: readonly Problem[];
}

/** Settings that the operator of a host makes, not an exposure. */
export interface HostSettings {
  /** Name of a VRF device that the agent makes, and announces from; default: none. */
  readonly vrf?: string | undefined;
}

/** Returns the desired state of a host, and the problems that keep parts out of it. Depends only on the snapshot's rows, not on their order. */
export function desired(snapshot: Snapshot, { vrf }: HostSettings = {}): Desired {
  const { exposures, bgp: instance, problems } = exposuresHere(snapshot);
  const bgp = instance && vrf !== undefined ? { ...instance, vrf } : instance;
  if (bgp === null) return { state: NOTHING, problems: inOrder([...problems, ...present(snapshot)]) };
  const model = new ChassisModel(snapshot);
  const { clear: usable, problems: unusable } = routable(candidatesOf(model, exposures));
  // Networks that the host must reach are removed after conflicts are found: they still conflict with other networks.
  const { clear: undisputed, problems: overlaps } = withoutConflicts(usable, announcedElsewhere(snapshot), model.rows);
  const { clear, problems: around } = withoutHostAddresses(undisputed, snapshot);
  return {
    state: hostOf(bgp, clear, silentOf(snapshot), preparedLinks(snapshot, exposures)),
    problems: inOrder([...problems, ...present(snapshot), ...model.problems, ...unusable, ...overlaps, ...around]),
  };
}

const silentOf = ({ bridges }: Snapshot): string[] =>
  [...new Set(Object.values(bridges).flatMap(({ name, uplinks }) => (uplinks && uplinks.length > 0 ? [name] : [])))].sort();

function present({ chassis: { name, uuid } }: Snapshot): Problem[] {
  return uuid === null
    ? [
        {
          code: "OVN_AGENT_NO_CHASSIS",
          subject: name,
          message: `chassis "${name}" is not in the Southbound database: nothing is announced until ovn-controller has registered it`,
        },
      ]
    : [];
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const byText = new Map(problems.map((problem) => [`${problem.code} ${problem.subject} ${problem.message}`, problem]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, problem]) => problem);
}
