/** Rows of a zone's databases that an exposure for agents names. */
export interface AgentFacts {
  /** Whether each chassis exists. null: the targets do not have the zone's Southbound database. */
  readonly chassis: Readonly<Record<string, boolean>> | null;
  /** Whether the names in selections exist. */
  readonly named: NamedFacts;
  /** Routers with a gateway on one of the chassis, where whole tenant networks are announced. */
  readonly gateways: Readonly<Record<string, { readonly ports: Readonly<Record<string, AgentPortFacts>> }>>;
}

export interface NamedFacts {
  readonly networks: Readonly<Record<string, boolean>>;
  readonly ports: Readonly<Record<string, boolean>>;
  /** Whether labels exist, by "select" and "exclude". */
  readonly labels: Readonly<Record<string, boolean>>;
  readonly scopes: Readonly<Record<string, boolean>>;
}

/** A router's port to a network. */
export interface AgentPortFacts {
  readonly network: string;
  readonly provider: boolean;
  /** Addresses with prefix lengths, without link-local ones. */
  readonly networks: readonly string[];
  /** Entries of `external_ids` that the arguments ask for, by the names of both ports. */
  readonly ends: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly scopes: Readonly<Record<string, string>>;
}
