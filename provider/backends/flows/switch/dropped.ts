import { eachOnHost, failed, type HostTarget } from "../shell/host";
import { OFCTL, timeout } from "../shell/ofctl";

/** Flows of a cookie in a table of a bridge. */
export interface FlowTable {
  readonly bridge: string;
  readonly table: number;
  readonly cookie: string;
}

/** A flow that drops, and how many packets it has dropped since it was written. */
export interface DroppingFlow {
  /** In the switch's words, with names of ports. */
  readonly match: string;
  readonly packets: number;
}

/** Dropping flows of some tables, by one run of the host's command. Undefined if the bridge is missing or does not answer. */
export async function droppingFlows(target: HostTarget, tables: readonly FlowTable[]): Promise<(readonly DroppingFlow[] | undefined)[]> {
  return eachOnHost(
    target,
    tables.map(({ bridge, table, cookie }) => ({
      argv: [...OFCTL, "--names", ...timeout(target), "dump-flows", bridge, `cookie=${cookie}/-1,table=${table}`],
      bridge,
    })),
    (result) => (failed(result) ? undefined : droppingIn(result.stdout)),
  );
}

/**
 * ` cookie=0x1, duration=5.1s, table=11, n_packets=3, n_bytes=126, priority=100,arp actions=drop`; ages and flags may precede the
 * priority, and the default one, 32768, is not printed. A port's name in quotes may have spaces.
 */
const DROPPING =
  /^.*?\bn_packets=(\d+), n_bytes=\d+, (?:\w+=\d+, |(?:send_flow_rem|check_overlap|reset_counts|no_packet_counts|no_byte_counts) )*(?:priority=\d+,?)?(.*?) ?actions=drop$/;

/** Pure. Parses the output of `ovs-ofctl dump-flows`. */
export function droppingIn(dump: string): DroppingFlow[] {
  return dump.split("\n").flatMap((line): DroppingFlow[] => {
    const [, packets, match = ""] = DROPPING.exec(line) ?? [];
    return packets === undefined ? [] : [{ match, packets: Number(packets) }];
  });
}
