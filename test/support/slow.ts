import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";

/** A chassis whose ovn-controller repeatedly runs briefly and stops for longer, so it applies changes late and in parts. */
export class SlowChassis implements AsyncDisposable {
  private constructor(
    private readonly loop: Running,
    private readonly wake: () => Promise<unknown>,
  ) {}

  /** Milliseconds of each. */
  static async of(sandbox: Sandbox, host: string, runs: number, stops: number): Promise<SlowChassis> {
    const pid = (await readFile(join(sandbox.folder, host, "ovn-controller.pid"), "utf8")).trim();
    const script = `while kill -STOP ${pid}; do sleep ${stops / 1_000}; kill -CONT ${pid}; sleep ${runs / 1_000}; done`;
    const loop = await sandbox.spawn(host, ["sh", "-c", script], ["pipe", "ignore", "ignore"]);
    return new SlowChassis(loop, () => sandbox.exec(host, ["kill", "-CONT", pid]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.loop.signal("SIGKILL");
    await this.loop.exit;
    await this.wake();
  }
}
