export interface WorkloadPortArgs {
  /** Addresses without masks, at most one per family. */
  addresses: string[];
  /** Default: derived from the first address (0a:58 and the IPv4 bytes), the same in every zone. */
  mac?: string;
  /** Port key, equal in every zone, unique on the switch. 1 to 9 are for the switch's own ports. */
  tunnelKey: number;
  /** Whether the workload is in another zone. Default: false. */
  remote?: boolean;
  /** Chassis of the port, required for a remote one. During a migration: source, destination. */
  chassis?: string[];
  /**
   * "rarp" keeps the second chassis of a local port inactive until the guest sends a RARP there. Default: none. (ovn-nb(5),
   * options:activation-strategy)
   */
  activation?: "rarp";
  /** Drop packets from addresses other than the workload's. Only where it runs. Default: true. */
  portSecurity?: boolean;
  /** UUID of the DHCP_Options row for IPv4. Default: none. */
  dhcpv4Options?: string;
  /** UUID of the DHCP_Options row for IPv6. Default: none. */
  dhcpv6Options?: string;
  /** Entries of the port's own `external_ids`. Default: none. */
  externalIds?: Record<string, string>;
}
