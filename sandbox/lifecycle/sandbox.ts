import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandFor, SandboxError } from "../kit/errors";
import { exitCode, type Result, run, signalBelow, until } from "../kit/process";
import { type HostDaemon, hostEnvironment } from "../plan/host-script";
import { layout, type Layout, namespacesOf, upstream, type Workload } from "../plan/layout";
import { KubernetesClient } from "../servers/kubernetes-client";
import { kubeconfigOf } from "../servers/kubernetes-server";
import { type Binaries, binaries, programEnvironment } from "../tools/binaries";
import { clusterFolder } from "./cluster";
import { down } from "./down";
import type { HostTarget, ZoneEndpoints } from "./endpoints";
import { sandboxFolder } from "./folder";
import { type Kept, outcome, readLayout } from "./kept";
import { findFirst, inside } from "./namespaces";
import { addWorkload, removeWorkload } from "./workloads";

export interface ExecOptions {
  readonly input?: string;
  /** Milliseconds after which the program is killed and the call fails. */
  readonly timeout?: number;
}

/** A program that runs in a namespace. */
export interface Running {
  readonly process: ChildProcess;
  /** Sends a signal to the program itself (`process.kill` would reach only the way to it). */
  signal(name: NodeJS.Signals): void;
  /** Its exit status, 128 + N when signal N ended it. */
  readonly exit: Promise<number>;
}

export interface SandboxTargets {
  readonly zones: Record<string, ZoneEndpoints>;
  readonly hosts: Record<string, HostTarget>;
  readonly clusters?: Record<string, { readonly kubeconfig: string }>;
}

/** A running sandbox. */
export class Sandbox implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    private plan: Kept,
    private readonly init: number,
    private readonly programs: Binaries,
  ) {}

  /** Finds a sandbox that is up. */
  static async open(name = "default"): Promise<Sandbox> {
    const folder = sandboxFolder(layout({ name }).name);
    const first = await findFirst(folder);
    const plan = first === undefined ? undefined : await readLayout(folder);
    if (first === undefined || plan === undefined) throw new SandboxError("not-up", `sandbox ${name} is not up`, commandFor("up", name));
    const text = await until(
      `sandbox ${name}`,
      60_000 + 5_000 * plan.hosts.length,
      async () => (await outcome(folder)) ?? ((await findFirst(folder)) === undefined ? "it ended" : undefined),
    );
    if (text !== "ready") throw new SandboxError("up-failed", `sandbox ${name} could not be set up: ${text}`, `${commandFor("down", name)}, then up again.`);
    return new Sandbox(folder, plan, first.init, await binaries());
  }

  get name(): string {
    return this.plan.name;
  }
  get hosts(): Layout["hosts"] {
    return this.plan.hosts;
  }
  get workloads(): readonly Workload[] {
    return this.plan.workloads;
  }
  /** Differs for every sandbox ever started, also of one name. */
  get instance(): string {
    return this.plan.instance;
  }
  get ovn(): boolean {
    return this.plan.ovn;
  }
  get frr(): boolean {
    return this.plan.frr;
  }
  get fabric(): boolean {
    return this.plan.fabric;
  }
  /** The number of the first process, as seen from outside. */
  get firstProcess(): number {
    return this.init;
  }
  /** The names of all namespaces: `ext`, the leaves of a fabric, the hosts, the workloads. */
  get namespaces(): string[] {
    return namespacesOf(this.plan);
  }

  /** The endpoints of each zone's databases, reachable from outside, as a stack's configuration has them. */
  get zones(): Record<string, ZoneEndpoints> {
    if (!this.ovn) return {};
    return Object.fromEntries(this.hosts.filter(({ name, zone }) => name === zone).map((host) => [host.name, this.endpoints(host)]));
  }

  /** The API server of a sandbox with Kubernetes. */
  get cluster(): KubernetesClient {
    if (!this.plan.kubernetes)
      throw new SandboxError("no-cluster", `sandbox ${this.name} is without Kubernetes`, "Start it with `kubernetes: true`, or `up --kubernetes`.");
    return new KubernetesClient(kubeconfigOf(clusterFolder(this.folder)));
  }

  /**
   * The zones, each host with its Open vSwitch database and a command that runs programs on it, and the cluster, which is called
   * `sandbox`, where there is one: what a file of targets holds.
   */
  get targets(): SandboxTargets {
    return {
      ...(this.plan.kubernetes && { clusters: { sandbox: { kubeconfig: this.cluster.kubeconfig } } }),
      zones: this.zones,
      hosts: Object.fromEntries(
        this.hosts.map((host) => [
          host.name,
          {
            openvswitch: this.endpoints(host).openvswitch,
            command: [join(this.folder, host.name, "run")],
            agentFolder: join(this.folder, host.name, "agent"),
          },
        ]),
      ),
    };
  }

  /** The endpoints of the databases that a host uses: its zone's, and its own Open vSwitch. */
  endpoints({ name, zone }: Pick<Layout["hosts"][number], "name" | "zone">): ZoneEndpoints {
    return {
      northbound: `unix:${this.folder}/${zone}/ovnnb_db.sock`,
      southbound: `unix:${this.folder}/${zone}/ovnsb_db.sock`,
      openvswitch: `unix:${this.folder}/${name}/db.sock`,
    };
  }

  /** Runs a program in a namespace (`ext`, `node1`, `vm1`) to its end. */
  async exec(namespace: string, argv: readonly string[], options: ExecOptions = {}): Promise<Result> {
    return run(await this.command(namespace, argv), { ...options, env: this.environment(namespace) });
  }

  /** Starts a program in a namespace. */
  async spawn(namespace: string, argv: readonly string[], stdio: StdioOptions = "pipe"): Promise<Running> {
    const { file, args } = await this.command(namespace, argv);
    const child = spawn(file, args, { env: this.environment(namespace), stdio });
    const exit = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(exitCode(code, signal)));
    });
    return { process: child, signal: (name) => signalBelow(child, name), exit };
  }

  /** Runs a shell script in the namespaces that all namespaces are in. */
  async script(text: string): Promise<Result> {
    return run(inside(this.init, undefined, { file: "sh", args: ["-s"] }), { input: text, env: this.environment(upstream), timeout: 30_000 });
  }

  /** Ends a daemon of a host, as a crash does by default. */
  async killDaemon(host: string, daemon: HostDaemon, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const pid = (await readFile(join(this.folder, host, `${daemon}.pid`), "utf8")).trim();
    await this.exec(host, ["sh", "-c", `kill -s ${signal.slice(3)} ${pid}; while kill -0 ${pid} 2> /dev/null; do sleep 0.01; done`], { timeout: 20_000 });
  }

  /** Starts a daemon that was ended; it is ready when this returns. */
  async startDaemon(host: string, daemon: HostDaemon): Promise<void> {
    const { code } = await this.exec(host, ["sh", join(this.folder, host, `start-${daemon}`)], { timeout: 20_000 });
    if (code !== 0) throw new SandboxError("daemon-failed", `${daemon} of ${host} did not start`, `See ${join(this.folder, host, `${daemon}.log`)}`);
  }

  /** Makes a workload on a host: its namespace, its interface, its port of br-int. */
  async addWorkload(host: string, workload: Omit<Workload, "host">): Promise<void> {
    const made: Workload = { ...workload, host };
    await addWorkload(this, made);
    await this.keep([...this.workloads, made]);
  }

  /** Removes a workload with its namespace. */
  async removeWorkload(name: string): Promise<void> {
    const workload = this.workload(name);
    await removeWorkload(this, workload);
    await this.keep(this.workloads.filter((other) => other !== workload));
  }

  /** Creates a workload again on another host, with the same addresses, MAC and iface-id. */
  async moveWorkload(name: string, host: string): Promise<void> {
    const moved = { ...this.workload(name), host };
    await this.removeWorkload(name);
    await this.addWorkload(host, moved);
  }

  /** Ends everything and removes the folder. */
  async down(): Promise<void> {
    await down(this.name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.down();
  }

  private workload(name: string): Workload {
    const found = this.workloads.find((workload) => workload.name === name);
    if (found === undefined)
      throw new SandboxError("place", `unknown workload ${name}; the sandbox has ${this.workloads.map((workload) => workload.name).join(", ")}`);
    return found;
  }

  private async keep(workloads: readonly Workload[]): Promise<void> {
    this.plan = { ...this.plan, workloads };
    await writeFile(join(this.folder, "sandbox.json"), JSON.stringify(this.plan));
  }

  private async command(namespace: string, argv: readonly string[]): Promise<{ file: string; args: readonly string[] }> {
    if (!this.namespaces.includes(namespace)) throw new SandboxError("place", `unknown namespace ${namespace}; the sandbox has ${this.namespaces.join(", ")}`);
    const pid = Number(await readFile(join(this.folder, namespace, "pid"), "utf8"));
    // Entering a mount namespace leads to its root folder; relative paths in the command mean the caller's folder.
    return inside(this.init, pid, { file: "sh", args: ["-c", 'cd "$1" 2> /dev/null; shift; exec "$@"', "exec", process.cwd(), ...argv] });
  }

  private environment(namespace: string): NodeJS.ProcessEnv {
    const host = this.hosts.find(({ name }) => name === namespace);
    const own = host === undefined ? {} : hostEnvironment(join(this.folder, namespace), join(this.folder, host.zone));
    const common = programEnvironment(this.programs);
    return { ...process.env, ...common, PATH: [join(this.folder, namespace, "bin"), join(this.folder, "bin"), common.PATH].join(":"), ...own };
  }
}
