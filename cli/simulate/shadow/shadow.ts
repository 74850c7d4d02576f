import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Connections, propagate, ShadowConnections } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../../command";
import { Bound } from "./bound";
import type { Programs } from "./programs";
import { NoAnswer, Tracer } from "./tracer";

const run = promisify(execFile);

/** Milliseconds that a server may take to start, and northd to translate a zone. */
const PATIENCE = 60_000;

/** File of the Southbound database before `traceableChanges`. */
const KEPT = "sb.kept";

/** Source of health checks of load balancers. */
const MONITOR_MAC = "0a:00:00:00:00:02";

/** A neighbour of a router's port. */
export interface MacBinding {
  readonly port: string;
  readonly ip: string;
  readonly mac: string;
}

/**
 * A zone's databases, without any way to the real ones: one ovsdb-server with both databases on a socket in a private folder. northd runs
 * only while it is needed. The databases are kept in files, so the server can be stopped and started again.
 */
export class Shadow {
  #server: Bound | undefined;
  #connections: Connections | undefined;
  #tracer: Promise<Tracer> | undefined;
  #tracers = 0;
  /** Neighbours that chassis of the live zone have learned. Empty for rows of a state. */
  learned: readonly MacBinding[] = [];

  private constructor(
    readonly zone: string,
    private readonly folder: string,
    private readonly programs: Programs,
  ) {}

  /**
   * Creates empty databases, from which all shadows begin.
   * @param folder does not exist yet
   */
  static async createDatabases(folder: string, { paths, schemas }: Programs): Promise<void> {
    await mkdir(folder);
    for (const database of ["nb", "sb"]) await run(paths["ovsdb-tool"], ["create", join(folder, `${database}.db`), join(schemas, `ovn-${database}.ovsschema`)]);
  }

  /**
   * @param folder does not exist yet; its path is short, because a socket's path has at most 107 bytes
   * @param empty folder of `createDatabases`
   */
  static async create(zone: string, folder: string, programs: Programs, empty: string): Promise<Shadow> {
    await mkdir(folder);
    await Promise.all(["nb.db", "sb.db"].map((file) => copyFile(join(empty, file), join(folder, file))));
    const shadow = new Shadow(zone, folder, programs);
    await shadow.start();
    const northbound = await shadow.connections.get(zone, "OVN_Northbound");
    // propagate() counts in this row, which northd would create later, with a random MAC that is part of flows.
    await northbound.transact([{ op: "insert", table: "NB_Global", row: { options: ["map", [["svc_monitor_mac", MONITOR_MAC]]] } }]);
    return shadow;
  }

  /** Keeps the Southbound database as it is now, for copies. No program writes to it now. */
  keep(): Promise<void> {
    return copyFile(join(this.folder, "sb.db"), join(this.folder, KEPT));
  }

  /** A shadow with the same Northbound rows, which are not being written now, and the Southbound rows that were kept. */
  async copy(folder: string): Promise<Shadow> {
    await mkdir(folder);
    await Promise.all([copyFile(join(this.folder, "nb.db"), join(folder, "nb.db")), copyFile(join(this.folder, KEPT), join(folder, "sb.db"))]);
    const copy = new Shadow(this.zone, folder, this.programs);
    copy.learned = this.learned;
    return copy;
  }

  /** Socket of both databases. */
  get endpoint(): string {
    return `unix:${join(this.folder, "db.sock")}`;
  }

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  /** Targets with only this zone. */
  get connections(): Connections {
    if (this.#connections === undefined) throw new Error(`the shadow of zone "${this.zone}" does not run`);
    return this.#connections;
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    const args = [`--remote=p${this.endpoint}`, `--unixctl=${join(this.folder, "server.ctl")}`, join(this.folder, "nb.db"), join(this.folder, "sb.db")];
    const server = this.#bound("ovsdb-server", args);
    const connections = new ShadowConnections({ [this.zone]: { northbound: this.endpoint, southbound: this.endpoint } });
    // A socket exists shortly before its server listens.
    const isListening = async () =>
      existsSync(join(this.folder, "db.sock")) && (await connections.get(this.zone, "OVN_Northbound").catch(() => undefined)) !== undefined;
    try {
      await server.ready(isListening, PATIENCE);
    } catch (error) {
      await Promise.all([connections.close(), server.end()]);
      throw this.#failure("ovsdb-server", await server.reason(error as Error));
    }
    this.#server = server;
    this.#connections = connections;
  }

  async stop(): Promise<void> {
    await this.#connections?.close();
    await (await this.#tracer?.catch(() => undefined))?.end();
    this.#tracer = undefined;
    await this.#server?.end();
    // A killed server leaves it, and its existence shows that a server is ready.
    await rm(join(this.folder, "db.sock"), { force: true });
    this.#connections = undefined;
    this.#server = undefined;
  }

  /** Lets northd translate the Northbound database. */
  async translate(): Promise<void> {
    const args = [`--ovnnb-db=${this.endpoint}`, `--ovnsb-db=${this.endpoint}`, `--unixctl=${join(this.folder, "northd.ctl")}`];
    const northd = this.#bound("ovn-northd", args);
    try {
      await northd.whileRunning(propagate(this.connections, this.zone, "southbound", PATIENCE));
    } catch (error) {
      throw this.#failure("ovn-northd", await northd.reason(error as Error));
    } finally {
      await northd.end();
    }
  }

  /** Output of ovn-trace(8). Throws {@link NoAnswer} if the program does not end. */
  async trace(datapath: string, flow: string): Promise<string> {
    try {
      return (await this.#traceShared(datapath, flow)) ?? (await this.#traceAlone(datapath, flow));
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw this.#failure("ovn-trace", (error as Error).message);
    }
  }

  /** Undefined if the program has ended, perhaps by another question. The next question starts another. */
  async #traceShared(datapath: string, flow: string): Promise<string | undefined> {
    const shared = (this.#tracer ??= this.#startTracer());
    const tracer = await shared;
    try {
      return await tracer.trace(datapath, flow);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (this.#tracer === shared) this.#tracer = undefined;
      await tracer.end();
      return undefined;
    }
  }

  /** Asks a program of its own. */
  async #traceAlone(datapath: string, flow: string): Promise<string> {
    const tracer = await this.#startTracer();
    try {
      return await tracer.trace(datapath, flow);
    } finally {
      await tracer.end();
    }
  }

  #startTracer(): Promise<Tracer> {
    const program = this.programs.paths["ovn-trace"];
    return Tracer.start({ program, database: this.endpoint, folder: this.folder, name: `trace${this.#tracers++}`, env: this.#environment });
  }

  get #environment(): NodeJS.ProcessEnv {
    const { folder } = this;
    return { ...process.env, OVS_RUNDIR: folder, OVN_RUNDIR: folder, OVS_LOGDIR: folder, OVN_LOGDIR: folder, OVS_DBDIR: folder, OVN_DBDIR: folder };
  }

  #bound(name: "ovsdb-server" | "ovn-northd", args: readonly string[]): Bound {
    return Bound.program(this.programs.paths[name], args, join(this.folder, `${name}.log`), this.#environment);
  }

  #failure(name: string, reason: string): CommandError {
    return new CommandError("OVN_SIMULATE", `${name} failed in the shadow of zone "${this.zone}": ${reason}`);
  }
}
