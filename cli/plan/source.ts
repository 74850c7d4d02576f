import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { CommandError } from "../command";
import { endAtSignalAfter } from "../end-at-signal";
import { mending } from "../stack/state-file";
import { printError } from "../output";
import { progress, writeAbove } from "../progress";
import { unstartable } from "../stack/pulumi-process";
import { locationOf } from "../stack/stack-location";

/** The text of a preview, and where it comes from. */
export interface Source {
  readonly text: string;
  readonly name: string;
  /** Whether the preview that was run failed. */
  readonly failed?: boolean;
}

/** Options of commands that read a preview. */
export interface SourceChoice {
  /** A path, or "-" for standard input. Undefined: a preview is run. */
  readonly file: string | undefined;
  readonly stack: string | undefined;
  readonly cwd: string | undefined;
  /** Further arguments for `pulumi preview`. */
  readonly further: readonly string[];
}

/** Reads the output of `pulumi preview --json`, or runs a preview with `--show-sames`, which `planOf` needs. */
export async function readSource({ file, stack, cwd, further }: SourceChoice): Promise<Source> {
  if (file === undefined) {
    const preview = () =>
      runPreview(["preview", "--json", "--show-sames", "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack]), ...further], cwd);
    return mending(
      preview,
      () => locationOf(stack, cwd),
      (line) => printError(`pulumi-ovn: ${line}\n`),
    );
  }
  if (file === "-") return { text: await text(process.stdin), name: "standard input" };
  try {
    return { text: await readFile(file, "utf8"), name: file };
  } catch (error) {
    throw new CommandError("OVN_PREVIEW", `can't read ${file}: ${(error as Error).message}`);
  }
}

/** Runs Pulumi and passes its standard error on. */
async function runPreview(args: readonly string[], cwd: string | undefined): Promise<Source> {
  // A stream of events would replace the preview's one document.
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _stream, ...env } = process.env;
  using running = endAtSignalAfter(() => spawn("pulumi", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: process.platform !== "win32" }));
  const child = running.program;
  using _ = progress("pulumi preview");
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    output += part;
    writeAbove(stripVTControlCharacters(part));
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [printed, code] = await Promise.all([text(child.stdout), ended]).catch((error: NodeJS.ErrnoException) => {
    throw unstartable("pulumi", error);
  });
  if (code === 0) return { text: printed, name: "the preview" };
  // A preview with errors prints what it has; a stack that does not exist has nothing.
  if (printed.trim().startsWith("{")) return { text: printed, name: "the preview", failed: true };
  throw new CommandError(
    "OVN_PREVIEW_FAILED",
    `pulumi preview ended with ${code === null ? "a signal" : `exit code ${code}`}${output.trim() === "" ? "" : "; its output is above"}`,
  );
}
