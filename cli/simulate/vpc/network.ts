import type { VpcTopology, VpcInState } from "../../vpc/model";
import { type Compared, compared, type Networks } from "../questions/compared";
import { comparedFlows, type FlowTables, type Impact } from "../zones/flow-tables";
import { type AskedGroup, groupedQuestions } from "../questions/groups";
import { type Connection, connectionsOf } from "../questions/questions";
import type { Answer, Protocol, Question } from "../types";
import type { Asker, Askers } from "../intents/results";
import { vpcClasses, type VpcFlows, vpcTables } from "./flows";
import { vpcQuestions } from "./questions";

/** A VPC at one time. */
export interface VpcAt {
  readonly vpc: VpcInState & { readonly topology: VpcTopology };
  readonly flows: VpcFlows;
}

interface Settings {
  readonly before: VpcAt | undefined;
  readonly after: VpcAt | undefined;
  readonly protocols: readonly Protocol[];
  readonly askers: Askers;
  /** Name of a workload in reports. */
  readonly nameOf: (workload: string) => string;
}

const NO_FLOWS: FlowTables = new Map();

/** A VPC before and after a plan. It exists at one of these times, or at both. */
export class VpcNetwork implements Networks {
  readonly impact: readonly Impact[];
  readonly #changed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #classes: readonly ReadonlyMap<string, string>[];
  readonly #plain: ReadonlyMap<string, string>;

  constructor(private readonly settings: Settings) {
    const { before, after, nameOf } = settings;
    const [old, planned] = [tablesOf(before), tablesOf(after)];
    const hosts = [...new Set([...old.keys(), ...planned.keys()])].sort();
    const flows = hosts.map((host) => ({ host, ...comparedFlows(host, old.get(host) ?? NO_FLOWS, planned.get(host) ?? NO_FLOWS) }));
    this.impact = flows.flatMap(({ impact }) => impact);
    this.#changed = new Map(flows.map(({ host, changed }) => [host, changed]));
    this.#classes = [before, after].map((side) => (side ? vpcClasses(side.vpc, side.flows) : new Map<string, string>()));
    this.#plain = new Map(this.#names().map((name) => [nameOf(name), name]));
  }

  connections(): Connection[] {
    return this.#among(() => true);
  }

  groups(): AskedGroup[] {
    const { before, after } = this.settings;
    const roles = (name: string) => {
      const plain = this.#plain.get(name)!;
      return [before, after].map((side, index) => {
        const workload = side?.vpc.topology.workloads[plain];
        return workload && [workload.host, workload.tier, this.#classes[index]!.get(plain)];
      });
    };
    return groupedQuestions([...this.#plain.keys()], roles, (asked) => this.#among((name) => asked.has(this.settings.nameOf(name))));
  }

  compare(connection: Connection): Promise<Compared> {
    const { askers, before, after } = this.settings;
    const ask = (asker: Asker, side: VpcAt | undefined) => (question: Question) => {
      const plain = this.#named(question, (name) => this.#plain.get(name)!);
      return side === undefined || isMissing(side, plain) ? Promise.resolve(nowhere(plain)) : asker(side.vpc.component, plain);
    };
    return compared(connection, { changed: this.#changed, askBefore: ask(askers.before, before), askAfter: ask(askers.after, after) });
  }

  #names(): string[] {
    const { before, after } = this.settings;
    return [...new Set([before, after].flatMap((side) => Object.keys(side?.vpc.topology.workloads ?? {})))].sort();
  }

  #among(isAsked: (name: string) => boolean): Connection[] {
    const { before, after, protocols, nameOf } = this.settings;
    const questions = (side: VpcAt | undefined): Question[] => {
      if (side === undefined) return [];
      const { topology } = side.vpc;
      const workloads = Object.fromEntries(Object.entries(topology.workloads).filter(([name]) => isAsked(name)));
      return vpcQuestions({ ...topology, workloads }, protocols).map((question) => this.#named(question, nameOf));
    };
    return connectionsOf(questions(before), questions(after));
  }

  #named(question: Question, nameOf: (name: string) => string): Question {
    const { from, to } = question;
    return {
      ...question,
      from: from.kind === "workload" ? { ...from, name: nameOf(from.name) } : from,
      to: to.kind === "workload" ? { ...to, name: nameOf(to.name) } : to,
    };
  }
}

const tablesOf = (side: VpcAt | undefined): ReadonlyMap<string, FlowTables> => (side ? vpcTables(side.vpc, side.flows) : new Map());

/** Whether the sender or the receiver does not exist, or has not this address. */
function isMissing({ vpc }: VpcAt, { from, source, to }: Question): boolean {
  const has = (end: Question["from"] | Question["to"], address: string) =>
    end.kind !== "workload" || vpc.topology.workloads[end.name]?.addresses.includes(address) === true;
  return !has(from, source) || !has(to, to.address);
}

function nowhere({ source, to }: Question): Answer {
  const outcome = { kind: "lost", zone: "", why: "no workload has the address" } as const;
  return { reach: false, there: { steps: [], outcome, source, destination: to.address, backends: [] }, back: undefined, unknowns: [] };
}
