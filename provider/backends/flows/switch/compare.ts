import { printable } from "@pulumi-ovn/ovsdb-client";
import { canonicalOf, forParsing, PortNumbers, type Canonical } from "../printed/canonical";
import { differenceOf, type Difference, type PrintedFlow } from "../printed/difference";
import { FlowError } from "../errors";
import { eachOnHost, failed, runOnHost, type HostTarget } from "../shell/host";
import type { BridgeFlowList } from "../set";
import { isPlain } from "../printed/plain";
import { differenceFor, type BridgeDifference } from "../plan";
import { comparedByDump } from "./dump";
import { looking, NO_NAMES, OFCTL, timeout } from "../shell/ofctl";
import { fragmentStep, settingSteps } from "./fragments";
import type { Ports } from "../printed/ports";
import { countStep } from "./owned";
import type { Step, StepResult } from "../shell/script";

/** Exit status of `ovs-vsctl br-exists` for a bridge that is not in the configuration. */
const NO_BRIDGE = 2;

const lines = (texts: readonly string[]): string => [...texts, ""].join("\n");

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
        input: lines(flows.map((flow, index) => `cookie=${cookie(index)},${flow}`)),
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
  const asked = open.flatMap((flows, index) => (flows.length > 0 ? [index] : []));
  const results =
    asked.length === 0
      ? []
      : await runOnHost(
          target,
          asked.map((index) => parsing(forParsing(open[index]!, numbers))),
        );
  const meant = new Map<PrintedFlow, Canonical>();
  for (const [at, index] of asked.entries()) {
    const flows = open[index]!;
    const canonical = await meanings(target, bridges[index]!.bridge, flows, numbers, results[at]!);
    flows.forEach((flow, flowIndex) => meant.set(flow, canonical[flowIndex]!));
  }
  return found.map((difference) =>
    (difference?.wanted ?? []).map((flow) => meant.get(flow) ?? { rule: numbers.in(flow.rule), actions: numbers.in(flow.actions) }),
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

const parsing = (flows: readonly string[]): Step => ({ argv: [...OFCTL, "parse-flows", "/dev/stdin"], input: lines(flows) });

/** A message without a line number is about all flows together: the first part of them that fails ends with the flow in question. */
async function parseRefusal(target: HostTarget, bridge: string, flows: readonly string[], shown: readonly string[], result: StepResult): Promise<FlowError> {
  if (LINE.test(result.stderr)) return refusal(bridge, shown, result);
  let [passes, fails] = [0, flows.length];
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1;
    const [part] = await runOnHost(target, [parsing(flows.slice(0, middle))]);
    if (failed(part!)) fails = middle;
    else passes = middle;
  }
  return refused(bridge, shown[passes]!, lastWords(result));
}

/** Changes of one bridge: lines of a bundle. */
export interface BridgeBundle {
  readonly bridge: string;
  readonly bundle: readonly string[];
  /** Ports, if its flows have usual forms, in which numbers can replace names. */
  readonly ports?: Ports | undefined;
}

/** @param ports whose numbers stand for their names */
function bundling(target: HostTarget, { bridge, bundle }: BridgeBundle, ports?: Ports): Step & { readonly bridge: string } {
  return {
    argv: [...OFCTL, ports ? NO_NAMES : "--names", ...timeout(target), "--bundle", "add-flows", bridge, "-"],
    input: lines(ports ? bundle.map((line) => ports.numbered(line)) : bundle),
    bridge,
  };
}

/** A switch takes numbers that no port has, or another one: before they are written, the ports have to be those of the dump. */
function guardedBundling(target: HostTarget, change: BridgeBundle): Step[] {
  const { bridge, bundle, ports } = change;
  if (ports === undefined || !bundle.every((line) => ports.knows(line))) return [bundling(target, change)];
  return [{ ...looking(target, bridge, "dump-ports-desc"), tells: ports.listing }, bundling(target, change, ports)];
}

/**
 * Sets fragment modes, which flows rely on, and changes each bridge by one bundle, in this order. A bundle that is refused changes
 * nothing, and those after it are not sent.
 * Numbers of ports may be seconds old, so the same run of the host's command reads them again before each bundle that has them.
 */
export async function apply(target: HostTarget, changes: readonly BridgeBundle[], modes: readonly BridgeFlowList[] = []): Promise<void> {
  const setting = settingSteps(target, modes);
  const steps = [
    ...setting.map((step) => ({ index: undefined, step })),
    ...changes.flatMap((change, index) => guardedBundling(target, change).map((step) => ({ index, step }))),
  ];
  if (steps.length === 0) return;
  const results = await runOnHost(
    target,
    steps.map(({ step }) => step),
  );
  const last = results.at(-1);
  if (last === undefined || !failed(last)) return;
  const { index } = steps[results.length - 1]!;
  if (index === undefined) throw unreachable(setting[results.length - 1]!.bridge, last);
  if (changes[index]!.ports === undefined) return throwRefusal(changes[index]!, last);
  // Nothing of it is written: a port has got another number meanwhile, or errors are to have names.
  await apply(
    target,
    changes.slice(index).map(({ bridge, bundle }) => ({ bridge, bundle })),
  );
}

/**
 * Changes a bridge with `before` flows of the cookie and the desired fragment mode, in one run of the host's command. False if it has another
 * number, and nothing was changed; or if it does not have `after` flows then.
 */
export async function applyCounted(
  target: HostTarget,
  cookie: string,
  change: BridgeBundle & Pick<BridgeFlowList, "fragments">,
  { before, after }: { readonly before: number; readonly after: number },
): Promise<boolean> {
  const counted = (count: number) => countStep(target, cookie, change.bridge, count);
  const { bridge, fragments } = change;
  const guards = [...(fragments ? [fragmentStep(target, bridge, fragments)] : []), counted(before)];
  const [bundle, last] = (await runOnHost(target, [...guards, bundling(target, change), counted(after)])).slice(guards.length);
  if (bundle !== undefined) throwRefusal(change, bundle);
  return last !== undefined && !failed(last);
}

function throwRefusal({ bridge, bundle }: BridgeBundle, result: StepResult): void {
  if (failed(result)) throw result.bridge === NO_BRIDGE ? missing(bridge) : refusal(bridge, bundle, result);
}

/** Removes the flows of a cookie from bridges, in this order. */
export async function removeCookie(target: HostTarget, cookie: string, bridges: readonly string[]): Promise<void> {
  await whereThere(
    target,
    bridges.map((bridge) => ({ argv: [...OFCTL, ...timeout(target), "del-flows", bridge, `cookie=${cookie}/-1`], bridge })),
  );
}

/** Removes some flows from bridges, by one bundle for each, in this order. */
export async function withdraw(target: HostTarget, changes: readonly BridgeBundle[]): Promise<void> {
  await whereThere(
    target,
    changes.map((change) => bundling(target, change)),
  );
}

/** A missing bridge has no flows. */
async function whereThere(target: HostTarget, steps: readonly (Step & { readonly bridge: string })[]): Promise<void> {
  await eachOnHost(target, steps, (result, index) => {
    if (failed(result) && result.bridge !== NO_BRIDGE) throw refusal(steps[index]!.bridge, [], result);
  });
}

export function missing(bridge: string): FlowError {
  return new FlowError("OVN_BRIDGE_MISSING", `there is no bridge "${bridge}"; make it before the flows, or correct its name`);
}

/** `ovs-ofctl: /dev/stdin:3: unknown port`: the line is that of a flow. */
const LINE = /^ovs-ofctl: (?:\/dev\/stdin|-):(\d+): (.*)$/m;

/** Answer of a switch to a flow of a bundle: `Error OFPBAC_BAD_OUT_GROUP for: OFPT_FLOW_MOD ...: ADD table:3 ...`. */
const ANSWER = /^Error (\w+) for: OFPT_FLOW_MOD[^:]*: (?:ADD|MOD|DEL_STRICT|DEL) (.*)$/m;

function refusal(bridge: string, flows: readonly string[], result: StepResult): FlowError {
  const [, line, why] = LINE.exec(result.stderr) ?? [];
  if (line !== undefined) return refused(bridge, flows[Number(line) - 1] ?? "", why!);
  const [, error, flow] = ANSWER.exec(result.stderr) ?? [];
  if (error !== undefined) return refused(bridge, flow!.replace(/ ?cookie:0x[0-9a-f]+/, "").replace(/^table:/, "table="), `the switch answers ${error}`);
  return unreachable(bridge, result);
}

function unreachable(bridge: string, result: Pick<StepResult, "stderr">): FlowError {
  return new FlowError(
    "OVN_BRIDGE_UNREACHABLE",
    `bridge "${bridge}" does not answer: ${lastWords(result)}; is ovs-vswitchd running, and is OpenFlow13 or OpenFlow14 among the bridge's protocols?`,
  );
}

function refused(bridge: string, flow: string, why: string): FlowError {
  return new FlowError("OVN_FLOW_REFUSED", `bridge "${bridge}": flow "${printable(flow)}": ${printable(why)}`);
}

function lastWords({ stderr }: Pick<StepResult, "stderr">): string {
  return printable(
    stderr
      .trim()
      .split("\n")
      .at(-1)!
      .replace(/^ovs-ofctl: /, ""),
  );
}
