import { availableParallelism } from "node:os";
import type { VpcInState } from "../../vpc/model";
import { switchPrograms } from "./switch-programs";
import type { Answer, Question } from "../types";
import { askVpc, type PlacedVpc } from "./ask";
import { VpcShadow } from "./vpc-shadow";

/** Answers about the VPCs of a stack at one time, from shadows of their hosts. */
export class VpcWorld implements AsyncDisposable {
  readonly #answers = new Map<string, Promise<Answer>>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(
    private readonly vpcs: readonly VpcInState[],
    private readonly shadow: VpcShadow,
  ) {}

  static async create(vpcs: readonly VpcInState[]): Promise<VpcWorld> {
    const shadow = await VpcShadow.create(switchPrograms());
    try {
      await shadow.write(vpcs);
    } catch (error) {
      await shadow[Symbol.asyncDispose]();
      throw error;
    }
    return new VpcWorld(vpcs, shadow);
  }

  /** @param urn the VPC's component */
  ask(urn: string, question: Question): Promise<Answer> {
    const key = JSON.stringify([urn, question]);
    const vpc = this.vpcs.find(({ component }) => component === urn) as PlacedVpc;
    const answer = this.#answers.get(key) ?? this.#inTurn(() => askVpc(vpc, this.shadow, question));
    this.#answers.set(key, answer);
    return answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shadow[Symbol.asyncDispose]();
  }

  /** Each trace is a process. */
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
