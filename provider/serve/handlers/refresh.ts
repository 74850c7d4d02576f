import { asWarnings } from "../../kit/arguments/diagnostics";
import { ArgumentError } from "../../kit/arguments/errors";
import { HIDDEN } from "../../kit/text/hidden";
import type { Lists, Live } from "../../backends/contract/backend";
import type { Outputs } from "../../backends/contract/kind";
import type { ExistingRequest, Properties, ReadResponse, Request } from "./handler";
import { hideLive, type ReadableLines } from "./hidden-lines";
import type { Seen } from "./observed";
import { outputs, type Rendering, type ServedKind, subjectOf } from "./served-kind";
import { inResource } from "./report";
import { shownLines, shownOf } from "./shown";

/** Maximum number of drifted objects that are named. The digest covers all of them. */
const MOST_DRIFTED = 20;

/** Replaces the digest if the desired state of a resource cannot be rendered. */
export const REFUSED = "refused";

/** Replaces the reason for that if the resource has secrets. */
const UNTOLD_REASON = "nothing can be rendered from the current facts; the next preview shows the reason";

type OfResource = Request & { readonly olds: Properties };

/** Reads a resource. If nothing can be rendered after changes in the cluster, the refresh continues, and the next check reports what to do. */
export async function refresh<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: ExistingRequest,
): Promise<ReadResponse | undefined> {
  try {
    return await found(served, request);
  } catch (error) {
    const { cause } = error as Error;
    if (!served.kind.observe || !(cause instanceof ArgumentError)) throw error;
    return refusedBy(cause, request);
  }
}

/** Result with a digest that no desired state has, so the next update differs, and reports the failure or repairs the target. */
function refusedBy({ message }: ArgumentError, { olds, secrets }: ExistingRequest): ReadResponse {
  // A reason may name what derives from a secret, such as an address.
  const refused = secrets.length > 0 ? UNTOLD_REASON : message;
  return { refused, drifted: [{ label: "refused", difference: refused }], props: { ...olds, digest: REFUSED, drift: { refused } } };
}

async function found<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: ExistingRequest,
): Promise<ReadResponse | undefined> {
  const { kind, backend, observer } = served;
  const { olds } = request;
  const { state, args, seen, desired, readable } = await look(served, request);
  if (!state) return undefined;
  const { revision = state.digest, ...kept } = outputs(olds);
  const live = { ...kept, ...(kind.observe && { observed: seen.facts }), digest: state.digest, ...state.located };
  const { lines, drift: all } = readable ? hideLive(state, readable) : state;
  const isHidden = readable !== undefined && state.digest !== readable.digest && Object.keys(all).length === 0;
  const drift = Object.entries(all).slice(0, MOST_DRIFTED);
  const surveyed = await inResource(served.named(request, olds), () => observer.surveyed(args, seen, request, olds));
  const names = Object.keys(surveyed);
  const diagnostics = asWarnings(state.warnings ?? []);
  return {
    ...(diagnostics.length > 0 && { diagnostics }),
    drifted: isHidden
      ? [{ label: HIDDEN, difference: "differs" }]
      : Object.entries(all).map(([label, difference]) => ({ label, difference, trace: state.traces?.[label] })),
    props: { ...live, ...surveyed, ...state.properties, revision, ...(drift.length > 0 && { drift: Object.fromEntries(drift) }) },
    inputs: { ...without(live, [...names, ...(backend.outputProperties ?? [])]), ...only(desired.outputs ?? {}, names), rows: lines },
  };
}

interface Look<Args, Desired, Facts> extends Rendering<Args, Desired, Facts> {
  /** Undefined if nothing of the resource exists. */
  readonly state: Live | undefined;
  /** For a resource with secrets: the part of its state that may be read. */
  readonly readable: ReadableLines | undefined;
}

/** Compares the target with today's desired state: a kind that observes its target drifts with it. */
export function look<Args, Desired extends Outputs, Facts>(served: ServedKind<Args, Desired, Facts>, request: OfResource): Promise<Look<Args, Desired, Facts>> {
  const { kind, backend, observer } = served;
  const { olds, members } = request;
  return inResource(served.named(request, olds), async () => {
    const list = kind.fromMembers && olds.members !== undefined ? await members?.arrival(olds.members) : undefined;
    const known = list ? { ...request, members: { find: () => list } } : request;
    const args = served.required(known, olds);
    const lists: Lists = new Map();
    const seen = await observer.refreshed(args, request, lists);
    const desired = kind.render(args, seen.facts);
    const state = await backend.read({ ...subjectOf(request, olds), lists }, desired);
    return {
      state,
      args,
      seen,
      desired,
      readable: request.secrets.length > 0 ? readableOf(served, request, served.given(known, olds) ?? {}, seen, desired) : undefined,
    };
  });
}

function readableOf<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: OfResource,
  given: Properties,
  seen: Seen<Facts>,
  desired: Desired,
): ReadableLines {
  const { olds } = request;
  const shown = shownOf(served, request, { given, seen, desired });
  return { digest: served.backend.digest(desired), open: served.backend.lines(desired, olds), shown: shownLines(served, request, given, shown, olds) };
}

function only(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
}

function without(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}
