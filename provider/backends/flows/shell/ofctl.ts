import type { HostTarget } from "./host";
import type { Step } from "./script";

/** Versions that have bundles; the highest that a bridge speaks is used. */
export const OFCTL = ["ovs-ofctl", "-O", "OpenFlow13,OpenFlow14"];

/**
 * The option by which ovs-ofctl ends by itself: on the far side of ssh, nothing else ends it.
 *
 * @param most seconds
 */
export function timeout({ host }: HostTarget, most = Infinity): string[] {
  return [`--timeout=${Math.min(Math.ceil(host.timeout ?? 30), most)}`];
}

/** Without names ovs-ofctl asks the switch for none: neither of ports nor of tables, which it would describe at length. */
export const NO_NAMES = "--no-names";

/** Prints flows or ports of a switch, with numbers of ports. */
export const looking = (target: HostTarget, bridge: string, command: string): Step & { readonly bridge: string } => ({
  argv: [...OFCTL, NO_NAMES, ...timeout(target), command, bridge],
  bridge,
});

const STATISTICS = / duration=[\d.]+s,(?: table=0,|( table=\d+,)) n_packets=\d+, n_bytes=\d+,/g;

/**
 * Pure. A dump without names as `--no-stats` would print it: with that option ovs-ofctl keeps all flows until it has the last one,
 * and takes half as long again.
 */
export const withoutStatistics = (dump: string): string => dump.replace(STATISTICS, "$1");

/** Input of a program that reads one flow a line. */
export const inputOf = (flows: readonly string[]): string => [...flows, ""].join("\n");
