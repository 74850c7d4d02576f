import { printable } from "@pulumi-ovn/ovsdb-client";
import { FlowError } from "../errors";
import { failed, runOnHost, type HostTarget } from "../shell/host";
import { NO_NAMES, OFCTL, timeout } from "../shell/ofctl";
import { quote, type Step } from "../shell/script";

const counting = (target: HostTarget, cookie: string, bridge: string) => [...aggregate(target, bridge, `cookie=${cookie}/-1`), NO_NAMES];
const aggregate = (target: HostTarget, bridge: string, flows: string) => [...OFCTL, ...timeout(target), "dump-aggregate", bridge, flows];

/** Number of flows of a cookie on a bridge, counted by the switch. Undefined without an answer. */
export async function flowCount(target: HostTarget, cookie: string, bridge: string): Promise<number | undefined> {
  const [result] = await runOnHost(target, [{ argv: counting(target, cookie, bridge), bridge }]);
  const [, count] = /\bflow_count=(\d+)/.exec(result!.stdout) ?? [];
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
  const [ofctl, flows] = [[...OFCTL, ...timeout(target), NO_NAMES].map(quote).join(" "), quote(`cookie=${cookie}/-1`)];
  const script = `bridges=$(ovs-vsctl --timeout=5 list-br) || exit 1; for bridge in $bridges; do ${ofctl} dump-aggregate "$bridge" ${flows} 2>/dev/null | grep -q "flow_count=[1-9]" && echo "$bridge"; done; true`;
  const [result] = await runOnHost(target, [{ argv: ["sh", "-c", script] }]);
  if (failed(result!)) throw new FlowError("OVN_HOST_COMMAND", `ovs-vsctl can't list the host's bridges: ${printable(result!.stderr.trim())}`);
  return result!.stdout.split("\n").filter(Boolean);
}
