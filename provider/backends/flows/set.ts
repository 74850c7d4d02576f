/** The flows of one bridge. */
export interface BridgeFlowList {
  readonly bridge: string;
  /**
   * Flows in the syntax of ovs-ofctl(8), one each, without cookie: `table=0,priority=100,ip,nw_dst=10.0.0.0/24,actions=output:p1`.
   * Fields and ports may be written in any way that the host's ovs-ofctl takes; ports also by name.
   */
  readonly flows: readonly string[];
  /**
   * How the bridge matches fields behind the IP header of fragments (ovs-ofctl(8), set-frags). In mode "normal", which every
   * new switch has, ports and ICMP types are 0 in all fragments; in "nx-match" first fragments have their own. The running
   * switch has the mode, not its database. Undefined: left as it is.
   */
  readonly fragments?: "nx-match";
}

/**
 * Flows of one resource on the bridges of ONE host. It has no cookie: the back end derives one from the resource's identity (`flowCookie`), so
 * two resources never share one.
 *
 * Flows are applied in the order of the bridges, one bundle each, and removed in reverse, because later bridges rely on flows of earlier ones.
 * In an update, bridges that only lose flows come first, in reverse. No bridge appears twice.
 */
export interface FlowSet {
  readonly bridges: readonly BridgeFlowList[];
}
