import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { binaries } from "@pulumi-ovn/sandbox";
import { testSchema } from "./ovsdb-schema";

/** Command that runs a program of OVN or Open vSwitch in a folder. */
async function program(name: string, args: readonly string[], folder: string): Promise<{ file: string; args: string[]; env: NodeJS.ProcessEnv }> {
  const found = await binaries();
  const command = found.command(name, args);
  return {
    file: command.file,
    args: [...command.args],
    env: { ...process.env, ...found.env, OVS_RUNDIR: folder, OVS_LOGDIR: folder, OVS_DBDIR: folder, OVS_SYSCONFDIR: folder },
  };
}

export async function runProgram(name: string, args: readonly string[], folder: string): Promise<string> {
  const { file, args: all, env } = await program(name, args, folder);
  return (await promisify(execFile)(file, all, { env, cwd: folder })).stdout;
}

/** `ovsdb-client backup` of a database, and `ovsdb-client restore` of the same: every row has another UUID then. */
export async function restored(endpoint: string, database: string): Promise<void> {
  const folder = await temporaryFolder();
  const backup = join(folder, "backup");
  await writeFile(backup, await runProgram("ovsdb-client", ["backup", endpoint, database], folder));
  const { file, args, env } = await program("ovsdb-client", ["--force", "restore", endpoint, database], folder);
  // It seeks in its input, which a pipe does not support.
  const input = await open(backup);
  const child = spawn(file, args, { env, stdio: [input.fd, "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number];
  await input.close();
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(`ovsdb-client restore exited ${code}`);
}

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "ovsdb-"));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A real ovsdb-server on one database file. */
export class TestServer {
  private child: ChildProcess | undefined;

  constructor(
    readonly folder: string,
    private readonly name: string,
    private readonly options: readonly string[],
    /** A file, or `relay:DATABASE:ENDPOINTS`. */
    private readonly database = join(folder, `${name}.db`),
  ) {}

  get socket(): string {
    return join(this.folder, `${this.name}.sock`);
  }

  get endpoint(): string {
    return `unix:${this.socket}`;
  }

  async start(): Promise<void> {
    const args = [`--remote=punix:${this.socket}`, `--unixctl=${this.control}`, "--no-chdir", "-vconsole:off", "-vsyslog:off", ...this.options, this.database];
    const { file, args: all, env } = await program("ovsdb-server", args, this.folder);
    const child = spawn(file, all, { env, cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
    this.child = child;
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    while (!(await accepts(this.socket))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ovsdb-server ended (${child.exitCode ?? child.signalCode}): ${said}`);
      await sleep(10);
    }
  }

  /** SIGTERM: a cluster's member leaves in order. */
  stop(): Promise<void> {
    return this.end("SIGTERM");
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return this.end("SIGKILL");
  }

  /** SIGSTOP and SIGCONT: alive, and silent. */
  freeze(frozen: boolean): void {
    this.child!.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  async appctl(...args: string[]): Promise<string> {
    return runProgram("ovs-appctl", ["-t", this.control, ...args], this.folder);
  }

  private get control(): string {
    return join(this.folder, `${this.name}.ctl`);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGCONT");
    child.kill(signal);
    await once(child, "exit");
  }
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A standalone server, or a cluster of one, with the test schema (or the file of another), in a folder of its own. */
export async function standalone(
  options: { remotes?: (folder: string) => Promise<readonly string[]>; schema?: string; clustered?: boolean } = {},
): Promise<TestServer & { remove(): Promise<void> }> {
  const folder = await temporaryFolder();
  const schema = options.schema ?? (await schemaFile(folder));
  const file = join(folder, "db.db");
  await runProgram(
    "ovsdb-tool",
    options.clustered === true ? ["create-cluster", file, schema, `unix:${join(folder, "raft")}`] : ["create", file, schema],
    folder,
  );
  const server = new TestServer(folder, "db", (await options.remotes?.(folder)) ?? []);
  await server.start();
  return Object.assign(server, {
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  });
}

/** A relay of another server's test database, in that one's folder (ovsdb(7), "Relay Service Model"). */
export async function relay(source: Pick<TestServer, "endpoint" | "folder">): Promise<TestServer> {
  const server = new TestServer(source.folder, "relay", [], `relay:Test:${source.endpoint}`);
  await server.start();
  await runProgram("ovsdb-client", ["wait", server.endpoint, "Test", "connected"], source.folder);
  return server;
}

async function schemaFile(folder: string): Promise<string> {
  const file = join(folder, "test.ovsschema");
  await writeFile(file, JSON.stringify(testSchema));
  return file;
}

export class TestCluster {
  constructor(
    readonly folder: string,
    readonly members: readonly TestServer[],
  ) {}

  get endpoints(): string {
    return this.members.map((member) => member.endpoint).join(",");
  }

  member(endpoint: string): TestServer {
    return this.members.find((member) => member.endpoint === endpoint)!;
  }

  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    await rm(this.folder, { recursive: true });
  }
}

/** A cluster of so many servers with the test schema, or that of another database. `options` are further ones of ovsdb-server. */
export async function cluster(
  size = 3,
  {
    database = "Test",
    schema: file,
    options,
  }: { database?: string; schema?: string; options?: (folder: string, index: number) => Promise<readonly string[]> } = {},
): Promise<TestCluster> {
  const folder = await temporaryFolder();
  const schema = file ?? (await schemaFile(folder));
  const address = (index: number) => `unix:${join(folder, `s${index}.raft`)}`;
  await runProgram("ovsdb-tool", ["create-cluster", join(folder, "s0.db"), schema, address(0)], folder);
  const places = Array.from({ length: size }, (_, index) => index);
  for (const index of places.slice(1))
    await runProgram("ovsdb-tool", ["join-cluster", join(folder, `s${index}.db`), database, address(index), address(0)], folder);
  const group = new TestCluster(
    folder,
    await Promise.all(places.map(async (index) => new TestServer(folder, `s${index}`, (await options?.(folder, index)) ?? []))),
  );
  try {
    for (const member of group.members) {
      await member.start();
      // A cluster takes one new member at a time, and only when it has a leader.
      while (!(await isMember(member, database))) await sleep(50);
    }
  } catch (error) {
    await group.remove();
    throw error;
  }
  return group;
}

/** Has the server joined its cluster, and does it know the leader? */
export async function isMember(server: TestServer, database = "Test"): Promise<boolean> {
  // A server that has only just started may not answer yet.
  const status = await server.appctl("cluster/status", database).catch(() => "");
  return /Status: cluster member\n/.test(status) && /\nLeader: (?!unknown)/.test(status);
}
