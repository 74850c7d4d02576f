import { spawn, type ChildProcess } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot, pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/testing";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface EngineEvent {
  readonly summaryEvent?: { readonly resourceChanges: Record<string, number> };
  readonly resourcePreEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
}

/** A Pulumi project of its own, with its own state, below the project's root so that its packages resolve. */
export class Workspace implements AsyncDisposable {
  #log = "";

  private constructor(
    readonly folder: string,
    private readonly project: string,
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** @param project distinguishes the rows of stacks that share databases */
  static async create(program: string, zones: object, project = "trial"): Promise<Workspace> {
    const workspace = await Workspace.empty(project);
    await writeFile(join(workspace.folder, "Pulumi.yaml"), `name: ${project}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`);
    await workspace.must("stack", "init", "dev");
    await workspace.write(program, zones);
    return workspace;
  }

  /** A folder for a project, with nothing in it but the state. */
  static async empty(project = "trial"): Promise<Workspace> {
    const parent = join(projectRoot, ".sandbox");
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "stack-"));
    // The flag --event-log is there only for those who debug.
    const cli = pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "state"));
    const environment = { ...cli, PULUMI_DEBUG_COMMANDS: "true" };
    await mkdir(join(folder, "state", "state"), { recursive: true });
    return new Workspace(folder, project, environment);
  }

  /** The same stacks from a folder inside. */
  inside(name: string): Workspace {
    return new Workspace(join(this.folder, name), this.project, this.environment);
  }

  /** Replaces the program (JavaScript) and, where given, the zones of the stack. */
  async write(program: string, zones?: object): Promise<void> {
    await writeFile(
      join(this.folder, "index.js"),
      `"use strict";\nconst pulumi = require("@pulumi/pulumi");\nconst ovn = require("pulumi-ovn");\n${program}\n`,
    );
    if (!zones) return;
    const key = await readFile(join(this.folder, "Pulumi.dev.yaml"), "utf8").then(
      (text) => text.match(/^encryptionsalt: .*$/m)?.[0] ?? "",
      () => "",
    );
    await writeFile(join(this.folder, "Pulumi.dev.yaml"), `${key}\nconfig:\n  ovn:targets: targets.yaml\n`);
    await this.target(zones);
  }

  /** Writes the file of targets that the stack's configuration names. */
  target(zones: object, clusters: object = {}, hosts: object = {}): Promise<void> {
    return writeFile(join(this.folder, "targets.yaml"), JSON.stringify({ zones, clusters, hosts }));
  }

  /** Starts the CLI in a process group of its own, so that a test can kill it whole. */
  start(...args: string[]): ChildProcess {
    return spawn("pulumi", [...args, "--non-interactive", "--color=never"], {
      cwd: this.folder,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  }

  async run(...args: string[]): Promise<Ran> {
    return finished(this.start(...args));
  }

  /** Runs a command that has to succeed; returns what it printed. */
  async must(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} exited ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  up(...args: string[]): Promise<string> {
    return this.must("up", "--yes", "--skip-preview", "--stack", "dev", ...args);
  }

  /** Counts the changes of an update, from the engine's event log. */
  async changes(command: string, ...args: string[]): Promise<Record<string, number>> {
    this.#log = join(this.folder, `events-${Date.now()}.json`);
    await this.must(command, "--stack", "dev", "--event-log", this.#log, ...args);
    return (await this.#events()).find(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  }

  /** The steps of the last update that `changes` ran, in the order in which they began. */
  async operations(): Promise<{ op: string; urn: string }[]> {
    return (await this.#events()).flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  }

  async #events(): Promise<EngineEvent[]> {
    return (await readFile(this.#log, "utf8"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as EngineEvent);
  }

  /**
   * Makes the stack usable after its CLI was killed: removes the lock and partial files of the backend (a state has a backup; attributes are
   * only a content type).
   */
  async recover(): Promise<void> {
    const file = join(this.folder, `state/state/.pulumi/stacks/${this.project}/dev.json`);
    const empty = async (path: string) => (await readFile(path, "utf8").catch(() => undefined)) === "";
    if (await empty(file)) await copyFile(`${file}.bak`, file);
    if (await empty(`${file}.attrs`)) await rm(`${file}.attrs`);
    await this.must("cancel", "--yes", "--stack", "dev");
  }

  /** The deployment as the backend stores it. */
  async state(): Promise<{ resources: { urn: string; type: string; inputs: object; outputs: Record<string, unknown> }[] }> {
    return (JSON.parse(await this.must("stack", "export", "--stack", "dev")) as { deployment: never }).deployment;
  }

  /** Everything the backend wrote, as one text: secrets must not be in it. */
  async stateText(): Promise<string> {
    const files = await readdir(join(this.folder, "state/state"), { recursive: true, withFileTypes: true });
    const texts = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8"));
    return (await Promise.all(texts)).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function finished(child: ChildProcess): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, stdout, stderr };
}
