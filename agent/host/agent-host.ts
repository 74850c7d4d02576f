import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { HostState, Problem } from "@pulumi-ovn/provider/agent";

/** How the agent reaches what it changes on its host. */
export interface HostOptions {
  /** The host's Open_vSwitch database; it belongs to the caller, who closes it. */
  readonly openvswitch: OvsdbClient;
  /** What programs (ip, vtysh, ovs-ofctl) are run by; default: none, they run here. */
  readonly command?: readonly string[] | undefined;
  /** FRR's vtysh; default: that of PATH. */
  readonly vtysh?: string | undefined;
  /** Seconds that one run of a program may take; default 30. */
  readonly timeout?: number | undefined;
  /** Stops what is running; what has not begun is left. */
  readonly signal?: AbortSignal | undefined;
}

/** What one round has led to. */
export interface Converged {
  /** The host was looked at. Else the steps followed from what is known of it, and a look is due soon. */
  readonly looked: boolean;
  /** What keeps the host from being as desired: refusals of the kernel, the switch and FRR, and what others have in the same place. */
  readonly problems: readonly Problem[];
  /** Steps that were taken; 0: the host was as desired already, or nothing of the difference could be changed. */
  readonly changed: number;
}

/** The host that an agent runs on. */
export interface AgentHost {
  /**
   * Reads what the host has of the agent's, compares, and applies the difference. What can't be read or changed is a problem, and
   * the rest is done; rejects only when the signal is given. Calls that overlap wait for each other.
   *
   * Where nothing has happened on the host since the last look, and other routes alone are wanted, these are written without
   * another look, which is left to a later call. The caller sees to that call: of routes that are as wanted `watch` tells nothing.
   * With `newer`, calls that follow each other for 2 seconds start a look in the background; `watch` tells of any difference
   * that it finds.
   *
   * @param newer ends a call that has done nothing but look, where another state need not wait for it: the result is undefined
   */
  converge(desired: HostState): Promise<Converged>;
  converge(desired: HostState, newer: AbortSignal): Promise<Converged | undefined>;
  /**
   * Tells that routes, rules, addresses, neighbours or links have changed, or that FRR or the switch has been started: not what, and once for
   * many changes. Of the agent's own changes routes are not told; after others the round finds no difference, so it is the last. Ends
   * with the signal, or when the result is called.
   */
  watch(onChange: () => void): () => void;
}
