type Properties = Record<string, unknown>;

/** Properties that belong to Pulumi's dynamic protocol, not to the resource: the provider's text, the identity that the sdk gives, names of secret arguments, and whether the program runs for a preview. */
export interface Envelope {
  readonly __provider?: unknown;
  readonly owner?: unknown;
  readonly redact?: unknown;
  /** In no checked inputs, so in no state. */
  readonly dryRun?: unknown;
}

/** The resource's own properties. */
export function contents({ __provider: _provider, owner: _owner, redact: _redact, dryRun: _dryRun, ...own }: Properties & Envelope): Properties {
  return own;
}
