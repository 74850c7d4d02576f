import type { Flow, Stage } from "./flow";
import type { Received, Sample } from "./flow-sender";

/** Milliseconds of one interval. A flow's losses are compared with the control's losses in the same interval and in the two next to it. */
const BUCKET = 100;
/** Milliseconds after which an answer shows that a program on its path had no processor. TCP has sent a record twice by then. */
const LATE = 250;

/** Milliseconds of probes that a flow may lose beyond the control without a report: single probes are lost by chance. */
const HANDFUL = 60;
/**
 * `HANDFUL` for a stage that replaces a node's routers. ovn-controller writes the 430 flows of the change in 2 to 20 ms. For up to
 * 80 ms from then on, the switch of this node (and of no other node) loses packets on the paths that change: packets that it started
 * to handle by the old flows return from connection tracking to the new flows, until the switch renews its cache. (Seen with
 * `ovs-ofctl monitor br-int watch:` during the probes.) The switch may wait for a processor meanwhile, which the control does not
 * show: up to 160 ms were seen when three nodes moved at the same time as another test file ran. A real defect lasts until the next
 * transaction, a second later or more.
 */
const SWAP = 200;
/** How many times as far as the control's flows differ from each other the others may differ from it: there are more of them. */
const FACTOR = 3;

interface Tally {
  sent: number;
  bad: number;
}
type Tallies = ReadonlyMap<number, Tally>;
type ReceivedFlows = readonly (readonly [Flow, Received])[];

const bucketOf = ({ at }: Sample) => Math.floor(at / BUCKET);
const late = ({ took }: Sample) => took === undefined || took > LATE;
const lost = ({ took }: Sample) => took === undefined;

function tally(samples: readonly Sample[], bad: (sample: Sample) => boolean): Tallies {
  const tallies = new Map<number, Tally>();
  for (const sample of samples) {
    const own = tallies.get(bucketOf(sample)) ?? { sent: 0, bad: 0 };
    tallies.set(bucketOf(sample), own);
    own.sent++;
    if (bad(sample)) own.bad++;
  }
  return tallies;
}

/**
 * Losses of flows beyond those of the control at the same time over the same hosts: in each tenth of a second, the machine's share is the lost
 * or late share of the control's probes over the worst of a flow's hosts.
 */
class Excess {
  readonly #control: readonly (readonly [Flow, Tallies])[];

  constructor(private readonly received: ReceivedFlows) {
    this.#control = received.filter(([{ kind }]) => kind === "control").map(([flow, { samples }]) => [flow, tally(samples, late)]);
  }

  /** Probes of a flow that were sent in a stage and lost by no machine; of TCP records that came late. */
  of(flow: Flow, { from, to }: Stage): number {
    const { samples } = this.received.find(([other]) => other === flow)![1];
    const own = tally(
      samples.filter(({ at }) => at >= from && at < to),
      flow.protocol === "tcp" ? late : lost,
    );
    return [...own].reduce((sum, [bucket, { sent, bad }]) => (bad === 0 ? sum : sum + Math.max(0, bad - sent * this.#machine(flow, bucket))), 0);
  }

  /** Differences within the control, each flow compared with the others: the noise of the machine. */
  noise(protocols: readonly Flow["protocol"][], stages: readonly Stage[]): number {
    const flows = this.#control.map(([flow]) => flow).filter(({ protocol }) => protocols.includes(protocol));
    return Math.max(0, ...flows.flatMap((flow) => stages.map((stage) => this.of(flow, stage))));
  }

  /** The machine's share of what was sent over these hosts about this moment; all of it when the control could not even send. */
  #machine(flow: Flow, bucket: number): number {
    const near = [bucket - 1, bucket, bucket + 1];
    return Math.max(
      ...flow.over.flatMap((host) => {
        const witnesses = this.#control.filter(([other]) => other !== flow && other.over.includes(host));
        return near.map((moment) => share(witnesses.map(([, tallies]) => tallies.get(moment))));
      }),
    );
  }
}

function share(tallies: readonly (Tally | undefined)[]): number {
  const [sent, bad] = (["sent", "bad"] as const).map((of) => tallies.reduce((sum, own) => sum + (own?.[of] ?? 0), 0)) as [number, number];
  return sent === 0 ? 1 : bad / sent;
}

/** Flows that lost more in the chosen stages than the machine explains; how much it may be is what the control's own flows differ by in all of the run. */
export function beyondControl(
  received: ReceivedFlows,
  all: readonly Stage[],
  stages: readonly Stage[],
  chosen: (flow: Flow) => boolean,
  interval: number,
): string[] {
  refuseIdle(received);
  const judged = received.filter(([flow]) => flow.kind !== "control" && chosen(flow));
  refuseSilent(judged, stages);
  const excess = new Excess(received);
  return ([["udp", "icmp"], ["tcp"]] as const).flatMap((protocols: readonly Flow["protocol"][]) => {
    const noise = excess.noise(protocols, all);
    const flows = judged.map(([flow]) => flow).filter(({ protocol }) => protocols.includes(protocol));
    return stages.flatMap((stage) =>
      flows.flatMap((flow) => {
        const own = excess.of(flow, stage);
        return own > (stage.swap ? SWAP : HANDFUL) / interval + FACTOR * noise
          ? [`${stage.name}: ${flow.name}: ${Math.round(own)} probes more than the control, whose own flows differ by ${Math.round(noise)}`]
          : [];
      }),
    );
  });
}

/** A control without answers would excuse everything. */
function refuseIdle(received: ReceivedFlows): void {
  const control = received.filter(([{ kind }]) => kind === "control");
  const idle = control.filter(([, { samples, broken }]) => broken !== undefined || samples.filter(lost).length >= samples.length / 2).map(([{ name }]) => name);
  if (control.length === 0 || idle.length > 0) throw new Error(`the control does not work: ${idle.join(", ") || "it has no flows"}`);
}

/** Refuses flows without probes: a probe that did not start, or a name that fits no flow and no stage, would count as success. */
function refuseSilent(judged: ReceivedFlows, stages: readonly Stage[]): void {
  const silent = judged.filter(([, { samples }]) => samples.length === 0).map(([{ name }]) => name);
  if (judged.length === 0 || stages.length === 0) throw new Error(`there is no ${judged.length === 0 ? "flow" : "stage"} to judge`);
  if (silent.length > 0) throw new Error(`nothing was sent: ${silent.join(", ")}`);
}
