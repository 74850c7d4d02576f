import { asPrinted } from "../printed/difference";
import type { BridgeFlowList } from "../set";
import { parsedFlows } from "../set/text";
import { failed, runOnHost, type HostTarget } from "../shell/host";
import { matchTwins } from "../set/match-twins";
import { looking, withoutStatistics } from "../shell/ofctl";
import { noneStep } from "./owned";
import { paired, type Paired } from "../printed/pair";
import { isPlain } from "../printed/plain";
import { type Ports, portsOf } from "../printed/ports";
import { unlike } from "../printed/lines";
import type { BridgeDifference, WantedFlow } from "../plan";
import { dumpedFlows, switchWords } from "../printed/words";

/** From here on a dump takes less than `diff-flows`, and less than a further run of the host's command matters. */
const MANY = 1_000;

/** Missing flows that are looked up one by one; each is a program on the host. */
const MOST_MISSING = 16;

/**
 * Differences of bridges with long lists of flows, if a dump shows them reliably: every flow has a usual form, and the switch has the same
 * words, other usual actions, or no such match. Other lists are not in the result: the host's ovs-ofctl must compare them.
 */
export async function comparedByDump(target: HostTarget, cookie: string, bridges: readonly BridgeFlowList[]): Promise<Map<BridgeFlowList, BridgeDifference>> {
  const lists = bridges.filter((list) => list.flows.length >= MANY && switchWords(list).flows !== undefined);
  const found = new Map<BridgeFlowList, BridgeDifference>();
  if (lists.length === 0) return found;
  const results = await runOnHost(
    target,
    lists.flatMap(({ bridge }) => [looking(target, bridge, "dump-ports-desc"), looking(target, bridge, "dump-flows")]),
  );
  for (const [index, list] of lists.entries()) {
    const [described, dump] = [results[2 * index], results[2 * index + 1]];
    if (described === undefined || dump === undefined || failed(dump)) break;
    const ports = portsOf(described.stdout);
    const pairs = pairedWithDump(list, withoutStatistics(dump.stdout), cookie, ports);
    const difference = pairs && (await certain(target, list, pairs));
    if (difference !== undefined) found.set(list, { ...difference, ports });
  }
  return found;
}

/** Pure. Only what the dump does not have in the very words that are expected is read: mostly that is little. */
export function pairedWithDump(list: BridgeFlowList, dump: string, cookie: string, ports: Ports): Paired | undefined {
  const wanted = switchWords(list).flows!;
  const { indexes, rest } = unlike(wanted, cookie, dump, ports);
  const dumped = dumpedFlows(rest, cookie);
  return dumped && paired(wanted, dumped, cookie, indexes);
}

/**
 * With the missing flows, which are written with their fields sorted, if that means the same and the switch has nothing in their
 * positions under other words; undefined: that is not known.
 */
async function certain(target: HostTarget, list: BridgeFlowList, { difference, missing }: Paired): Promise<BridgeDifference | undefined> {
  if (missing.length === 0) return difference;
  const flows = missing.map((index) => ({ index, text: parsedFlows(list)[index]!, actions: switchWords(list).flows![index]!.actions }));
  if (missing.length > MOST_MISSING || flows.some(({ text, actions }) => matchTwins(text) !== undefined || !isPlain({ ...asPrinted(text), actions })))
    return undefined;
  const results = await runOnHost(
    target,
    flows.map(({ text }) => noneStep(target, list.bridge, [`table=${text.table}`, text.match].filter(Boolean).join(","))),
  );
  if (results.some(failed)) return undefined;
  const wanted = flows.map(({ index, text }): WantedFlow => ({ flow: asPrinted(text), own: undefined, foreign: undefined, index }));
  return { ...difference, wanted: [...difference.wanted, ...wanted] };
}
