import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, constants, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HostTarget } from "@pulumi-ovn/sandbox";
import { commandOf } from "@pulumi-ovn/sandbox/testing";
import { type Meddler, Proxy } from "./ovsdb-proxy";
import type { HeldResource } from "./held-resource";

/** Counted effects of a write: transactions that change the host's database, or runs of ovs-ofctl that change a bridge. */
export type Effect = "rows" | "flows";

/**
 * Runs operations in a separate process that is killed (SIGKILL) as soon as a chosen effect has happened. The process never learns of
 * the effect, and commands that it started on the host continue without it. The moment is the same in every run.
 */
export class Killer {
  #point: { readonly effect: Effect; left: number } | undefined;
  #child: ChildProcess | undefined;
  #runs = 0;
  /** Id of the write whose answer triggers the kill. Each process numbers its writes from the start. */
  #chosen: unknown;
  readonly #descriptors: number[] = [];

  private constructor(
    private readonly folder: string,
    private readonly proxy: Proxy,
    private readonly command: readonly string[],
  ) {}

  /** @param host as the sandbox has it */
  static async start(host: HostTarget): Promise<Killer> {
    const meddle: Meddler = ({ id, method, params }) => {
      const operations = params.slice(1) as readonly { readonly op: string }[];
      const writes = method === "transact" && operations.some(({ op }) => ["insert", "update", "mutate", "delete"].includes(op));
      if (writes && killer.#counts("rows")) killer.#chosen = id;
    };
    // The process is killed before it reads the answer to the chosen write. Another message may arrive before the answer.
    const proxy = await Proxy.start(host.openvswitch.replace(/^unix:/, ""), meddle, (message) => {
      if (killer.#chosen !== undefined && (message as { id?: unknown }).id === killer.#chosen) killer.#kill();
      return message;
    });
    const killer = new Killer(mkdtempSync(join(tmpdir(), "killer-")), proxy, host.command);
    return killer;
  }

  /** Whether the process was killed; false: the operation had fewer effects than `point`, and ended by itself. */
  async run(resource: HeldResource, operation: "create" | "update" | "delete", news: object | undefined, effect: Effect, point: number): Promise<boolean> {
    this.#point = { effect, left: point };
    this.#chosen = undefined;
    const inputs = news && (await resource.check(news));
    const shim = this.#shim();
    const target = { openvswitch: this.proxy.endpoint, command: [...this.command, "sh", "-c", `PATH="${shim.folder}:$PATH" exec "$@"`, "sh"] };
    const child = spawn(process.execPath, [join(__dirname, "killed-write.js")], {
      stdio: ["pipe", "inherit", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.folder, "compiled") },
    });
    this.#child = child;
    const request = { urn: resource.urn, id: "id", ...(resource.state && { olds: resource.state.outs }), ...(inputs && { news: inputs }) };
    child.stdin!.end(JSON.stringify({ kind: resource.kind, operation, request, targets: { zones: {}, hosts: { node1: target } } }));
    const exit = once(child, "exit") as Promise<[number | null, string | null]>;
    const told = this.#tellFlows(shim, exit);
    const [code, signal] = await exit;
    await told;
    this.#child = undefined;
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`the operation failed, and was not killed: ${code ?? signal}`);
    return signal === "SIGKILL";
  }

  /**
   * Wraps the host's ovs-ofctl, and writes a word after each command that changes flows. Each run has its own wrapper, so that a
   * command left over from a killed run takes no answer of the next run.
   */
  #shim(): Shim {
    const folder = join(this.folder, `run-${(this.#runs += 1)}`);
    mkdirSync(folder);
    const [reached, go] = ["reached", "go"].map((name) => {
      execFileSync("mkfifo", [join(folder, name)]);
      // Open until the end: data written to a pipe that no process has open is lost.
      const descriptor = openSync(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK);
      this.#descriptors.push(descriptor);
      return descriptor;
    });
    writeFileSync(
      join(folder, "ovs-ofctl"),
      `#!/bin/sh\nreal() { PATH="\${PATH#${folder}:}" ovs-ofctl "$@"; }\ncase " $* " in\n*" add-flows "*|*" del-flows "*) real "$@"; status=$?; echo > ${folder}/reached; read -r _ < ${folder}/go; exit $status;;\n*) real "$@";;\nesac\n`,
    );
    chmodSync(join(folder, "ovs-ofctl"), 0o755);
    return { folder, reached: reached!, go: go! };
  }

  /** Lets each ovs-ofctl continue after its word until the process has exited, then lets all remaining ovs-ofctl continue. */
  async #tellFlows({ folder, reached, go }: Shim, exit: Promise<unknown>): Promise<void> {
    let ended = false;
    void exit.then(() => (ended = true));
    const word = Buffer.alloc(1);
    while (!ended) {
      if (!read(reached, word)) {
        await sleep(5);
        continue;
      }
      if (this.#counts("flows")) {
        this.#kill();
        await exit;
      }
      writeSync(go, "\n");
    }
    writeSync(go, "\n".repeat(64));
    while (isRunning(`${folder}/ovs-ofctl`)) await sleep(10);
  }

  #counts(effect: Effect): boolean {
    return this.#point?.effect === effect && --this.#point.left === 0;
  }

  #kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.stop();
    for (const descriptor of this.#descriptors) closeSync(descriptor);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Shim {
  readonly folder: string;
  readonly reached: number;
  readonly go: number;
}

function isRunning(program: string): boolean {
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && commandOf(Number(pid)).includes(program));
}

/** Reads without waiting. False if nothing was written. */
function read(descriptor: number, into: Buffer): boolean {
  try {
    return readSync(descriptor, into) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
    throw error;
  }
}
