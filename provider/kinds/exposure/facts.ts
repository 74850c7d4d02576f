/** Facts about the routers of an exposure from a zone's Northbound database: sorted, and only those that matter. */
export interface ExposureFacts {
  /** Routers by name. null: not found, or several have the name. */
  readonly routers: Readonly<Record<string, RouterFacts | null>>;
  /** Other switches and routers that ask for one of the tables as their key, by table. */
  readonly taken: Readonly<Record<string, string>>;
}

export interface RouterFacts {
  /** null: a distributed router. */
  readonly chassis: string | null;
  /** Ports by name, without ports that lead to another router. */
  readonly ports: Readonly<Record<string, RouterPortFacts>>;
  /** External addresses of its NAT. */
  readonly nat: readonly string[];
  /** Addresses of its load balancers. */
  readonly vips: readonly string[];
}

export interface RouterPortFacts {
  /** Addresses with prefix lengths, without link-local ones. */
  readonly networks: readonly string[];
  /** Name of the switch. */
  readonly network: string;
  /** Whether the switch has a localnet port. */
  readonly provider: boolean;
  /** Entries of `external_ids` of the switch that the arguments ask for. */
  readonly labels: Readonly<Record<string, string>>;
  /** Address scopes by family, where the arguments ask for them. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Names of further router ports on the switch. */
  readonly neighbors: readonly string[];
  /** Addresses of the switch's other ports, where each is announced. */
  readonly hosts: readonly string[];
}
