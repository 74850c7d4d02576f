import { createInterface } from "node:readline";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";

/**
 * Packets on one device of a namespace. On a host: the end of a workload's cable, which has the workload's name, or `phy0`, the underlay with
 * tunnelled packets. Patch and tunnel ports are not devices in the userspace datapath.
 */
export class Capture implements AsyncDisposable {
  readonly #lines: string[] = [];
  #changed = () => {};

  private constructor(private readonly running: Running) {
    createInterface(running.process.stdout!).on("line", (line) => {
      this.#lines.push(line);
      this.#changed();
    });
  }

  /** @param filter of tcpdump(8), `icmp` for instance */
  static async start(sandbox: Sandbox, namespace: string, device: string, filter = ""): Promise<Capture> {
    const running = await sandbox.spawn(namespace, ["tcpdump", "--immediate-mode", "-lnne", "-i", device, ...filter.split(" ").filter(Boolean)]);
    const said = createInterface(running.process.stderr!);
    for await (const line of said) if (line.startsWith("listening on")) return new Capture(running);
    throw new Error(`tcpdump of ${device} in ${namespace} did not start`);
  }

  /** Packets so far, one line each, with Ethernet addresses. */
  get packets(): readonly string[] {
    return this.#lines;
  }

  /**
   * The first packet, also of those that were seen already, that matches. A capture without one fails the test by its time.
   * @param again sends such a packet once more: on a busy machine tcpdump drops some
   */
  async seen(pattern: RegExp, again?: () => Promise<unknown>): Promise<string> {
    for (let rounds = 0; !again || rounds < 20; rounds++) {
      const found = this.#lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      if (again) await again();
      else await new Promise<void>((resolve) => (this.#changed = resolve));
    }
    throw new Error(`no packet matches ${String(pattern)}, but there are ${this.#lines.length} others`);
  }

  /** Ends the capture; all packets that it has seen. tcpdump writes what it still holds before it ends. */
  async end(): Promise<readonly string[]> {
    await this[Symbol.asyncDispose]();
    return this.#lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.running.signal("SIGINT");
    await this.running.exit;
  }
}
