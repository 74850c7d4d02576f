import { join } from "node:path";
import { cacheFolder, makeOnce } from "../kit/cache";
import { SandboxError } from "../kit/errors";
import { run } from "../kit/process";
import { duration, type Report } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import { findOnPath } from "./path";

/** A program that is built from its Go modules where it is not installed. */
export interface GoTool {
  /** The binary's name. */
  readonly name: string;
  /** The folder below `scripts/tools` with the pinned go.mod and go.sum. Default: the name. */
  readonly module?: string;
  readonly package: string;
  readonly version: string;
  readonly tags?: string;
  /** Variables that the linker sets (`-X`): some tools refuse another one without a version. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Takes minutes. */
  readonly slow?: true;
}

export interface Toolset {
  /** Folder in the cache; its name contains the versions. */
  readonly folder: string;
  /** How people call it. */
  readonly title: string;
  readonly tools: readonly GoTool[];
  /** Advice for a failed build. */
  readonly remedy: string;
  /** Error without Go. */
  readonly missing: () => SandboxError;
  /** Adds files next to the binaries. */
  readonly finish?: (folder: string, go: string) => Promise<void>;
}

/** The folder with these tools, built once from their pinned modules into the cache. */
export const builtTools = async ({ folder: name, title, tools, remedy, missing, finish }: Toolset, report: Report): Promise<string> => {
  const folder = join(cacheFolder(), name);
  await makeOnce(
    folder,
    async (scratch) => {
      const go = findOnPath("go");
      if (go === undefined) throw missing();
      for (const tool of tools) await build(go, tool, scratch, remedy, report);
      await finish?.(scratch, go);
    },
    () => report(`another process is building ${title}; waiting for it`),
  );
  return folder;
};

/** The environment of `go`, and where it runs for a tool. */
export const goOptions = ({ name, module = name }: GoTool): { cwd: string; env: NodeJS.ProcessEnv } => ({
  cwd: join(projectRoot, "scripts/tools", module),
  env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off" },
});

const build = async (go: string, tool: GoTool, folder: string, remedy: string, report: Report): Promise<void> => {
  const started = performance.now();
  report(`building ${tool.name} ${tool.version} from its Go modules${tool.slow ? " (some minutes, once)" : ""}`);
  let lines = 0;
  const timer = setInterval(() => report(`${tool.name}: ${lines} modules and packages, ${duration(performance.now() - started)}`), 15_000);
  const variables = Object.entries(tool.variables ?? {})
    .map(([name, value]) => ` -X ${name}=${value}`)
    .join("");
  // go.sum pins every module, so -mod=readonly verifies all of them without asking a checksum database.
  const args = [
    "build",
    "-v",
    "-trimpath",
    "-mod=readonly",
    "-tags",
    tool.tags ?? "",
    "-ldflags",
    `-s -w${variables}`,
    "-o",
    join(folder, tool.name),
    tool.package,
  ];
  try {
    const count = (text: string): void => void (lines += text.split("\n").length - 1);
    const { code, stderr } = await run({ file: go, args }, { ...goOptions(tool), onOutput: count });
    if (code !== 0) throw new SandboxError("build-failed", `go build of ${tool.name} failed: ${stderr.trim().split("\n").slice(-8).join("\n  ")}`, remedy);
  } finally {
    clearInterval(timer);
  }
  report(`${tool.name}: ${duration(performance.now() - started)}`);
};
