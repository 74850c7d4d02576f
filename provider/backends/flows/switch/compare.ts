import { canonicalOf, forParsing, PortNumbers, type Canonical } from "../printed/canonical";
import { differenceOf, type Difference, type PrintedFlow } from "../printed/difference";
import type { FlowError } from "../errors";
import { isPlain } from "../printed/plain";
import { differenceFor, type BridgeDifference } from "../plan";
import type { BridgeFlowList } from "../set";
import { eachOnHost, failed, runOnHost, type HostTarget } from "../shell/host";
import { inputOf, OFCTL, timeout } from "../shell/ofctl";
import type { Step, StepResult } from "../shell/script";
import { comparedByDump } from "./dump";
import { lastWords, NO_BRIDGE, refusal, refused, saysWhichLine } from "./refusal";

/** How each bridge differs from the flows that it should have; undefined for a bridge that does not exist. */
export async function compare(target: HostTarget, cookie: string, bridges: readonly BridgeFlowList[]): Promise<(BridgeDifference | undefined)[]> {
  const dumped = await comparedByDump(target, cookie, bridges);
  const open = bridges.filter((list) => !dumped.has(list));
  const found = await differences(target, open, () => cookie);
  const numbers = new PortNumbers();
  const canonical = await canonicals(target, open, found, numbers);
  const compared = new Map(
    open.map((list, index) => [list, found[index] && differenceFor(cookie, found[index], canonical[index]!, (actions) => numbers.in(actions))]),
  );
  return bridges.map((list) => dumped.get(list) ?? compared.get(list));
}

/** Upper half of cookies that number flows. They are never written, and differ from any that a switch has. */
const NUMBERED = "0x70756c75";

/** Which desired flow the switch knows by which rule: cookies number them, so that every one of them differs. */
export async function rulesOf(target: HostTarget, { bridge, flows }: BridgeFlowList): Promise<Map<string, number>> {
  const [found] = await differences(target, [{ bridge, flows }], (flow) => NUMBERED + flow.toString(16).padStart(8, "0"));
  return new Map((found?.wanted ?? []).map(({ rule, cookie }) => [rule, parseInt(cookie.slice(NUMBERED.length), 16)]));
}

function differences(target: HostTarget, bridges: readonly BridgeFlowList[], cookie: (flow: number) => string): Promise<(Difference | undefined)[]> {
  return eachOnHost(
    target,
    bridges.map(
      ({ bridge, flows }): Step => ({
        argv: [...OFCTL, "--names", ...timeout(target), "diff-flows", bridge, "/dev/stdin"],
        input: inputOf(flows.map((flow, index) => `cookie=${cookie(index)},${flow}`)),
        bridge,
      }),
    ),
    (result, index) => {
      const { bridge, flows } = bridges[index]!;
      if (!failed(result)) return differenceOf(result.stdout);
      if (result.bridge === NO_BRIDGE) return undefined;
      throw refusal(bridge, flows, result);
    },
  );
}

/** The wanted flows as they would come back; that is also where flows are refused that parse and mean something else. */
async function canonicals(
  target: HostTarget,
  bridges: readonly BridgeFlowList[],
  found: readonly (Difference | undefined)[],
  numbers: PortNumbers,
): Promise<Canonical[][]> {
  const open = found.map((difference) => (difference?.wanted ?? []).filter((flow) => !isPlain(flow)));
  const indexes = open.flatMap((flows, index) => (flows.length > 0 ? [index] : []));
  const results =
    indexes.length === 0
      ? []
      : await runOnHost(
          target,
          indexes.map((index) => parsing(forParsing(open[index]!, numbers))),
        );
  const desired = new Map<PrintedFlow, Canonical>();
  for (const [at, index] of indexes.entries()) {
    const flows = open[index]!;
    const canonical = await meanings(target, bridges[index]!.bridge, flows, numbers, results[at]!);
    flows.forEach((flow, flowIndex) => desired.set(flow, canonical[flowIndex]!));
  }
  return found.map((difference) =>
    (difference?.wanted ?? []).map((flow) => desired.get(flow) ?? { rule: numbers.in(flow.rule), actions: numbers.in(flow.actions) }),
  );
}

/** Meanings of one bridge's flows, from the output of `ovs-ofctl parse-flows`. */
async function meanings(target: HostTarget, bridge: string, flows: readonly PrintedFlow[], numbers: PortNumbers, result: StepResult): Promise<Canonical[]> {
  const text = ({ rule, actions }: PrintedFlow): string => `${rule} actions=${actions}`;
  if (failed(result)) throw await parseRefusal(target, bridge, forParsing(flows, numbers), flows.map(text), result);
  const canonical = canonicalOf(result.stdout);
  const changed = flows.findIndex(({ rule }, index) => numbers.in(rule) !== canonical[index]?.rule);
  if (changed >= 0 && result.stderr.includes("normalization changed")) {
    throw refused(
      bridge,
      text(flows[changed]!),
      `the switch would match "${canonical[changed]?.rule ?? ""}" instead: a field lacks the protocol that it belongs to, such as tcp for tcp_dst`,
    );
  }
  return canonical;
}

const parsing = (flows: readonly string[]): Step => ({ argv: [...OFCTL, "parse-flows", "/dev/stdin"], input: inputOf(flows) });

/** A message without a line number is about all flows together: the first part of them that fails ends with the flow in question. */
async function parseRefusal(target: HostTarget, bridge: string, flows: readonly string[], shown: readonly string[], result: StepResult): Promise<FlowError> {
  if (saysWhichLine(result)) return refusal(bridge, shown, result);
  let [passes, fails] = [0, flows.length];
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1;
    const [part] = await runOnHost(target, [parsing(flows.slice(0, middle))]);
    if (failed(part!)) fails = middle;
    else passes = middle;
  }
  return refused(bridge, shown[passes]!, lastWords(result));
}
