import type { ConfigMap, Deployment, EngineEvent, Stack, Workspace } from "@pulumi/pulumi/automation";
import { CommandError } from "../command";
import { progress } from "../progress";
import { mending, type StackLocation } from "./state-file";
import { type Preview, Seen } from "./preview";
import { inOwnGroup, runApart } from "./pulumi-process";
import { waitForStack } from "./stack-lock";

export interface Update {
  readonly changes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Pure. Such as `update: 2 create, 1 same in 3.4 s`. */
export function updateText({ changes, seconds }: Update): string {
  const counts = Object.entries(changes).map(([kind, count]) => `${count} ${kind}`);
  return `update: ${counts.join(", ")} in ${seconds.toFixed(1)} s`;
}

/** A program, a resource or the engine itself has failed. */
export class EngineError extends CommandError {}

/** The user's own stack, by the Automation API: what it does is in the stack's history like any other update. */
export class Engine {
  #running: AbortController | undefined;

  private constructor(
    private readonly stack: Stack,
    private readonly killing: AbortController,
    private readonly location: () => Promise<StackLocation>,
    private readonly say: (text: string) => void,
  ) {}

  static async open(folder: string, stack: string | undefined, say: (text: string) => void): Promise<Engine> {
    // It takes its time to load, and other subcommands do without.
    const { LocalWorkspace, PulumiCommand, Stack } = await import("@pulumi/pulumi/automation/index.js");
    const killing = new AbortController();
    try {
      const pulumiCommand = inOwnGroup(
        await PulumiCommand.get().catch(async (error: unknown) => {
          // Throws the reason alone, if the program can't be run. The error of the Automation API is a list of all that the process left.
          await runApart("pulumi", ["version"], { cwd: folder, environment: {} });
          throw error;
        }),
        killing.signal,
      );
      const workspace = await LocalWorkspace.create({
        workDir: folder,
        pulumiCommand,
      });
      // Every run names its stack. A selection would outlast the rollout: what is run by hand after it would be another stack's.
      workspace.selectStack = async (name) => void (await pulumiCommand.run(["stack", "--show-name", "--stack", name], folder, workspace.envVars));
      const name = stack ?? process.env.PULUMI_STACK ?? (await workspace.stack())?.name;
      if (name === undefined) throw new CommandError("OVN_UPGRADE_STACK", "no stack is selected; pass --stack");
      let known: Promise<StackLocation> | undefined;
      const location = () => (known ??= locationOf(workspace, folder, name));
      return new Engine(withoutReports(await mending(() => Stack.select(name, workspace), location, say)), killing, location, say);
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

  /** Ends the current and all later processes. */
  kill(): void {
    this.killing.abort();
  }

  /**
   * One run of the engine: compares the state with the program. Does not read live rows: this would read every resource of the
   * stack, also resources that the upgrade does not concern.
   * @param configFile replaces the stack's own configuration file
   */
  async preview(configFile?: string): Promise<Preview> {
    using _ = progress("pulumi preview");
    const seen = new Seen();
    await this.#run(
      (signal, onEvent) => this.stack.preview({ color: "never", signal, onEvent, ...(configFile !== undefined && { configFile }) }),
      (event) => seen.event(event),
    );
    return seen.preview();
  }

  /** @param message for the stack's history */
  async up(message: string): Promise<Update> {
    using _ = progress("pulumi up");
    const start = performance.now();
    let changes: Readonly<Record<string, number>> = {};
    await this.#run(
      (signal, onEvent) => this.stack.up({ message, color: "never", suppressOutputs: true, signal, onEvent }),
      ({ summaryEvent }) => void (changes = summaryEvent?.resourceChanges ?? changes),
    );
    return { changes, seconds: (performance.now() - start) / 1000 };
  }

  /** The state, with secrets encrypted. */
  exportState(): Promise<Deployment> {
    return this.#state(() => this.stack.exportStack());
  }

  /** Replaces the state, under the stack's lock. */
  importState(state: Deployment): Promise<void> {
    return this.#state(() => this.stack.importStack(state));
  }

  async #state<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await waitForStack(() => mending(operation, this.location, this.say), this.stack, this.say);
    } catch (error) {
      throw new EngineError("OVN_UPGRADE_ENGINE", shortOf(error));
    }
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
      await waitForStack(() => mending(() => start(signal, onEvent), this.location, this.say), this.stack, this.say);
    } catch (error) {
      throw new EngineError("OVN_UPGRADE_ENGINE", complaints.length > 0 ? [...new Set(complaints)].join("\n") : shortOf(error));
    } finally {
      this.#running = undefined;
    }
  }
}

async function locationOf(workspace: Workspace, folder: string, stack: string): Promise<StackLocation> {
  const [{ url }, { name }] = await Promise.all([workspace.whoAmI(), workspace.projectSettings()]);
  return { backend: url ?? "", folder, project: name, stack };
}

/** The stack, without the outputs and the history that the Automation API reads after each update in three more runs of the CLI. */
function withoutReports(stack: Stack): Stack {
  return Object.create(stack, { outputs: { value: () => Promise.resolve({}) }, info: { value: () => Promise.resolve(undefined) } }) as Stack;
}

/** The CLI's message, without the text that the Automation API adds. */
function shortOf(error: unknown): string {
  const { message } = error as Error;
  const lines = message.split("\n").map((line) => line.trim());
  const errors = lines.filter((line) => /^error:/.test(line)).map((line) => line.replace(/^error:\s*/, ""));
  return errors.length > 0 ? errors.join("\n") : message.trim();
}
