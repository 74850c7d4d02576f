import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { killGroup } from "@pulumi-ovn/provider/agent";
import type { ProgramEnvironment } from "../program";
import type { IpStep } from "../steps";
import { failuresIn, problemsIn } from "./batch";

/** An invalid command for ip(8). The error that ip prints for its line number shows that all lines before it were processed. */
const END = "pulumi-ovn-end";

/**
 * An ip(8) that waits for lines, as the start of a program takes longer than a route does. It remembers the numbers of devices whose
 * names it has met, so it must end as soon as a name may be another device's.
 */
export class Writer {
  #ip: WaitingIp | undefined;

  constructor(private readonly environment: ProgramEnvironment) {}

  /** Starts it, so that the first lines need not wait for that. */
  ready(): void {
    if (this.#ip === undefined || this.#ip.ended) this.#ip = new WaitingIp(this.environment);
  }

  /** Lets ip(8) process its input and end. */
  end(): void {
    this.#ip?.end();
    this.#ip = undefined;
  }

  /** Takes steps of any family, independently of each other. False if a step failed or its result is unknown. */
  async take(steps: readonly IpStep[]): Promise<boolean> {
    this.ready();
    const output = await this.#ip!.take(steps.map(({ line }) => line));
    return output !== undefined && problemsIn(steps, output).length === 0;
  }
}

class WaitingIp {
  ended = false;
  readonly #child: ChildProcessWithoutNullStreams;
  /** Lines that it has been given. */
  #lines = 0;
  #output = "";
  #onOutput: () => void = () => undefined;

  constructor(private readonly environment: ProgramEnvironment) {
    const { command, signal } = environment;
    const [file, ...args] = [...command, "ip", "-force", "-batch", "-"];
    const child = (this.#child = spawn(file!, args, { stdio: "pipe", detached: true }));
    const kill = () => this.#kill();
    const over = () => {
      this.ended = true;
      signal?.removeEventListener("abort", kill);
      this.#onOutput();
    };
    child.once("error", over);
    child.once("close", over);
    child.stdin.on("error", () => undefined);
    child.stdout.resume();
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      this.#onOutput();
    });
    // It does not keep the agent running; without the agent its input ends, and so does it.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
    signal?.addEventListener("abort", kill, { once: true });
    if (signal?.aborted === true) kill();
  }

  end(): void {
    this.#child.stdin.end();
  }

  /** Output for these lines, numbered from 1. Undefined if ip(8) has ended or did not answer in time. */
  async take(lines: readonly string[]): Promise<string | undefined> {
    const before = this.#lines;
    const last = (this.#lines += lines.length + 1);
    this.#output = "";
    const answered = () => failuresIn(this.#output).some(({ line }) => line === last);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onOutput = () => (this.ended || answered() ? resolve() : undefined);
    const timer = setTimeout(resolve, this.environment.timeout * 1000);
    this.#child.stdin.write([...lines, END, ""].join("\n"));
    this.#onOutput();
    await promise;
    clearTimeout(timer);
    if (answered()) return this.#output.replaceAll(/^(Command failed -:)(\d+)$/gm, (_, words: string, line: string) => `${words}${Number(line) - before}`);
    this.#kill();
    return undefined;
  }

  #kill(): void {
    killGroup(this.#child, "SIGKILL");
  }
}
