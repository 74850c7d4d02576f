/** What a zone's databases say of what an exposure for agents names. */
export interface AgentFacts {
  /** Whether there are such chassis; null: the targets don't have the zone's Southbound database. */
  readonly chassis: Readonly<Record<string, boolean>> | null;
  /** Whether there is what selections name. */
  readonly named: NamedFacts;
  /** Routers with a gateway on one of the chassis, where whole tenant networks are announced. */
  readonly gateways: Readonly<Record<string, { readonly ports: Readonly<Record<string, AgentPortFacts>> }>>;
}

export interface NamedFacts {
  readonly networks: Readonly<Record<string, boolean>>;
  readonly ports: Readonly<Record<string, boolean>>;
  /** By "select" and "exclude". */
  readonly labels: Readonly<Record<string, boolean>>;
  readonly scopes: Readonly<Record<string, boolean>>;
}

/** A router's port to a network. */
export interface AgentPortFacts {
  readonly network: string;
  readonly provider: boolean;
  /** Addresses with prefix lengths, without link-local ones. */
  readonly networks: readonly string[];
  /** By the names of both ports, the entries of `external_ids` that the arguments ask for. */
  readonly ends: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly scopes: Readonly<Record<string, string>>;
}
