import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endsWithParent } from "./ends-with-parent";
import { SandboxError } from "./errors";
import { type KubernetesPrograms, kubernetesPrograms } from "./kubernetes-tools";
import { until } from "./process";
import type { Report } from "./progress";

/** A user of the API server. */
export interface KubernetesUser {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface KubernetesApiOptions {
  /** Users beside `admin`, who may do everything; they may do what RBAC says. */
  readonly users?: readonly KubernetesUser[];
  readonly report?: Report;
}

const ADMIN: KubernetesUser = { name: "admin", groups: ["system:masters"] };

/** Starts etcd and kube-apiserver on the loopback interface as children of this process; they end with it. Needs no privileges. */
export const startKubernetesApi = async ({ users = [], report = () => undefined }: KubernetesApiOptions = {}): Promise<KubernetesApi> => {
  const programs = await kubernetesPrograms(report);
  for (let attempt = 1; ; attempt++) {
    try {
      return await begun(programs, users);
    } catch (error) {
      // A port that was free may have been taken since.
      if (attempt === ATTEMPTS || !(error instanceof SandboxError) || error.code !== "daemon-failed") throw error;
    }
  }
};

const ATTEMPTS = 3;

const begun = async (programs: KubernetesPrograms, users: readonly KubernetesUser[]): Promise<KubernetesApi> => {
  const folder = await mkdtemp(join(tmpdir(), "kubernetes-"));
  const api = new KubernetesApi(folder, programs, await ports(3), [ADMIN, ...users].map((user) => ({ ...user, token: randomBytes(16).toString("hex") })));
  try {
    await api.prepare();
    await api.start();
    return api;
  } catch (error) {
    await api.stop();
    throw error;
  }
};

/** The API of a Kubernetes cluster, without nodes and controllers. */
export class KubernetesApi implements AsyncDisposable {
  #etcd: ChildProcess | undefined;
  #server: ChildProcess | undefined;

  /** @internal */
  constructor(
    readonly folder: string,
    private readonly programs: KubernetesPrograms,
    private readonly ports: readonly number[],
    private readonly users: readonly (KubernetesUser & { readonly token: string })[],
  ) {}

  get url(): string {
    return `https://127.0.0.1:${this.ports[2]}`;
  }

  /** The path of the kubeconfig: a context for each user by its name; `admin` is the current one. */
  get kubeconfig(): string {
    return join(this.folder, "kubeconfig");
  }

  token(user = ADMIN.name): string {
    return this.users.find(({ name }) => name === user)!.token;
  }

  /** Starts what does not run; ready when it returns. Objects are kept from one start to the next. */
  async start(): Promise<void> {
    const [client, peer, secure] = this.ports.map(String) as [string, string, string];
    const etcd = `http://127.0.0.1:${client}`;
    this.#etcd ??= this.#spawn("etcd", this.programs.etcd, [
      `--data-dir=${join(this.folder, "etcd")}`, `--listen-client-urls=${etcd}`, `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`, `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`, `--initial-cluster=default=http://127.0.0.1:${peer}`,
      "--log-level=error", "--unsafe-no-fsync",
    ]);
    const at = (file: string) => join(this.folder, file);
    this.#server ??= this.#spawn("kube-apiserver", this.programs.apiServer, [
      `--etcd-servers=${etcd}`, `--cert-dir=${this.folder}`, "--bind-address=127.0.0.1", `--secure-port=${secure}`, "--advertise-address=127.0.0.1",
      "--service-cluster-ip-range=10.96.0.0/24", "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${at("sa.pub")}`, `--service-account-signing-key-file=${at("sa.key")}`,
      `--token-auth-file=${at("tokens.csv")}`, "--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount",
      "--endpoint-reconciler-type=none", "--allow-privileged=true",
    ]);
    await until(`kube-apiserver in ${this.folder}`, 60_000, async () => {
      for (const [name, child] of [["etcd", this.#etcd!], ["kube-apiserver", this.#server!]] as const) {
        if (child.exitCode !== null) throw new SandboxError("daemon-failed", `${name} ended at once`, (await readFile(at(`${name}.log`), "utf8")).slice(-1000));
      }
      return this.#ready();
    });
  }

  /** Ends the API server as a crash does; etcd, with the objects, goes on. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await ended(server);
  }

  /** SIGSTOP and SIGCONT: the server is there, and silent. */
  freeze(frozen: boolean): void {
    this.#server?.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  async stop(): Promise<void> {
    await this.kill();
    await ended(this.#etcd);
    this.#etcd = undefined;
    await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Writes keys, tokens and the kubeconfig. */
  async prepare(): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs1", format: "pem" } });
    const lines = this.users.map(({ name, groups, token }) => `${token},${name},${name},"${groups.join(",")}"`);
    // JSON is YAML. The server makes the certificate, which is its own authority, when it first starts.
    const config = {
      apiVersion: "v1", kind: "Config", "current-context": ADMIN.name,
      clusters: [{ name: "local", cluster: { server: this.url, "certificate-authority": join(this.folder, "apiserver.crt") } }],
      contexts: this.users.map(({ name }) => ({ name, context: { cluster: "local", user: name } })),
      users: this.users.map(({ name, token }) => ({ name, user: { token } })),
    };
    const files = { "sa.key": privateKey, "sa.pub": publicKey, "tokens.csv": lines.join("\n"), kubeconfig: JSON.stringify(config) };
    await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(this.folder, file), text, { mode: 0o600 })));
  }

  #spawn(name: string, program: string, programArguments: readonly string[]): ChildProcess {
    const { file, args } = endsWithParent({ file: program, args: programArguments });
    const log = openSync(join(this.folder, `${name}.log`), "a");
    const child = spawn(file, args, { stdio: ["ignore", log, log] });
    closeSync(log);
    return child;
  }

  async #ready(): Promise<boolean> {
    const ca = await readFile(join(this.folder, "apiserver.crt")).catch(() => undefined);
    if (ca === undefined) return false;
    return new Promise((resolve) => {
      const asked = request(`${this.url}/readyz`, { ca, agent: false, timeout: 2_000, headers: { authorization: `Bearer ${this.token()}` } }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      asked.once("error", () => resolve(false));
      asked.once("timeout", () => asked.destroy());
      asked.end();
    });
  }
}

const ended = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
};

/** So many ports that nobody uses now. */
const ports = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  })));
  const found = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return found;
};
