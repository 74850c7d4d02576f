type Properties = Record<string, unknown>;

/** Properties that belong to Pulumi's dynamic protocol, not to the resource: the provider's text, the identity that the sdk gives, and names of secret arguments. */
export interface Envelope {
  readonly __provider?: unknown;
  readonly owner?: unknown;
  readonly redact?: unknown;
}

/** The resource's own properties. */
export function contents({ __provider: _provider, owner: _owner, redact: _redact, ...own }: Properties & Envelope): Properties {
  return own;
}
