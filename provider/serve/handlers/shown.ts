import { sameJson } from "../../kit/arguments/unknown";
import type { Lines } from "../../backends/contract/backend";
import type { Outputs } from "../../backends/contract/kind";
import type { Properties, Request } from "./handler";
import { cleaned } from "./hidden-lines";
import { secretPattern } from "./secrets";
import type { ServedKind, Today } from "./served-kind";
import { varied } from "./varied";

/** The desired state as people may read it, without what other secrets would change. Undefined if that is unknown. */
export function shownOf<Args, Desired extends Outputs, Facts>(
  { kind, backend }: ServedKind<Args, Desired, Facts>,
  { secrets }: Request,
  { given, seen, desired }: Today<Desired, Facts>,
): Desired | undefined {
  if (secrets.length === 0) return desired;
  const other = kind.schema.safeParse(varied(given, secrets));
  if (!other.success) return undefined;
  try {
    const twin = kind.render(other.data, seen.facts);
    const warnings = desired.warnings?.filter((warning) => twin.warnings?.some((same) => sameJson(same, warning)));
    return { ...backend.hide(desired, twin), warnings };
  } catch {
    // Only these secrets fit the other arguments.
    return undefined;
  }
}

/** Its lines; undefined where none may be read. */
export function shownLines<Args, Desired extends Outputs, Facts>(
  { backend }: ServedKind<Args, Desired, Facts>,
  { secrets }: Request,
  given: Properties,
  shown: Desired | undefined,
  properties: Properties,
): Lines | undefined {
  return shown && cleaned(backend.lines(shown, properties), secretPattern(given, secrets));
}
