import { printable } from "@pulumi-ovn/ovsdb-client";
import { FlowError } from "../errors";
import type { StepResult } from "../shell/script";

/** Exit status of `ovs-vsctl br-exists` for a bridge that is not in the configuration. */
export const NO_BRIDGE = 2;

export function missing(bridge: string): FlowError {
  return new FlowError("OVN_BRIDGE_MISSING", `there is no bridge "${bridge}"; make it before the flows, or correct its name`);
}

/** `ovs-ofctl: /dev/stdin:3: unknown port`: the line is that of a flow. */
const LINE = /^ovs-ofctl: (?:\/dev\/stdin|-):(\d+): (.*)$/m;

/** Answer of a switch to a flow of a bundle: `Error OFPBAC_BAD_OUT_GROUP for: OFPT_FLOW_MOD ...: ADD table:3 ...`. */
const ANSWER = /^Error (\w+) for: OFPT_FLOW_MOD[^:]*: (?:ADD|MOD|DEL_STRICT|DEL) (.*)$/m;

/** Whether an error of ovs-ofctl names the line of a flow. */
export function saysWhichLine({ stderr }: Pick<StepResult, "stderr">): boolean {
  return LINE.test(stderr);
}

/** Error of a bridge that refused flows, or did not answer. */
export function refusal(bridge: string, flows: readonly string[], result: StepResult): FlowError {
  const [, line, why] = LINE.exec(result.stderr) ?? [];
  if (line !== undefined) return refused(bridge, flows[Number(line) - 1] ?? "", why!);
  const [, error, flow] = ANSWER.exec(result.stderr) ?? [];
  if (error !== undefined) return refused(bridge, flow!.replace(/ ?cookie:0x[0-9a-f]+/, "").replace(/^table:/, "table="), `the switch answers ${error}`);
  return unreachable(bridge, result);
}

export function unreachable(bridge: string, result: Pick<StepResult, "stderr">): FlowError {
  return new FlowError(
    "OVN_BRIDGE_UNREACHABLE",
    `bridge "${bridge}" does not answer: ${lastWords(result)}; is ovs-vswitchd running, and is OpenFlow13 or OpenFlow14 among the bridge's protocols?`,
  );
}

export function refused(bridge: string, flow: string, why: string): FlowError {
  return new FlowError("OVN_FLOW_REFUSED", `bridge "${bridge}": flow "${printable(flow)}": ${printable(why)}`);
}

export function lastWords({ stderr }: Pick<StepResult, "stderr">): string {
  return printable(
    stderr
      .trim()
      .split("\n")
      .at(-1)!
      .replace(/^ovs-ofctl: /, ""),
  );
}
