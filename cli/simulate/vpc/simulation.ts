import { availableParallelism } from "node:os";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { VpcInState } from "../../vpc/model";
import type { Answer, Question } from "../types";
import { askVpc } from "./ask";
import { readVpcFlows, type VpcFlows } from "./flows";
import type { KnownVpc } from "./planned-topology";
import { switchPrograms } from "./switch-programs";
import { VpcShadow } from "./vpc-shadow";

interface WorldOptions {
  /** Targets of the hosts, whose bridges are copied. Default: the bridges of the state. */
  readonly live?: Connections | undefined;
  /** VPCs to which a plan brings the hosts after that. */
  readonly planned?: readonly VpcInState[];
  /** Parts that the plan updates, also where their arguments stay the same; see `VpcSides`. */
  readonly updated?: ReadonlySet<string>;
  /** Reason why a host of a VPC is not known. */
  readonly whyUnknown?: (component: string, host: string) => string | undefined;
}

/** Answers about the VPCs of a stack at one time, from shadows of their hosts. */
export class VpcWorld implements AsyncDisposable {
  readonly #answers = new Map<string, Promise<Answer>>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(
    readonly vpcs: readonly VpcInState[],
    /** Flows by the VPC's component. */
    readonly flows: ReadonlyMap<string, VpcFlows>,
    private readonly shadow: VpcShadow,
    private readonly whyUnknown: NonNullable<WorldOptions["whyUnknown"]>,
  ) {}

  static async create(vpcs: readonly VpcInState[], { live, planned, updated, whyUnknown = () => undefined }: WorldOptions = {}): Promise<VpcWorld> {
    const shadow = await VpcShadow.create(switchPrograms());
    const now = planned ?? vpcs;
    try {
      // A plan begins with what the hosts have; without them, that is what the state has.
      if (live !== undefined || planned === undefined) await shadow.write(vpcs);
      if (live !== undefined) await shadow.copy(vpcs, live);
      if (planned !== undefined) await shadow.write(planned, updated);
      const flows = now.map(async (vpc) => [vpc.component, await readVpcFlows(vpc, shadow.flows.bind(shadow))] as const);
      return new VpcWorld(now, new Map(await Promise.all(flows)), shadow, whyUnknown);
    } catch (error) {
      await shadow[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** @param urn the VPC's component */
  ask(urn: string, question: Question): Promise<Answer> {
    const key = JSON.stringify([urn, question]);
    const answer = this.#answers.get(key) ?? this.#inTurn(() => this.#answer(urn, question));
    this.#answers.set(key, answer);
    return answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shadow[Symbol.asyncDispose]();
  }

  #answer(urn: string, question: Question): Promise<Answer> {
    const vpc = this.vpcs.find(({ component }) => component === urn) as KnownVpc;
    return askVpc(
      vpc,
      {
        trace: (host, ...packet) => {
          const why = this.whyUnknown(urn, host);
          return why === undefined ? this.shadow.trace(host, ...packet) : Promise.reject(new Error(why));
        },
        problem: (host, name) => this.shadow.problem(host, name),
      },
      question,
    );
  }

  /** A switch answers one trace after the other, and its socket has a short queue. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= availableParallelism()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
