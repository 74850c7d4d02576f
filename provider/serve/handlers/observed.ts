import { asWarnings, type Diagnostic } from "../../kit/arguments/diagnostics";
import type { Failure } from "../../kit/arguments/errors";
import { sameJson, UNKNOWN } from "../../kit/arguments/unknown";
import type { Lists } from "../../backends/contract/backend";
import type { Kind, Outputs, Survey, World } from "../../backends/contract/kind";
import type { CheckRequest, Properties, Request } from "./handler";

/**
 * Properties of a resource whose kind observes its target:
 * - `observed`: the facts; in inputs and outputs
 * - `observedEarlier`: true if a check could not observe, so that `observed` is from the last update; only in the inputs
 */
export const OBSERVED = ["observed", "observedEarlier"];

/** Error codes of observations that may succeed later. All other errors are permanent. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  "OVN_CLUSTER_UNREACHABLE",
  "OVN_CLUSTER_CREDENTIALS",
  "OVN_KUBECONFIG",
  "OVSDB_CONNECTION",
  "OVSDB_TIMEOUT",
]);

/** An update began with a failed observation, and the facts now differ from those of the preview. */
class ObservationError extends Error {
  readonly code = "OVN_OBSERVED";
}

/** Observed facts of a kind. Kinds that observe nothing render without them. */
export interface Seen<Facts> {
  readonly facts: Facts;
}

export interface Observation<Facts> {
  /** undefined: nothing can be rendered now. */
  readonly seen: Seen<Facts> | undefined;
  readonly properties: Properties;
  readonly diagnostics: readonly Diagnostic[];
}

/** Outputs that follow from the target's facts, after a write. */
export interface Surveyed {
  readonly properties: Properties;
  readonly warnings: readonly Failure[];
}

/** Observations of one kind, over the life of a resource. */
export class Observer<Args, Desired extends Outputs, Facts> {
  /** Facts from the refresh at the start of a preview, kept until the check of the same resource; by URN. */
  readonly #refreshed = new Map<string, { readonly args: string; readonly targets: unknown; readonly facts: Facts }>();

  constructor(private readonly kind: Kind<Args, Desired, Facts>) {}

  /** Placeholders where arguments are not known yet. */
  get unknown(): Properties {
    return this.kind.observe ? { observed: UNKNOWN } : {};
  }

  /** As it is now; where that can't be seen, as the last update saw it, with a warning. */
  async check(args: Args, request: CheckRequest, target: string, olds: Properties): Promise<Observation<Facts>> {
    if (!this.kind.observe) return { seen: { facts: undefined as Facts }, properties: {}, diagnostics: [] };
    try {
      const facts = this.#justSeen(args, request) ?? (await this.kind.observe(args, request));
      return { seen: { facts }, properties: { observed: facts }, diagnostics: [] };
    } catch (error) {
      if (!UNREACHABLE.has((error as { code?: unknown }).code)) throw error;
      const seen = this.kept(olds);
      // An update needs values, and the engine refuses unknown ones without a reason.
      if (!seen && !request.preview) throw error;
      const shown = seen ? "the preview uses the facts of the last update" : "what would be written is not known yet";
      const message = `${target} can't be read now, so ${shown}: ${(error as Error).message}`;
      return {
        seen,
        properties: { observed: seen?.facts ?? UNKNOWN, observedEarlier: true },
        diagnostics: asWarnings([{ path: "", code: "OVN_WARN_OBSERVED_EARLIER", message }]),
      };
    }
  }

  /** The current facts, for a refresh. The preview after it does not observe again. */
  async refreshed(args: Args, request: Request, lists: Lists): Promise<Seen<Facts>> {
    const seen = await this.now(args, { ...request, lists });
    if (this.kind.observe) this.#refreshed.set(request.urn, { args: JSON.stringify(args), targets: request.targets, facts: seen.facts });
    return seen;
  }

  /**
   * Returns the facts of a preview's own refresh, once, if the program has the same arguments. In an update they are
   * observed again: other resources, such as the templates of the same program, may have written since.
   */
  #justSeen(args: Args, { urn, targets, preview }: CheckRequest): Facts | undefined {
    const seen = this.#refreshed.get(urn);
    this.#refreshed.delete(urn);
    return preview && seen?.targets === targets && seen.args === JSON.stringify(args) ? seen.facts : undefined;
  }

  /** Outputs that follow only from observed state. If it cannot be observed now, returns the previous outputs. */
  async surveyed(args: Args, seen: Seen<Facts>, access: World, olds: Properties): Promise<Properties> {
    const { properties } = await this.#survey(args, seen, access, olds, (error) => {
      if (!UNREACHABLE.has((error as { code?: unknown }).code)) throw error;
      return [];
    });
    return properties;
  }

  /** Reads the outputs after a write. A failure is only a warning: otherwise Pulumi would lose an existing resource. */
  surveyedAfter(args: Args, seen: Seen<Facts>, access: World, olds: Properties, target: string): Promise<Surveyed> {
    return this.#survey(args, seen, access, olds, (error, names) => {
      const message = `${target} has been written to, but ${names.join(", ")} could not be read afterwards and stays as it was: ${(error as Error).message}`;
      return [{ path: "", code: "OVN_WARN_OUTPUTS_EARLIER", message }];
    });
  }

  /** @param failed handles a failed read: returns a message about these outputs, or throws */
  async #survey(
    args: Args,
    { facts }: Seen<Facts>,
    access: World,
    olds: Properties,
    failed: (error: unknown, names: readonly string[]) => readonly Failure[],
  ): Promise<Surveyed> {
    const { survey } = this.kind;
    if (!survey) return { properties: {}, warnings: [] };
    try {
      return { properties: { ...(await survey.look(args, facts, access)) }, warnings: [] };
    } catch (error) {
      const properties = unseen(survey, olds);
      return { properties, warnings: failed(error, Object.keys(properties)) };
    }
  }

  /** As it is now. */
  async now(args: Args, access: World): Promise<Seen<Facts>> {
    return { facts: this.kind.observe ? await this.kind.observe(args, access) : (undefined as Facts) };
  }

  /** As the properties have it; undefined where they are of a release whose kind observed nothing. */
  kept({ observed }: Properties): Seen<Facts> | undefined {
    if (!this.kind.observe) return { facts: undefined as Facts };
    return observed === undefined || observed === UNKNOWN ? undefined : { facts: observed as Facts };
  }

  /** Returns the facts that an update uses: those of its check, which must still be true. */
  async confirmed(args: Args, request: Request, news: Properties): Promise<Seen<Facts>> {
    const kept = this.kept(news);
    if (kept && news.observedEarlier !== true) return kept;
    const now = await this.now(args, request);
    if (kept && sameJson(kept.facts, now.facts)) return now;
    throw new ObservationError("it could not be read when this update began, and it is not what the preview went by; run the update again");
  }
}

/** Outputs that could not be looked for. */
function unseen<Args, Facts>(survey: Survey<Args, Facts>, olds: Properties): Properties {
  return Object.fromEntries(Object.entries(survey.unseen).map(([name, value]) => [name, olds[name] ?? value]));
}
