import { sortedEntries } from "../../kit/entries";

type Properties = Record<string, unknown>;

/** Properties that belong to Pulumi's dynamic protocol, not to the resource: the provider's text, the identity that the sdk gives, names of secret arguments, and whether the program runs for a preview. */
export interface Envelope {
  readonly __provider?: unknown;
  readonly owner?: unknown;
  readonly redact?: unknown;
  /** In no checked inputs, so in no state. */
  readonly dryRun?: unknown;
}

/**
 * Output with the arguments that outputs would only repeat, as one JSON text. A dynamic provider receives only the
 * outputs to read or delete a resource. Pulumi's file backend writes the whole state at each step, at a cost that grows
 * with the number of values. Pulumi hides properties whose names begin with two underscores.
 */
const PACKED = "__arguments";

/** The resource's own properties, packed arguments in their positions. */
export function contents(properties: Properties & Envelope): Properties {
  const { __provider: _provider, owner: _owner, redact: _redact, dryRun: _dryRun, ...own } = unpacked(properties);
  return own;
}

/** Packs the named properties into one text; returns the properties unchanged without them. */
export function packed(properties: Properties, names: ReadonlySet<string>): Properties {
  const { together = [], apart = [] } = Object.groupBy(sortedEntries(properties), ([name]) => (names.has(name) ? "together" : "apart"));
  return together.length === 0 ? properties : { ...Object.fromEntries(apart), [PACKED]: JSON.stringify(Object.fromEntries(together)) };
}

/** Properties with each argument by itself, as releases before had them, in the order in which Pulumi gives properties to a provider. */
export function unpacked<Given extends Readonly<Properties>>(properties: Given): Given {
  const { [PACKED]: text, ...rest } = properties;
  return typeof text === "string" ? (Object.fromEntries(sortedEntries({ ...(JSON.parse(text) as Properties), ...rest })) as Given) : properties;
}

/** Whether a state has packed arguments. */
export function isPacked(properties: Readonly<Properties>): boolean {
  return properties[PACKED] !== undefined;
}
