import { parallel } from "@pulumi-ovn/provider/tools";
import { type Counter, uncounted } from "../progress";
import { ask } from "./packets/ask";
import type { Omission } from "./zones/build";
import { type Compared, compared, type ComparedGroup, type Networks } from "./questions/compared";
import { comparedFlows, type Impact } from "./zones/flow-tables";
import { type AskedGroup, questionGroups } from "./questions/groups";
import { type Connection, questionsOf } from "./questions/questions";
import { representatives } from "./questions/representatives";
import type { Shadows } from "./shadow/shadows";
import { type RunTrace, tracing, tracingAlike } from "./packets/traces";
import type { World } from "./zones/world";

/** Flows of a host's bridge that a plan adds and removes. */
export interface BridgeImpact {
  readonly host: string;
  readonly bridge: string;
  readonly added: number;
  readonly removed: number;
}

/** Networks without zones, and what a simulation of them contains in addition to the answers. */
export interface HostNetworks {
  readonly networks: readonly Networks[];
  readonly workloads: Readonly<Record<"before" | "after", ReadonlySet<string>>>;
  readonly flows: readonly BridgeImpact[];
  readonly unknowns: readonly string[];
}

const NO_HOSTS: HostNetworks = { networks: [], workloads: { before: new Set(), after: new Set() }, flows: [], unknowns: [] };

/** Result of a simulation. */
export interface Simulation extends Omit<HostNetworks, "networks"> {
  readonly before: World;
  readonly after: World;
  /** Number of connections that the answers are about. */
  readonly questions: number;
  /** Questions with another answer after the plan. */
  readonly changed: readonly ComparedGroup[];
  readonly impact: readonly Impact[];
  readonly omissions: readonly Omission[];
}

/** A plan on copies of the shadows of its changed zones. Questions are asked before and after it. */
export class AppliedPlan implements AsyncDisposable, Networks {
  readonly #traceAfter: RunTrace;
  readonly #impact: readonly Impact[];
  /** Tables of changed flows, by zone; see `comparedFlows`. */
  readonly #changed: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param traceBefore traces packets in the rows of the state */
  constructor(
    readonly before: World,
    readonly after: World,
    private readonly copies: Shadows,
    private readonly traceBefore: RunTrace,
  ) {
    const flows = [...after.flows].map(([zone, { tables }]) => ({ zone, ...comparedFlows(zone, before.flows.get(zone)?.tables ?? new Map(), tables) }));
    this.#impact = flows.flatMap(({ impact }) => impact);
    this.#changed = new Map(flows.map(({ zone, changed }) => [zone, changed]));
    const traceCopy = tracingAlike(after, tracing(after, copies.trace.bind(copies)));
    this.#traceAfter = (zone, ...packet) => (after.flows.get(zone) === before.flows.get(zone) ? traceBefore : traceCopy)(zone, ...packet);
  }

  connections(): Connection[] {
    return questionsOf(this.before, this.after);
  }

  groups(): AskedGroup[] {
    return questionGroups(this.before, this.after);
  }

  compare(connection: Connection): Promise<Compared> {
    return compared(connection, {
      changed: this.#changed,
      askBefore: (question) => ask(this.before, this.traceBefore, question),
      askAfter: (question) => ask(this.after, this.#traceAfter, question),
    });
  }

  /**
   * Asks all questions about the zones and hosts, one for all senders and receivers that are alike.
   * @param count counts questions
   */
  async simulation(count: Counter = uncounted, hosts: HostNetworks = NO_HOSTS): Promise<Simulation> {
    const { before, after } = this;
    const asked = [this, ...hosts.networks].flatMap((network: Networks) => network.groups().map((group) => ({ network, group })));
    const done = count(asked.length);
    const { first, others } = representatives(after, asked);
    const compare = async ({ network, group }: (typeof asked)[number]): Promise<ComparedGroup[]> => {
      const answers = await network.compare(group);
      done();
      return answers.before === answers.after ? [] : [{ ...answers, senders: group.senders, receivers: group.receivers }];
    };
    // Few at a time, because each one in progress takes memory. All of the first ones, so that each zone starts once for them.
    const changed = await parallel([...first, ...others], compare, first.length);
    const { flows, unknowns } = hosts;
    return {
      before,
      after,
      workloads: {
        before: new Set([...before.workloads.keys(), ...hosts.workloads.before]),
        after: new Set([...after.workloads.keys(), ...hosts.workloads.after]),
      },
      questions: asked.reduce((sum, { group }) => sum + group.count, 0),
      changed: changed.flat(),
      impact: this.#impact,
      omissions: unique([...before.omissions, ...after.omissions]),
      flows,
      unknowns,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.copies[Symbol.asyncDispose]();
  }
}

function unique(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((omission) => [JSON.stringify(omission), omission])).values()];
}
