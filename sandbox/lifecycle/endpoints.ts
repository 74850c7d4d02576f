/** The endpoints of a zone's databases, and of the Open vSwitch database of the host that it is called after. */
export interface ZoneEndpoints {
  readonly northbound: string;
  readonly southbound: string;
  readonly openvswitch: string;
}

/** A host in a file of targets. */
export interface HostTarget {
  readonly openvswitch: string;
  /** The words that a program's own follow. */
  readonly command: readonly string[];
  /** Folder of the host for the files of its agent. */
  readonly agentFolder: string;
}
