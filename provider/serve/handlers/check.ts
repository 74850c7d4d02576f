import { asErrors, asWarnings, isError } from "../../kit/arguments/diagnostics";
import { ArgumentError, type Failure } from "../../kit/arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../../kit/arguments/unknown";
import { checked } from "../../kit/arguments/validate";
import type { Outputs } from "../../backends/contract/kind";
import { driftDigest } from "../../kit/digest";
import { listed, sentences } from "../../kit/text/listed";
import { MembersError } from "../../kit/members/reference";
import type { CheckRequest, CheckResponse, Properties } from "./handler";
import { ALL_HIDDEN } from "./hidden-lines";
import { type ServedKind, subjectOf, type Today } from "./served-kind";
import { shownLines, shownOf } from "./shown";

/** Names of drift in a warning, at most: with a bridge, all its ports are missing. */
const MOST_SHOWN = 5;

/** Validates and renders the arguments, and returns what the preview shows. */
export async function check<Args, Desired extends Outputs, Facts>(served: ServedKind<Args, Desired, Facts>, request: CheckRequest): Promise<CheckResponse> {
  const { kind, backend, observer } = served;
  const { olds, news, targets, urn } = request;
  const own = served.own(news);
  const inputs: Properties = { ...own, ...pick(news, backend.arguments) };
  const given = served.given(request, news);
  if (!given) {
    // Only the list could have changed, and it is the same.
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
    diagnostics.push(...asWarnings((await kind.fitting?.(args, { targets, adopts: Boolean(news.adopt) || olds.adopted !== undefined })) ?? []));
    const { properties: judgedProperties, warnings, looks } = judged(served, request, { given, seen, desired: kind.render(args, seen.facts) }, inputs);
    cause = "adopt";
    const [located, drift] = await looks;
    // The databases' own words may be a secret's.
    const hidden = located.adoption !== undefined && request.secrets.length > 0 ? { adoption: ALL_HIDDEN } : {};
    const digest = drift.repaired.length > 0 ? { digest: driftDigest(String(judgedProperties.digest)) } : {};
    return {
      inputs: { ...inputs, ...judgedProperties, ...digest, ...located, ...hidden },
      diagnostics: [...diagnostics, ...asWarnings([...warnings, ...drift.repaired, ...drift.unanswered])],
    };
  } catch (error) {
    if (error instanceof ArgumentError) return { inputs, diagnostics: [...diagnostics, ...asErrors(error.failures)] };
    const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
    return { inputs, diagnostics: [...diagnostics, ...asErrors([{ path: cause, code, message }])] };
  }
}

/**
 * Result of a check of the desired state, and the observations that are still in progress. The desired state of a new
 * resource is not kept: in a large stack it is large, and many checks wait at the same time.
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
  let rendered: { readonly before: Desired | undefined } | undefined;
  const before = () => (rendered ??= { before: served.before(request, today) }).before;
  const impact = digest === olds.digest || secrets.length > 0 ? [] : impactOf(served, request, before, desired);
  const shown = shownOf(served, request, today);
  const rows = shownLines(served, request, given, shown, inputs) ?? ALL_HIDDEN;
  const properties: Properties = { ...desired.outputs, rows, digest };
  return {
    properties,
    warnings: [...(shown?.warnings ?? []), ...impact],
    looks: Promise.all([backend.locate(subjectOf(request, inputs), olds, desired), driftOf(served, request, before, today)]),
  };
}

/** Objects in use that change in place. A resource that moves to another target is created there, where it is not in use yet. */
function impactOf<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  { olds, news }: CheckRequest,
  former: () => Desired | undefined,
  desired: Desired,
): Failure[] {
  const { backend } = served;
  if (!backend.impact || !sameJson(olds[backend.target], news[backend.target])) return [];
  const before = former();
  return before ? backend.impact(before, desired) : [];
}

interface DriftWarnings {
  /** About drift, which the update repairs although no argument has changed. */
  readonly repaired: readonly Failure[];
  /** About parts that are not compared. */
  readonly unanswered: readonly Failure[];
}

async function driftOf<Args, Desired extends Outputs, Facts>(
  served: ServedKind<Args, Desired, Facts>,
  request: CheckRequest,
  former: () => Desired | undefined,
  today: Today<Desired, Facts>,
): Promise<DriftWarnings> {
  const { olds, news, targets, secrets } = request;
  const { backend } = served;
  const before = backend.drift && sameJson(olds[backend.target], news[backend.target]) ? former() : undefined;
  if (!before) return { repaired: [], unanswered: [] };
  const { missing, changed, unanswered } = await backend.drift!(subjectOf(request, olds), before, today.desired);
  const target = backend.describe(news, targets);
  const warning = (code: string, message: string): Failure => ({ path: backend.target, code, message });
  // Names may derive from secrets.
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const differences = Object.entries(changed).map(([label, how]) => `${label}: ${how}`);
  const hidden = secrets.length > 0;
  const repaired: Failure[] = [];
  if (missing.length > 0)
    repaired.push(
      hidden
        ? warning("OVN_WARN_GONE", `parts of it are missing from ${target}; the update makes them again`)
        : warning("OVN_WARN_GONE", `${listed(missing, MOST_SHOWN)} ${are} missing from ${target}; the update makes ${them} again`),
    );
  if (differences.length > 0)
    repaired.push(
      warning(
        "OVN_WARN_CHANGED",
        `${target} is not as the last update left it${hidden ? "" : `: ${sentences(differences, MOST_SHOWN)}`}; the update writes all of it again`,
      ),
    );
  const silent = unanswered === undefined ? [] : [warning("OVN_WARN_SILENT", `${target} is not fully compared${hidden ? "" : `: ${unanswered}`}`)];
  return { repaired, unanswered: silent };
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}
