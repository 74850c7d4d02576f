import { typeToken } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Deployment } from "@pulumi/pulumi/automation";
import { intentsIn } from "../../intents/in-state";
import type { Preview } from "../../plan/preview";
import { stateIn, type StackState } from "../../stack/stack-state";
import type { Engine } from "../../stack/engine";
import type { Check } from "./check";
import { commandCheck } from "./command";
import { intentsCheck } from "./intents";
import { propagationCheck } from "./propagation";
import { statusCheck } from "./status";

/** Checks that the user has chosen. */
export interface Chosen {
  /** Shell command. */
  readonly probe: string | undefined;
  readonly chassis: boolean;
  readonly intents: boolean;
  readonly status: boolean;
}

export interface Checked {
  readonly id: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  readonly targets: Connections;
  /** Zones whose Northbound databases change. */
  readonly zones: readonly string[];
  readonly preview: Pick<Preview, "steps">;
  readonly state: CurrentState;
}

/** Checks of a change: those that wait for zones come before the others. */
export interface Checks {
  readonly command: readonly Check[];
  readonly waits: readonly Check[];
  readonly others: readonly Check[];
}

/** Kinds that `pulumi-ovn status` judges. */
const JUDGED: ReadonlySet<string> = new Set(["VpcBridges", "LogicalRouterBridge", "BgpExposure"].map(typeToken));

/** Checks without a subject in the stack are left out. */
export function checksOf({ probe, chassis, intents, status }: Chosen, { id, stack, targets, zones, preview, state }: Checked): Checks {
  const resources = preview.steps.flatMap(({ urn, newState, oldState }) => [newState, oldState].flatMap((each) => (each ? [{ ...each, urn }] : [])));
  const read = () => state.read();
  return {
    command: probe === undefined ? [] : [commandCheck(probe, id, stack)],
    waits: (["southbound", ...(chassis ? ["chassis" as const] : [])] as const).map((waitFor) => propagationCheck(targets, zones, waitFor)),
    others: [
      ...(intents && intentsIn(resources).length > 0 ? [intentsCheck(read, targets)] : []),
      ...(status && resources.some(({ type }) => JUDGED.has(type)) ? [statusCheck(read, targets)] : []),
    ],
  };
}

/** The stack's state, read once before and once after the update. */
export class CurrentState {
  #deployment: Promise<Deployment> | undefined;

  constructor(private readonly engine: Pick<Engine, "exportState">) {}

  deployment(): Promise<Deployment> {
    return (this.#deployment ??= this.engine.exportState());
  }

  async read(): Promise<StackState> {
    return stateIn(JSON.stringify(await this.deployment()), "the state");
  }

  /** To be called after an update. */
  changed(): void {
    this.#deployment = undefined;
  }
}
