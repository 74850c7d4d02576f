/** The endpoints of a zone's databases, and of the Open vSwitch database of the host that it is called after. */
export interface ZoneEndpoints {
  readonly northbound: string;
  readonly southbound: string;
  readonly openvswitch: string;
}
