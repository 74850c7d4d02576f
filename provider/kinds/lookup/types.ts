/** One object of a zone, found by its name. */
export interface LookupArgs {
  /** Name of the OVN zone, a key of `zones` in the file of targets. */
  zone: string;
  /** Name of the object, in its column `name`. */
  name: string;
}

/** A switch or router as it is in the Northbound database. */
export interface DatapathInfo {
  /** UUID of the row. */
  readonly uuid: string;
  readonly name: string;
  /** Datapath key: what northd has given, where the zone has a Southbound endpoint; otherwise what the row asks for, if it does. */
  readonly tunnelKey: number | undefined;
  /** UUIDs of its ports, by their names. */
  readonly ports: Readonly<Record<string, string>>;
  readonly externalIds: Readonly<Record<string, string>>;
}

/** A Logical_Switch. (ovn-nb(5)) */
export interface SwitchInfo extends DatapathInfo {
  /** Column `other_config`. */
  readonly otherConfig: Readonly<Record<string, string>>;
}

/** A Logical_Router. (ovn-nb(5)) */
export interface RouterInfo extends DatapathInfo {
  /** Column `options`. */
  readonly options: Readonly<Record<string, string>>;
}

/** A Logical_Switch_Port or Logical_Router_Port. (ovn-nb(5)) */
export interface PortInfo {
  /** UUID of the row. */
  readonly uuid: string;
  readonly name: string;
  /** The switch or router that has the port. */
  readonly on: { readonly kind: "switch" | "router"; readonly uuid: string; readonly name: string };
  /** Column `type` of a switch port; "" is a workload's, and every router port's. */
  readonly type: string;
  /** MACs: those in `addresses` for a switch port, its own MAC for a router port. */
  readonly macs: readonly string[];
  /**
   * Addresses of a switch port: without prefix lengths, from `addresses` or northd's `dynamic_addresses`. Addresses of a router port: with
   * prefix lengths.
   */
  readonly addresses: readonly string[];
  /** Port key: what northd has given, where the zone has a Southbound endpoint; otherwise what the row asks for, if it does. */
  readonly tunnelKey: number | undefined;
  /** Column `options`. */
  readonly options: Readonly<Record<string, string>>;
  readonly externalIds: Readonly<Record<string, string>>;
}
