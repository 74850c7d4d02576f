import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaries } from "@pulumi-ovn/sandbox";
import { runOrFail, until } from "@pulumi-ovn/sandbox/testing";

/** A host's Open_vSwitch database, without the switch. */
export class OpenVSwitch implements AsyncDisposable {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    private readonly command: (name: string, args: readonly string[]) => ReturnType<Awaited<ReturnType<typeof binaries>>["command"]>,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<OpenVSwitch> {
    const programs = await binaries();
    const folder = await mkdtemp(join(tmpdir(), "ovs-"));
    const env = { ...process.env, ...programs.env, OVS_RUNDIR: folder, OVS_LOGDIR: folder, OVS_DBDIR: folder, OVS_SYSCONFDIR: folder };
    await runOrFail(programs.command("ovsdb-tool", ["create", join(folder, "conf.db"), programs.schema("vswitch.ovsschema")]));
    const { file, args } = programs.command("ovsdb-server", [
      `--remote=punix:${folder}/db.sock`,
      `--unixctl=${folder}/ctl`,
      `--log-file=${folder}/log`,
      "-vconsole:emer",
      join(folder, "conf.db"),
    ]);
    const server = spawn(file, args, { env, stdio: "ignore" });
    const database = new OpenVSwitch(folder, server, (name, list) => programs.command(name, list), env);
    await until("the Open_vSwitch database", 10_000, () =>
      database.vsctl("init").then(
        () => true,
        () => false,
      ),
    );
    return database;
  }

  get endpoint(): string {
    return `unix:${this.folder}/db.sock`;
  }

  /** Runs ovs-vsctl(8), which does not wait for a switch; it has to succeed. */
  async vsctl(...args: string[]): Promise<string> {
    const stdout = await runOrFail(this.command("ovs-vsctl", [`--db=${this.endpoint}`, "--no-wait", "--timeout=10", ...args]), { env: this.env });
    return stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill("SIGKILL");
    await gone;
    await rm(this.folder, { recursive: true, force: true });
  }
}
