import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { run, type Result } from "../kit/process";
import type { Report } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import { hasKubernetesPlugin, installKubernetesPlugin } from "../tools/kubernetes-plugin";
import { pulumiEnvironment, pulumiFolder, pulumiOvn } from "../tools/pulumi-cli";

type Changes = Record<string, number>;

interface CopyOptions {
  /** Is the copy; one with a name of its own by default. */
  readonly folder?: string;
  /** Configuration of the stack, by key. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly report?: Report;
}

/** The file of an example that has its scenario, as its default export. */
export const PROOF = "proof.mts";

/** JSON is YAML. */
const TARGETS = "targets.yaml";

const QUIET = ["--non-interactive", "--color=never"];

/** A copy of a project of this repository, with a state of its own: the copy's stack files never show up in the repository. */
export class Example implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    /** For programs that are to see the stack as the CLI does. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** A copy that was made. */
  static async open(folder: string, report: Report = () => undefined): Promise<Example> {
    const { PULUMI_OVN_ZONES: _outer, ...environment } = pulumiEnvironment(await pulumiFolder(report), join(folder, "state"));
    return new Example(folder, { ...environment, PULUMI_OVN_TARGETS: join(folder, TARGETS), PULUMI_STACK: "test" });
  }

  /**
   * @param base the folder that the copy is made from, below the repository's root
   * @param files what belongs to the project, below `base`
   * @param targets what a file of targets holds; the environment names the file, as in a pipeline
   */
  static async copy(base: string, files: readonly string[], targets: object, options: CopyOptions = {}): Promise<Example> {
    const folder = options.folder ?? (await temporary());
    for (const file of files) await cp(join(projectRoot, base, file), join(folder, file), { recursive: true });
    await mkdir(join(folder, "state", "state"), { recursive: true });
    await writeFile(join(folder, TARGETS), JSON.stringify(targets, undefined, 2));
    const example = await Example.open(folder, options.report);
    try {
      if (hasKubernetesPlugin()) await installKubernetesPlugin(example.environment["PULUMI_HOME"]!, options.report ?? (() => undefined));
      await example.run("stack", "init", "test");
      const settings = Object.entries(options.configuration ?? {}).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
      if (settings.length > 0) await example.run("config", "set-all", ...settings);
    } catch (error) {
      await example[Symbol.asyncDispose]();
      throw error;
    }
    return example;
  }

  /** A copy of the folder of an example. */
  static async of(name: string, targets: object, options: CopyOptions = {}): Promise<Example> {
    // The quickstart's project is the root of the repository.
    if (name === "quickstart") return Example.copy(".", ["Pulumi.yaml", "examples/quickstart/index.ts", "examples/quickstart/tsconfig.json"], targets, options);
    const base = join("examples", name);
    const files = (await readdir(join(projectRoot, base))).filter(
      (file) => file !== "README.md" && file !== PROOF && file !== TARGETS && !/^Pulumi\..+\.yaml$/.test(file),
    );
    return Example.copy(base, files, targets, options);
  }

  /** Runs a command that has to succeed; returns what it printed. */
  async run(...args: string[]): Promise<string> {
    return this.#must("pulumi", [...args, ...QUIET]);
  }

  /** Runs `pulumi-ovn` on the stack, which has to succeed; returns what it printed. */
  tool(...args: string[]): Promise<string> {
    return this.#must(pulumiOvn[0], [pulumiOvn[1], ...args]);
  }

  /** Runs an update and counts its changes by kind, from the engine's event log. */
  async changes(command: "up" | "destroy"): Promise<Changes> {
    const log = join(this.folder, "state", "events.json");
    await rm(log, { force: true }); // the engine appends
    // The flag --event-log is there only for those who debug.
    await this.#must("pulumi", [command, "--yes", "--skip-preview", "--stack", "test", "--event-log", log, ...QUIET], { PULUMI_DEBUG_COMMANDS: "true" });
    const events = (await readFile(log, "utf8"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { summaryEvent?: { resourceChanges: Changes } });
    return events.findLast(({ summaryEvent }) => summaryEvent !== undefined)!.summaryEvent!.resourceChanges;
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.run("stack", "output", "--json", "--stack", "test")) as Record<string, unknown>;
  }

  async #must(file: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, stdout, stderr }: Result = await run({ file, args }, { cwd: this.folder, env: { ...this.environment, ...more } });
    if (code !== 0) throw new SandboxError("command-failed", `${[file.split("/").at(-1), ...args].join(" ")} exited ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function temporary(): Promise<string> {
  const parent = join(projectRoot, ".sandbox");
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "example-"));
}
