import type { StackResource } from "@pulumi-ovn/provider/upgrade";
import type { ConfigMap, EngineEvent, Stack, StepEventMetadata } from "@pulumi/pulumi/automation";
import { CommandError } from "../command";
import { waitForStack } from "./stack-lock";

/** What a preview found. */
export interface Preview {
  /** The stack as its state has it. */
  readonly before: readonly StackResource[];
  /** The stack as the program and the configuration want it. */
  readonly after: readonly StackResource[];
  /** URNs of resources that would be created, updated, replaced or deleted. */
  readonly changing: readonly string[];
  /** URNs of resources whose live rows are neither what the state says nor what is wanted. */
  readonly drifted: readonly string[];
}

export interface Update {
  readonly changes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** A program, a resource or the engine itself has failed. */
export class EngineError extends CommandError {}

/** The user's own stack, by the Automation API: what it does is in the stack's history like any other update. */
export class Engine {
  #running: AbortController | undefined;

  private constructor(
    private readonly stack: Stack,
    private readonly say: (text: string) => void,
  ) {}

  static async open(folder: string, stack: string | undefined, say: (text: string) => void): Promise<Engine> {
    // It takes its time to load, and other subcommands do without.
    const { LocalWorkspace, Stack } = await import("@pulumi/pulumi/automation/index.js");
    try {
      const workspace = await LocalWorkspace.create({ workDir: folder });
      const name = stack ?? process.env.PULUMI_STACK ?? (await workspace.stack())?.name;
      if (name === undefined) throw new CommandError("OVN_UPGRADE_STACK", "no stack is selected; say --stack");
      return new Engine(await Stack.select(name, workspace), say);
    } catch (error) {
      throw error instanceof CommandError ? error : new CommandError("OVN_UPGRADE_STACK", shortOf(error));
    }
  }

  get name(): string {
    return this.stack.name;
  }

  config(): Promise<ConfigMap> {
    return this.stack.getAllConfig();
  }

  /** Stops what runs, as Ctrl-C does. */
  interrupt(): void {
    this.#running?.abort();
  }

  /**
   * One run of the engine: reads what is live, then compares with what the program wants.
   * @param configFile in the place of the stack's own
   */
  async preview(configFile?: string): Promise<Preview> {
    const seen = new Seen();
    await this.#run((signal, onEvent) => this.stack.preview({ refresh: true, color: "never", signal, onEvent, ...(configFile !== undefined && { configFile }) }), (event) => seen.event(event));
    return seen.preview();
  }

  /** @param message for the stack's history */
  async up(message: string): Promise<Update> {
    const start = performance.now();
    let changes: Readonly<Record<string, number>> = {};
    await this.#run(
      (signal, onEvent) => this.stack.up({ message, color: "never", suppressOutputs: true, signal, onEvent }),
      ({ summaryEvent }) => void (changes = summaryEvent?.resourceChanges ?? changes),
    );
    return { changes, seconds: (performance.now() - start) / 1000 };
  }

  async #run(start: (signal: AbortSignal, onEvent: (event: EngineEvent) => void) => Promise<unknown>, each: (event: EngineEvent) => void): Promise<void> {
    const complaints: string[] = [];
    const onEvent = (event: EngineEvent) => {
      if (event.diagnosticEvent?.severity === "error") complaints.push(event.diagnosticEvent.message.trim());
      each(event);
    };
    this.#running = new AbortController();
    const { signal } = this.#running;
    try {
      await waitForStack(() => start(signal, onEvent), this.stack, this.say);
    } catch (error) {
      throw new EngineError("OVN_UPGRADE_ENGINE", complaints.length > 0 ? [...new Set(complaints)].join("\n") : shortOf(error));
    } finally {
      this.#running = undefined;
    }
  }
}

/** What the CLI said, without what the Automation API puts around it. */
function shortOf(error: unknown): string {
  const { message } = error as Error;
  const lines = message.split("\n").map((line) => line.trim());
  const errors = lines.filter((line) => /^error:/.test(line)).map((line) => line.replace(/^error:\s*/, ""));
  return errors.length > 0 ? errors.join("\n") : message.trim();
}

const GONE = new Set(["delete", "delete-replaced", "discard-replaced", "remove-pending-replace"]);
const QUIET = new Set(["same", "read", "read-replacement", "read-discard"]);

/** Gathers the events of a preview with refresh. */
class Seen {
  readonly #before = new Map<string, StackResource>();
  readonly #after = new Map<string, StackResource>();
  readonly #changing = new Set<string>();
  /** Digests of live rows, by URN, where they are not those of the state. */
  readonly #live = new Map<string, unknown>();

  event({ resourcePreEvent, resOutputsEvent }: EngineEvent): void {
    if (resourcePreEvent) this.#step(resourcePreEvent.metadata);
    // Only when a refresh is through its result is known.
    else if (resOutputsEvent && !this.#after.has(resOutputsEvent.metadata.urn)) this.#refreshed(resOutputsEvent.metadata);
  }

  #step({ op, urn, old, new: wanted }: StepEventMetadata): void {
    if (old && !this.#before.has(urn)) this.#before.set(urn, resource(urn, old));
    if (op === "refresh") return;
    if (wanted && !GONE.has(op)) this.#after.set(urn, resource(urn, wanted));
    if (!QUIET.has(op)) this.#changing.add(urn);
  }

  #refreshed({ urn, old, new: live }: StepEventMetadata): void {
    const known = old?.outputs?.digest as unknown;
    if (known !== undefined && known !== live?.outputs?.digest) this.#live.set(urn, live?.outputs?.digest);
  }

  preview(): Preview {
    // What an interrupted update wrote is as wanted, though the state does not know it yet.
    const drifted = [...this.#live].filter(([urn, digest]) => digest === undefined || this.#after.get(urn)?.inputs.digest !== digest);
    return { before: [...this.#before.values()], after: [...this.#after.values()], changing: [...this.#changing], drifted: drifted.map(([urn]) => urn) };
  }
}

function resource(urn: string, { type, parent, inputs }: NonNullable<StepEventMetadata["old"]>): StackResource {
  return { urn, type, parent, inputs: (inputs ?? {}) as Readonly<Record<string, unknown>> };
}
