import { emissions, type Emission, type Headers } from "./datapath";

/** A flow that a packet met. */
export interface TraceStep {
  readonly bridge: string;
  readonly table: number;
  readonly priority: number;
  /** Cookie as ovs-ofctl(8) prints it. "0x0": unowned. */
  readonly cookie: string;
  readonly match: string;
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  readonly sent: readonly Emission[];
}

const BRIDGE = /^\s*bridge\("(.*)"\)$/;
const STEP = /^\s*(\d+)\. (?:(.*?), )?priority (\d+)(?:, cookie (0x[0-9a-f]+))?$/;
const ACTIONS = /^Datapath actions: (.*)$/;

/**
 * Pure. Parses the output of `ovs-appctl ofproto/trace` (ovs-vswitchd(8)). After conntrack the trace starts again, with the packet at
 * that point, and always names the first bridge. So tables and cookies are more reliable than bridges.
 */
export function readTrace(text: string, headers: Headers): Trace {
  const steps: TraceStep[] = [];
  const sent: Emission[] = [];
  let [bridge, now] = ["", headers];
  for (const line of text.split("\n")) {
    bridge = BRIDGE.exec(line)?.[1] ?? bridge;
    const [, table, match = "", priority, cookie = "0x0"] = STEP.exec(line) ?? [];
    if (table !== undefined) steps.push({ bridge, table: Number(table), priority: Number(priority), cookie, match });
    const actions = ACTIONS.exec(line)?.[1];
    if (actions === undefined) continue;
    const done = emissions(actions, now);
    sent.push(...done.sent);
    now = done.headers;
  }
  return { steps, sent };
}
