import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import type { Command } from "../kit/process";
import type { Report } from "../kit/progress";
import { type KubernetesPrograms, kubernetesPrograms } from "../tools/kubernetes-tools";
import { endsWithParent } from "./ends-with-parent";
import { type Kubeconfig, tokenOf } from "./kubernetes-client";
import { freePorts, kubeconfigOf, type KubernetesUser, serverCommands, serverReady, type ServerSite, serverUrl, writeServerFiles } from "./kubernetes-server";

export interface KubernetesApiOptions {
  /** Users other than `admin`, with the rights that RBAC grants. */
  readonly users?: readonly KubernetesUser[];
  /** The folder in which it makes its own. Default: that of temporary files. */
  readonly parent?: string;
  readonly report?: Report;
}

/** Starts etcd and kube-apiserver on the loopback interface as children of this process; they end with it. Needs no privileges. */
export const startKubernetesApi = async ({ users = [], parent = tmpdir(), report = () => undefined }: KubernetesApiOptions = {}): Promise<KubernetesApi> => {
  const programs = await kubernetesPrograms(report);
  return onFreePorts(() => startServers(programs, users, parent));
};

const ATTEMPTS = 3;

/** Retries if a daemon ends immediately: another process may have taken the free port. */
export const onFreePorts = async <T>(start: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof SandboxError) || error.code !== "daemon-failed") throw error;
    }
  }
};

const startServers = async (programs: KubernetesPrograms, users: readonly KubernetesUser[], parent: string): Promise<KubernetesApi> => {
  const folder = await mkdtemp(join(parent, "kubernetes-"));
  const site = { folder, ports: await freePorts() };
  const api = new KubernetesApi(site, programs);
  try {
    await writeServerFiles(site, users);
    await api.start();
    return api;
  } catch (error) {
    await api.stop();
    throw error;
  }
};

/** The API of a Kubernetes cluster, without nodes and controllers. */
export class KubernetesApi implements AsyncDisposable {
  readonly #children = new Map<string, ChildProcess>();

  /** @internal */
  constructor(
    readonly site: ServerSite,
    private readonly programs: KubernetesPrograms,
  ) {}

  get folder(): string {
    return this.site.folder;
  }

  get url(): string {
    return serverUrl(this.site);
  }

  /** The path of the kubeconfig: a context for each user by its name; `admin` is the current one. */
  get kubeconfig(): string {
    return kubeconfigOf(this.folder);
  }

  token(user?: string): string {
    return tokenOf(JSON.parse(readFileSync(this.kubeconfig, "utf8")) as Kubeconfig, user);
  }

  /** Starts what does not run; ready when it returns. Objects are kept from one start to the next. */
  async start(): Promise<void> {
    for (const [name, command] of serverCommands(this.site, this.programs)) if (!this.#children.has(name)) this.#children.set(name, this.#spawn(name, command));
    await serverReady(this.site, async () => {
      for (const [name, child] of this.#children) {
        if (child.exitCode !== null)
          throw new SandboxError("daemon-failed", `${name} ended immediately`, (await readFile(join(this.folder, `${name}.log`), "utf8")).slice(-1000));
      }
    });
  }

  /** Ends the API server as a crash does; etcd, with the objects, continues. */
  kill(): Promise<void> {
    return this.#end("kube-apiserver");
  }

  /** SIGSTOP and SIGCONT: the server is there, and silent. */
  freeze(frozen: boolean): void {
    this.#children.get("kube-apiserver")?.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  /** This process may end before it; then it ends, too. */
  unref(): void {
    for (const child of this.#children.values()) child.unref();
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.#end("etcd");
    await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #spawn(name: string, command: Command): ChildProcess {
    const { file, args } = endsWithParent(command);
    const log = openSync(join(this.folder, `${name}.log`), "a");
    const child = spawn(file, args, { stdio: ["ignore", log, log] });
    closeSync(log);
    return child;
  }

  async #end(name: string): Promise<void> {
    const child = this.#children.get(name);
    this.#children.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}
