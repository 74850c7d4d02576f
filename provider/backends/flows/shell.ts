import { Group, type Heard, type Question } from "./group";

/** Milliseconds that a shell which has nothing more to do may take to end, with whatever leads to it. */
const END_AFTER = 2_000;

/**
 * A shell on a host, over one run of the host's command. It is there from the first script on and gets the next ones as they
 * come; where it has ended in between, as ssh may have lost its connection, the next script gets another one.
 */
export class Shell {
  #group: Group | undefined;
  /** What leads to it passes a script on when its own input has ended, or leaves out a stream: then each script has a run of its own. */
  #isForOne = false;

  /** What it has printed for a script; with a status where it has ended. */
  async run(command: readonly string[], { input, timeout, until }: Required<Question>, signal?: AbortSignal): Promise<Heard> {
    const question = { input, timeout, ...(!this.#isForOne && { until }) };
    const begun = this.#group?.takesMore ? this.#group : undefined;
    const first = await begun?.ask(question);
    // A shell whose connection was lost since the last script shows that only now. Where it has printed nothing, the script was not started.
    if (first && (first.status === undefined || first.stdout !== "")) return this.#told(first);
    await this.end();
    this.#group = new Group(command, signal);
    return this.#told(await this.#group.ask(question));
  }

  #told(heard: Heard): Heard {
    this.#isForOne ||= heard.status !== undefined;
    return heard;
  }

  /** What it was asked is answered, so nothing depends on how it ends. */
  async end(): Promise<void> {
    await this.#group?.ask({ input: "", timeout: END_AFTER }).catch(() => undefined);
  }
}
