import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { type Command, type Result, run, runOrFail, until } from "../kit/process";
import { type Binaries, binaries } from "../tools/binaries";
import { endsWithParent } from "./ends-with-parent";

/** The daemons of one zone's central part. */
export type CentralDaemon = "northbound" | "southbound" | "northd";

/** The central part of one OVN zone, without hosts: the two databases and northd. */
export interface Central extends AsyncDisposable {
  /** The folder with the databases, sockets and logs. */
  readonly folder: string;
  /** The endpoint of the Northbound database, as in `OVN_NB_DB`. */
  readonly northbound: string;
  /** The endpoint of the Southbound database, as in `OVN_SB_DB`. */
  readonly southbound: string;
  /** Runs a program (`ovn-nbctl`, `ovsdb-client`, ...) that finds these databases by its environment. */
  run(name: string, args: readonly string[], options?: { input?: string; timeout?: number }): Promise<Result>;
  /** Ends one daemon (default: SIGKILL, like a crash) and waits for its end. */
  kill(daemon: CentralDaemon, signal?: NodeJS.Signals): Promise<void>;
  /** Starts a daemon that is not running; ready when it returns. */
  start(daemon: CentralDaemon): Promise<void>;
  /** The process id of a running daemon. */
  pid(daemon: CentralDaemon): number | undefined;
  /** Ends all daemons and removes the folder. */
  stop(): Promise<void>;
}

export interface CentralOptions {
  /** The folder to use; a new one below the system's temporary folder by default. Kept short: socket paths end at 107 bytes. */
  readonly folder?: string;
  /** Whether northd runs; without it nothing is written to the Southbound database. Default true. */
  readonly northd?: boolean;
  /** More remotes of the Northbound server, `ptcp:0:127.0.0.1` for instance. */
  readonly northboundRemotes?: readonly string[];
}

/** Starts the databases and northd of one zone as children of this process; they end with it. Needs no privileges. */
export const startCentral = async (options: CentralOptions = {}): Promise<Central> => {
  const programs = await binaries();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "ovn-central-")));
  await mkdir(folder, { recursive: true });
  await Promise.all(
    (["nb", "sb"] as const).map((db) =>
      stat(join(folder, `${db}.db`)).catch(() =>
        runOrFail(programs.command("ovsdb-tool", ["create", join(folder, `${db}.db`), programs.schema(`ovn-${db}.ovsschema`)])),
      ),
    ),
  );
  const central = new LocalCentral(folder, programs, options.northboundRemotes ?? []);
  try {
    await Promise.all([central.start("northbound"), central.start("southbound")]);
    if (options.northd ?? true) await central.start("northd");
    return central;
  } catch (error) {
    await central.stop();
    throw error;
  }
};

class LocalCentral implements Central {
  readonly northbound: string;
  readonly southbound: string;
  private readonly children = new Map<CentralDaemon, ChildProcess>();
  private readonly env: NodeJS.ProcessEnv;

  constructor(
    readonly folder: string,
    private readonly programs: Binaries,
    private readonly remotes: readonly string[],
  ) {
    this.northbound = `unix:${join(folder, "nb.sock")}`;
    this.southbound = `unix:${join(folder, "sb.sock")}`;
    this.env = {
      ...process.env,
      ...programs.env,
      OVN_NB_DB: this.northbound,
      OVN_SB_DB: this.southbound,
      OVS_RUNDIR: folder,
      OVN_RUNDIR: folder,
      OVS_LOGDIR: folder,
      OVN_LOGDIR: folder,
      OVS_DBDIR: folder,
      OVN_DBDIR: folder,
      OVS_SYSCONFDIR: folder,
    };
  }

  run(name: string, args: readonly string[], options: { input?: string; timeout?: number } = {}): Promise<Result> {
    return run(this.programs.command(name, args), { ...options, env: this.env });
  }

  pid(daemon: CentralDaemon): number | undefined {
    return this.children.get(daemon)?.pid;
  }

  async start(daemon: CentralDaemon): Promise<void> {
    if (this.children.has(daemon)) throw new SandboxError("running", `${daemon} is running already`);
    const { file, args } = endsWithParent(this.daemonCommand(daemon));
    // A file, not a pipe: it needs no reader, and outlives a crash.
    const log = openSync(join(this.folder, `${daemon}.out`), "a");
    const child = spawn(file, args, { env: this.env, stdio: ["ignore", log, log] });
    closeSync(log);
    this.children.set(daemon, child);
    child.once("exit", () => this.children.delete(daemon));
    const socket = join(this.folder, daemon === "northd" ? `northd.ctl` : daemon === "northbound" ? "nb.sock" : "sb.sock");
    await until(`${daemon} in ${this.folder}`, 10_000, async () => {
      if (child.exitCode !== null)
        throw new SandboxError("daemon-failed", `${daemon} ended immediately`, (await readFile(join(this.folder, `${daemon}.out`), "utf8")).slice(-1000));
      return accepts(socket);
    });
  }

  private daemonCommand(daemon: CentralDaemon): Command {
    const at = (file: string): string => join(this.folder, file);
    const common = [`--unixctl=${at(`${daemon}.ctl`)}`, `--log-file=${at(`${daemon}.log`)}`, "-vconsole:emer"];
    if (daemon === "northd") return this.programs.command("ovn-northd", [...common, `--ovnnb-db=${this.northbound}`, `--ovnsb-db=${this.southbound}`]);
    const db = daemon === "northbound" ? "nb" : "sb";
    const remotes = daemon === "northbound" ? this.remotes : [];
    return this.programs.command("ovsdb-server", [
      ...common,
      `--remote=punix:${at(`${db}.sock`)}`,
      ...remotes.map((remote) => `--remote=${remote}`),
      at(`${db}.db`),
    ]);
  }

  async kill(daemon: CentralDaemon, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.children.get(daemon);
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.children.keys()].map((daemon) => this.kill(daemon)));
    await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Whether a process listens on a socket: the file of a killed server stays. */
const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
