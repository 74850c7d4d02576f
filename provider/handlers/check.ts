import { asErrors, asWarnings, isError } from "../arguments/diagnostics";
import { ArgumentError, type Failure } from "../arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { checked } from "../arguments/validate";
import type { Outputs } from "../contract/kind";
import { listed } from "../text/listed";
import { MembersError } from "../members";
import type { CheckRequest, CheckResponse, Properties } from "./handler";
import { ALL_HIDDEN } from "./hidden-lines";
import { type ServedKind, subjectOf, type Today } from "./served-kind";
import { shownLines, shownOf } from "./shown";

/** As many names of what is gone are told; with a bridge go all of its ports. */
const MOST_GONE = 5;

/** Before the digest of checked inputs whose resource has lost something: no state has such a digest. */
const GONE = "gone-";

/** Whether a check has found that something of the resource is gone. */
export const foundGone = (inputs: Properties): boolean => String(inputs.digest).startsWith(GONE);

/** Validates the arguments, renders them, and says what the preview shows. */
export async function check<Args, Desired extends Outputs, Facts>(served: ServedKind<Args, Desired, Facts>, request: CheckRequest): Promise<CheckResponse> {
  const { kind, backend, observer } = served;
  const { olds, news, targets, urn } = request;
  const own = served.own(news);
  const inputs: Properties = { ...own, ...pick(news, backend.arguments) };
  const given = served.given(request, news);
  if (!given) {
    // Nothing but the list could tell of a change, and that is the same.
    if (sameJson(own, served.own(olds))) return { inputs: olds, diagnostics: [] };
    const { code, message } = new MembersError(urn, own.members);
    return { inputs, diagnostics: asErrors([{ path: "members", code, message }]) };
  }
  const { failures, value: args } = checked(kind.schema, given);
  const diagnostics = asErrors([...failures, ...backend.failures(news, targets)]);
  if (diagnostics.some(isError)) return { inputs, diagnostics };
  const unknown = { rows: UNKNOWN, digest: UNKNOWN, ...backend.unknown };
  if (args === undefined || hasUnknown(given)) return { inputs: { ...inputs, ...unknown, ...observer.unknown }, diagnostics };
  let cause = backend.target;
  try {
    const { seen, properties, diagnostics: seeing } = await observer.check(args, request, backend.describe(news, targets), olds);
    diagnostics.push(...seeing);
    Object.assign(inputs, properties);
    if (!seen) return { inputs: { ...inputs, ...unknown }, diagnostics };
    kind.judge?.(args);
    diagnostics.push(...asWarnings((await kind.fitting?.(args, request)) ?? []));
    const { properties: said, warnings, looks } = judged(served, request, { given, seen, desired: kind.render(args, seen.facts) }, inputs);
    cause = "adopt";
    const [located, gone] = await looks;
    // The databases' own words may be a secret's.
    const hidden = located.adoption !== undefined && request.secrets.length > 0 ? { adoption: ALL_HIDDEN } : {};
    const digest = gone.length > 0 ? { digest: GONE + String(said.digest) } : {};
    return { inputs: { ...inputs, ...said, ...digest, ...located, ...hidden }, diagnostics: [...diagnostics, ...asWarnings([...warnings, ...gone])] };
  } catch (error) {
    if (error instanceof ArgumentError) return { inputs, diagnostics: [...diagnostics, ...asErrors(error.failures)] };
    const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
    return { inputs, diagnostics: [...diagnostics, ...asErrors([{ path: cause, code, message }])] };
  }
}

/**
 * What a check says of what is desired, and what it still waits for. The desired is not kept for a new resource: those of a
 * large stack are large, and many checks wait at the same time.
 */
function judged<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: CheckRequest,
  today: Today<Desired, Facts>,
  inputs: Properties,
) {
  const { backend } = served;
  const { olds, secrets } = request;
  const { given, desired } = today;
  const digest = backend.digest(desired);
  // A change would show what was secret before.
  const impact = digest === olds.digest || secrets.length > 0 ? [] : impactOf(served, request, desired);
  const shown = shownOf(served, request, today);
  const rows = shownLines(served, request, given, shown, inputs) ?? ALL_HIDDEN;
  const properties: Properties = { ...desired.outputs, rows, digest };
  return {
    properties,
    warnings: [...(shown?.warnings ?? []), ...impact],
    looks: Promise.all([backend.locate(subjectOf(request, inputs), olds, desired), goneOf(served, request, today)]),
  };
}

/** What is in use and changes in its place: a resource that goes to another target is made there, and in use nowhere. */
function impactOf<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  { olds, news, members }: CheckRequest,
  desired: Desired,
): Failure[] {
  const { backend } = served;
  if (!backend.impact || !sameJson(olds[backend.target], news[backend.target])) return [];
  const before = served.before({ olds, members });
  return before ? backend.impact(before, desired) : [];
}

/** A warning where something of the resource is gone, which the update makes again although no argument has changed. */
async function goneOf<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: CheckRequest,
  today: Today<Desired, Facts>,
): Promise<Failure[]> {
  const { olds, news, targets, secrets } = request;
  const { backend } = served;
  const before = backend.gone && sameJson(olds[backend.target], news[backend.target]) ? served.before(request, today) : undefined;
  const names = before ? await backend.gone!(subjectOf(request, olds), before, today.desired) : [];
  if (names.length === 0) return [];
  // Names may derive from secrets.
  const what = secrets.length > 0 ? "parts of it are" : `${listed(names, MOST_GONE)} ${names.length === 1 ? "is" : "are"}`;
  return [
    {
      path: backend.target,
      code: "OVN_WARN_GONE",
      message: `${what} gone from ${backend.describe(news, targets)}; the update makes ${secrets.length === 0 && names.length === 1 ? "it" : "them"} again`,
    },
  ];
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}
