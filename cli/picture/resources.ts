import type { Preview, State, Step } from "../plan/preview";
import { changesOf, partsOf } from "../plan/steps";
import type { StackState } from "../stack/stack-state";
import type { PicturedResource } from "./model/scene";

/** Resources that a picture is drawn from. */
export interface Pictured {
  /** `PROJECT/STACK`. */
  readonly stack: string;
  /** Undefined for a state. */
  readonly before: readonly PicturedResource[] | undefined;
  readonly after: readonly PicturedResource[];
}

export function picturedState({ project = "", stack = "", resources }: StackState): Pictured {
  return { stack: `${project}/${stack}`, before: undefined, after: resources };
}

/** Resources before and after the update that a preview describes, components included. Pure. */
export function picturedPreview({ steps }: Pick<Preview, "steps">): Pictured {
  const changed = changesOf(steps).filter(({ replacement }) => replacement === undefined);
  const urns = new Set(changed.map(({ urn }) => urn));
  const unchanged = new Map(steps.flatMap((step) => (urns.has(step.urn) || step.oldState?.delete ? [] : sidesOf(step))));
  const sides = [...unchanged.values(), ...changed.map(({ urn, before, after }) => ({ urn, before, after }))];
  const side = (name: "before" | "after") =>
    sides.flatMap(({ urn, before, after, [name]: state }) =>
      state === undefined ? [] : [{ ...state, urn, ...(isComparable(before, after) ? {} : { outputs: undefined }) }],
    );
  const { project = "", stack = "" } = steps[0] ? partsOf(steps[0].urn) : {};
  return { stack: `${project}/${stack}`, before: side("before"), after: side("after") };
}

/** A preview does not know the outputs of components and of updated resources. Then the earlier outputs would look like a change. */
function isComparable(before: State | undefined, after: State | undefined): boolean {
  return before === undefined || after === undefined || (before.outputs !== undefined && after.outputs !== undefined);
}

function sidesOf({ op, urn, oldState, newState }: Step) {
  const state = newState ?? oldState ?? undefined;
  return op === "read" ? [] : [[urn, { urn, before: oldState ?? state, after: state }] as const];
}
