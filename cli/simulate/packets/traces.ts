import { Classes, inverse } from "../alike/classes";
import type { Identities, Renaming } from "../alike/identities";
import { flowFactsOf } from "../zones/flow-tables";
import type { ZoneFlows } from "../zones/flows";
import { flowOf, type Packet } from "./packet";
import { type Ending, readTrace, type TraceStep } from "./trace-text";
import { NoAnswer } from "../shadow/tracer";
import type { Step } from "../types";
import type { World } from "../zones/world";

/** A packet's way through a zone. */
export interface Trace {
  readonly steps: readonly Step[];
  readonly endings: readonly Ending[];
  /** Backends of load balancers on the way. */
  readonly backends: readonly string[];
  /** Reason why the way is not known. */
  readonly unknown?: string;
}

/** Traces a packet in a zone. */
export type RunTrace = (zone: string, datapath: string, inPort: string, packet: Packet) => Promise<Trace>;

/** Runs ovn-trace in a zone. */
export type RunText = (zone: string, datapath: string, flow: string) => Promise<string>;

/** Traces each packet of a shadow separately. The path of a packet that ovn-trace does not finish is not known. */
export function tracing({ zones, flows }: Pick<World, "zones" | "flows">, run: RunText): RunTrace {
  /** Steps of all traces. Most traces of a zone have the same ones. */
  const steps = new Map<string, Step>();
  const stepOf = (zone: string, step: TraceStep): Step => {
    const key = [zone, step.datapath, step.pipeline, step.table, step.priority, step.match].join("\0");
    const known = steps.get(key) ?? { zone, ...step, ...flowFactsOf(flows.get(zone)!.tables, step) };
    steps.set(key, known);
    return known;
  };
  return async (zone, datapath, inPort, packet) => {
    const facts = zones.get(zone)!;
    const text = await run(zone, datapath, flowOf(packet, inPort)).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error;
      throw error;
    });
    if (text instanceof NoAnswer) return { steps: [], endings: [], backends: [], unknown: text.message };
    // A copy: parts of a text keep all of it in memory.
    const read = structuredClone(readTrace(text, packet, (port) => facts.ports.get(port)?.type === "remote"));
    return { ...read, steps: read.steps.map((step) => stepOf(zone, step)) };
  };
}

/** Traces one packet for all that differ only in ports which are alike in the zone; see `classesOf`. */
export function tracingAlike({ flows }: Pick<World, "flows">, run: RunTrace): RunTrace {
  const traces = new Map<string, Promise<Trace>>();
  const classes = new Map<string, Classes>();
  // Not async: thousands of questions wait for traces, and would keep all variables.
  return (zone, datapath, inPort, packet) => {
    const own = flows.get(zone)!;
    const { identities } = own;
    const of = classes.get(zone) ?? new Classes(own.classes);
    classes.set(zone, of);
    const forward = of.toFirst(identities.portsIn(flowOf(packet, inPort)));
    const [asked, from] = [renamedPacket(packet, identities, forward), forward.get(inPort) ?? inPort];
    const key = `${zone}\0${datapath}\0${flowOf(asked, from)}`;
    const trace = traces.get(key) ?? run(zone, datapath, from, asked);
    traces.set(key, trace);
    return forward.size === 0 ? trace : trace.then((known) => renamedTrace(known, { zone, own, back: inverse(forward) }));
  };
}

interface Roles {
  readonly zone: string;
  readonly own: ZoneFlows;
  readonly back: Renaming;
}

function renamedTrace({ steps, endings, backends, ...rest }: Trace, roles: Roles): Trace {
  const { own, back } = roles;
  const port = (name: string): string => back.get(name) ?? name;
  return {
    ...rest,
    steps: steps.map((step) => renamedStep(step, roles)),
    endings: endings.map((ending) => ({
      ...ending,
      port: port(ending.port),
      inPort: port(ending.inPort),
      packet: renamedPacket(ending.packet, own.identities, back),
    })),
    backends: backends.map((backend) => own.identities.renamed(backend, back)).sort(),
  };
}

function renamedStep(step: Step, { own, back }: Roles): Step {
  const match = own.identities.renamed(step.match, back);
  return match === step.match ? step : { ...step, match, ...flowFactsOf(own.tables, { ...step, match }) };
}

function renamedPacket(packet: Packet, identities: Identities, renaming: Renaming): Packet {
  if (renaming.size === 0) return packet;
  const { ethSource, ethDestination, source, destination, outPort } = packet;
  const renamed = (text: string) => identities.renamed(text, renaming);
  const port = outPort === undefined ? undefined : (renaming.get(outPort) ?? outPort);
  return {
    ...packet,
    outPort: port,
    ethSource: renamed(ethSource),
    ethDestination: renamed(ethDestination),
    source: renamed(source),
    destination: renamed(destination),
  };
}
