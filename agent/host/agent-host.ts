import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { HostState, Problem } from "@pulumi-ovn/provider/agent";

/** Milliseconds for which successive changes may delay a scan of the host. After that a scan runs in parallel with them. */
export const MAX_SCAN_DELAY = 5_000;

/** Access to the parts of the host that the agent changes. */
export interface HostOptions {
  /** The host's Open_vSwitch database; it belongs to the caller, who closes it. */
  readonly openvswitch: OvsdbClient;
  /** Command that runs the programs (ip, vtysh, ovs-ofctl). Default: they run directly. */
  readonly command?: readonly string[] | undefined;
  /** FRR's vtysh; default: that of PATH. */
  readonly vtysh?: string | undefined;
  /** Seconds that one run of a program may take; default 30. */
  readonly timeout?: number | undefined;
  /** Stops the running steps. The remaining steps are not started. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of one round. */
export interface Converged {
  /** Whether the host was scanned. Otherwise the steps are from the cached state, and a scan is due soon. */
  readonly isScanned: boolean;
  /** Differences that remain: refusals of the kernel, the switch and FRR, and conflicting objects of other writers. */
  readonly problems: readonly Problem[];
  /** Steps that were taken; 0: the host was as desired already, or nothing of the difference could be changed. */
  readonly changed: number;
}

/** The host that an agent runs on. */
export interface AgentHost {
  /**
   * Reads the agent's objects on the host, compares them with the desired state, and applies the difference. Objects that can't be
   * read or changed are reported as problems, and the others are applied. Rejects only when the signal is aborted. Calls that overlap
   * wait for each other.
   *
   * If the host has not changed since the last scan and only routes, neighbours, proxies and flows differ, the call scans nothing, or the
   * bridges of the flows. The caller must make a later call, which scans: `watch` does not report routes that are as desired. With
   * `newer`, calls that follow each other for `MAX_SCAN_DELAY` start a scan in the background, and `watch` reports any difference that
   * the scan finds.
   *
   * @param newer ends a call that has only scanned, if a newer state need not wait for the scan: the result is undefined
   * @param isScanDue if false, a call whose changes can be planned from the last scan does not scan again. Default: true
   */
  converge(desired: HostState): Promise<Converged>;
  converge(desired: HostState, newer: AbortSignal, isScanDue?: boolean): Promise<Converged | undefined>;
  /**
   * Calls `onChange` after routes, rules, addresses, neighbours or links have changed, or after FRR or the switch has started. Many
   * changes lead to one call, which does not name them. The agent's own route changes are not reported. Its other changes are, but the
   * next round finds no difference and ends the sequence. Ends with the signal, or when the returned function is called.
   */
  watch(onChange: () => void): () => void;
}
