import { Group, type ShellOutput, type Question } from "./group";

/** Milliseconds for an idle shell and its transport to end. */
const END_AFTER = 2_000;

/**
 * A shell on a host, over one run of the host's command. It is there from the first script on and gets the next ones as they
 * come; where it has ended in between, as ssh may have lost its connection, the next script gets another one.
 */
export class Shell {
  /** Whether the host's running switch has answered a question over this shell. */
  switchAnswers = false;
  #group: Group | undefined;
  /** The transport passes a script on only when its input ends, or omits a stream: then each script has its own run. */
  #isForOne = false;

  /** Runs a script and returns its output; with a status if the shell has ended. */
  async run(command: readonly string[], { input, timeout, until }: Required<Question>, signal?: AbortSignal): Promise<ShellOutput> {
    const question = { input, timeout, ...(!this.#isForOne && { until }) };
    const open = this.#group?.takesMore ? this.#group : undefined;
    const first = await open?.ask(question);
    // A shell that lost its connection since the last script fails only now. Without output, the script was not started.
    if (first && (first.status === undefined || first.stdout !== "")) return this.#classify(first);
    await this.end();
    this.#group = new Group(command, signal);
    return this.#classify(await this.#group.ask(question));
  }

  #classify(output: ShellOutput): ShellOutput {
    this.#isForOne ||= output.status !== undefined;
    return output;
  }

  /** Ends the shell; all scripts are answered, so its result does not matter. */
  async end(): Promise<void> {
    await this.#group?.ask({ input: "", timeout: END_AFTER }).catch(() => undefined);
  }
}
