import { ARRIVAL, originalMatch } from "../connection-state";
import type { Step } from "../types";
import { backendIn, type Packet, rewritten } from "./packet";

/** A logical flow in ovn-trace's output. */
export type TraceStep = Pick<Step, "datapath" | "pipeline" | "table" | "stage" | "match" | "priority">;

/** A port that the packet leaves by. */
export interface Ending {
  readonly port: string;
  /** Port by which the packet came into the port's datapath. */
  readonly inPort: string;
  readonly packet: Packet;
  /** Number of steps until there. */
  readonly steps: number;
}

/** ovn-trace's output for a packet. */
interface TextTrace {
  readonly steps: readonly TraceStep[];
  readonly endings: readonly Ending[];
  /** Backends of load balancers on the way. */
  readonly backends: readonly string[];
}

const SECTION = /^( *)(ingress|egress)\(dp="(.*)", inport="(.*?)"(?:, outport="(.*)")?\)$/;
const STEP = /^ *(\d+)\. (\S+) \([^)]*\): (.*), priority (\d+)(?:, uuid [0-9a-f]{8})?$/;
const NO_MATCH = /^ *(\d+)\. (\S+): no match/;
const OUTPUT = /^\/\* output to "(.*)", type "(\w*)" \*\/$/;

/** Types of ports by which a packet continues in the same trace. */
const INNER: ReadonlySet<string> = new Set(["patch", "l3gateway", "l2gateway", "chassisredirect"]);

/**
 * Pure. Parses the output of ovn-trace(8), which continues through patch ports. For ports of other zones it also shows the egress pipeline
 * of the sender's zone, which real chassis do not run: that part is left out.
 */
export function readTrace(text: string, packet: Packet, isRemote: (port: string) => boolean): TextTrace {
  const steps: TraceStep[] = [];
  const endings: Ending[] = [];
  const backends: string[] = [];
  let now: Packet = { ...packet, outPort: undefined };
  let at: { pipeline: "ingress" | "egress"; datapath: string; inPort: string } | undefined;
  /** Indentation of a section that no chassis runs. */
  let skipped: number | undefined;
  for (const line of text.split("\n")) {
    const [, indentation, pipeline, datapath, inPort, outPort] = SECTION.exec(line) ?? [];
    if (pipeline !== undefined) {
      if (skipped !== undefined && indentation!.length > skipped) continue;
      skipped = undefined;
      at = { pipeline: pipeline as "ingress" | "egress", datapath: datapath!, inPort: inPort! };
      if (outPort !== undefined && isRemote(outPort)) {
        endings.push({ port: outPort, inPort: inPort!, packet: now, steps: steps.length });
        skipped = indentation!.length;
      }
      continue;
    }
    if (skipped !== undefined || at === undefined) continue;
    const step = stepIn(line);
    if (step !== undefined) {
      if (step.stage !== ARRIVAL.stage) steps.push({ datapath: at.datapath, pipeline: at.pipeline, ...step });
      continue;
    }
    const action = line.trim();
    now = rewritten(now, action);
    const backend = backendIn(action);
    if (backend !== undefined) backends.push(backend);
    const [, port, type] = OUTPUT.exec(action) ?? [];
    if (port !== undefined && !INNER.has(type!)) endings.push({ port, inPort: at.inPort, packet: now, steps: steps.length });
  }
  return { steps, endings, backends: [...new Set(backends)].sort() };
}

function stepIn(line: string): Omit<TraceStep, "datapath" | "pipeline"> | undefined {
  const [, table, stage, match, priority] = STEP.exec(line) ?? [];
  if (table !== undefined) return { table: Number(table), stage: stage!, match: originalMatch(match!), priority: Number(priority) };
  const [, last, name] = NO_MATCH.exec(line) ?? [];
  return last === undefined ? undefined : { table: Number(last), stage: name!, match: "", priority: 0 };
}
