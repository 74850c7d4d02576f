import type { Host } from "../../../targets/schema";
import type { Step } from "./script";
import { ANSWER } from "./silence";

interface OnHost {
  readonly host: Host;
}

/** Versions that have bundles; the highest that a bridge speaks is used. */
export const OFCTL = ["ovs-ofctl", "-O", "OpenFlow13,OpenFlow14"];

/**
 * The option by which ovs-ofctl ends by itself: on the far side of ssh, nothing else ends it.
 *
 * @param most seconds
 */
export function timeout({ host }: OnHost, most = Infinity): string[] {
  return [`--timeout=${Math.min(Math.ceil(host.timeout ?? 30), most)}`];
}

/** Without names ovs-ofctl asks the switch for none: neither of ports nor of tables, which it would describe at length. */
export const NO_NAMES = "--no-names";

/** A step that asks or changes the running switch. */
export type BridgeStep = Step & { readonly bridge: string };

/** Prints the fragment mode of a bridge: a short question, which every running switch answers. */
export const modeStep = (target: OnHost, bridge: string): BridgeStep => ({
  argv: [...OFCTL, ...timeout(target, ANSWER), "get-frags", bridge],
  bridge,
});

/** Prints flows or ports of a switch, with numbers of ports. */
export const looking = (target: OnHost, bridge: string, command: string): BridgeStep => ({
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
