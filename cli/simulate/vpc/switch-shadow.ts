import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Host } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../../command";
import { Bound } from "../shadow/bound";
import { runCommand } from "../shadow/unixctl";
import type { SwitchPrograms } from "./switch-programs";

const run = promisify(execFile);

/** Milliseconds that a program may take to start. */
const PATIENCE = 30_000;

/**
 * A host's Open vSwitch without any way to the real one: ovsdb-server, and ovs-vswitchd whose bridges and interfaces are dummies, so that
 * it needs no root and sends no packet. Ends with this process.
 */
export class SwitchShadow implements AsyncDisposable {
  readonly #programs: Bound[] = [];

  private constructor(
    readonly host: string,
    private readonly folder: string,
    private readonly programs: SwitchPrograms,
  ) {}

  /** @param folder does not exist yet; its path is short, because a socket's path has at most 107 bytes */
  static async create(host: string, folder: string, programs: SwitchPrograms): Promise<SwitchShadow> {
    await mkdir(folder);
    const shadow = new SwitchShadow(host, folder, programs);
    try {
      await shadow.#start();
    } catch (error) {
      await shadow[Symbol.asyncDispose]();
      throw error;
    }
    return shadow;
  }

  /** Target for the provider's back ends. */
  get target(): Host {
    const variables = Object.entries(this.#variables).map(([name, value]) => `${name}=${value}`);
    return { openvswitch: this.#endpoint, command: ["env", ...variables], agentFolder: this.folder };
  }

  /** Adds a port to a bridge, for a workload whose interface the program does not name. */
  async addPort(bridge: string, port: string): Promise<void> {
    await this.configure(["--may-exist", "add-port", bridge, port]);
  }

  /** Replaces all flows of a bridge, given in the switch's words. */
  async setFlows(bridge: string, flows: readonly string[]): Promise<void> {
    const file = join(this.folder, `${bridge}.flows`);
    await writeFile(file, flows.map((flow) => `${flow}\n`).join(""));
    await this.#run("ovs-ofctl", ["-O", "OpenFlow14", "--timeout=30", "--bundle", "replace-flows", bridge, file]);
  }

  /** Runs ovs-vsctl. */
  async configure(args: readonly string[]): Promise<void> {
    await this.#run("ovs-vsctl", [`--db=${this.#endpoint}`, "--timeout=10", ...args]);
  }

  /** Output of `ofproto/trace`. @param states of the connection, for each conntrack lookup */
  async trace(bridge: string, flow: string, states: readonly string[]): Promise<string> {
    const options = states.flatMap((state) => ["--ct-next", state]);
    try {
      const text = await runCommand(join(this.folder, "switch.ctl"), "ofproto/trace", ["--names", bridge, flow, ...options]);
      if (text === undefined) throw new Error("it closed the connection");
      return text;
    } catch (error) {
      throw this.#failure("ofproto/trace", (error as Error).message.trim());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#programs.toReversed()) await program.end();
  }

  async #start(): Promise<void> {
    const { folder, programs } = this;
    await this.#run("ovsdb-tool", ["create", join(folder, "conf.db"), programs.schema]);
    const server = [`--remote=p${this.#endpoint}`, `--unixctl=${join(folder, "server.ctl")}`, join(folder, "conf.db")];
    await this.#startProgram("ovsdb-server", server, "db.sock");
    await this.#run("ovs-vsctl", [`--db=${this.#endpoint}`, "--timeout=30", "--retry", "--no-wait", "init"]);
    const daemon = ["--enable-dummy=override", "--disable-system", `--unixctl=${join(folder, "switch.ctl")}`, this.#endpoint];
    await this.#startProgram("ovs-vswitchd", daemon, "switch.ctl");
  }

  get #endpoint(): string {
    return `unix:${join(this.folder, "db.sock")}`;
  }

  get #variables(): Record<string, string> {
    const { folder, programs } = this;
    // The back ends run ovs-ofctl by its name.
    return { PATH: `${dirname(programs.paths["ovs-ofctl"])}:${process.env["PATH"] ?? ""}`, OVS_RUNDIR: folder, OVS_DBDIR: folder, OVS_LOGDIR: folder };
  }

  /** Returns when the program has created its socket. */
  async #startProgram(name: "ovsdb-server" | "ovs-vswitchd", args: readonly string[], socket: string): Promise<void> {
    const program = Bound.program(this.programs.paths[name], args, join(this.folder, `${name}.log`), { ...process.env, ...this.#variables });
    this.#programs.push(program);
    try {
      await program.ready(() => existsSync(join(this.folder, socket)), PATIENCE);
    } catch (error) {
      throw this.#failure(name, await program.reason(error as Error));
    }
  }

  async #run(name: keyof SwitchPrograms["paths"], args: readonly string[]): Promise<string> {
    try {
      const limits = { env: { ...process.env, ...this.#variables }, timeout: PATIENCE };
      return (await run(this.programs.paths[name], args, limits)).stdout;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      throw this.#failure(name, (stderr || message).trim());
    }
  }

  #failure(name: string, text: string): CommandError {
    return new CommandError("OVN_SIMULATE", `${name} failed in the shadow of host "${this.host}": ${text.split("\n").at(-1)}`);
  }
}
