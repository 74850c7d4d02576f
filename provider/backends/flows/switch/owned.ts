import { printable } from "@pulumi-ovn/ovsdb-client";
import { FlowError } from "../errors";
import { eachOnHost, failed, runOnHost, type HostTarget } from "../shell/host";
import { NO_NAMES, OFCTL, timeout } from "../shell/ofctl";
import type { Step, StepResult } from "../shell/script";
import { ANSWER } from "../shell/silence";

const counting = (target: HostTarget, cookie: string, bridge: string) => [...aggregate(target, bridge, `cookie=${cookie}/-1`), NO_NAMES];
const aggregate = (target: HostTarget, bridge: string, flows: string) => [...OFCTL, ...timeout(target, ANSWER), "dump-aggregate", bridge, flows];

/** Number of flows of a cookie on a bridge, counted by the switch. Undefined without an answer. */
export async function flowCount(target: HostTarget, cookie: string, bridge: string): Promise<number | undefined> {
  const [result] = await runOnHost(target, [{ argv: counting(target, cookie, bridge), bridge }]);
  return countIn(result!);
}

function countIn({ stdout }: StepResult): number | undefined {
  const [, count] = /\bflow_count=(\d+)/.exec(stdout) ?? [];
  return count === undefined ? undefined : Number(count);
}

/** A step that fails where a bridge has another number of flows of a cookie. */
export function countStep(target: HostTarget, cookie: string, bridge: string, count: number): Step {
  return { argv: counting(target, cookie, bridge), word: `flow_count=${count}` };
}

/** Step that fails if a bridge has a flow of any cookie and priority with this table and match, or a narrower match. */
export function noneStep(target: HostTarget, bridge: string, flows: string): Step {
  return { argv: [...aggregate(target, bridge, flows), "--names"], word: "flow_count=0" };
}

/**
 * Names every bridge of the host that has flows of a cookie: an interrupted update may have written to a bridge that no state
 * names. Skips a bridge that does not answer these versions of OpenFlow: it has no such flows.
 */
export async function bridgesWith(target: HostTarget, cookie: string): Promise<string[]> {
  const [listed] = await runOnHost(target, [{ argv: ["ovs-vsctl", "--timeout=5", "list-br"] }]);
  if (failed(listed!)) throw new FlowError("OVN_HOST_COMMAND", `ovs-vsctl can't list the host's bridges: ${printable(listed!.stderr.trim())}`);
  const bridges = listed!.stdout.split("\n").filter(Boolean);
  const counts = await eachOnHost(
    target,
    bridges.map((bridge) => ({ argv: counting(target, cookie, bridge), bridge })),
    countIn,
  );
  return bridges.filter((_, index) => (counts[index] ?? 0) > 0);
}
