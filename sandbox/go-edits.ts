import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { SandboxError } from "./errors";
import { type RunOptions, runOrFail } from "./process";

/** A module of which some files are built otherwise than they are published. */
export interface ModuleEdit {
  readonly module: string;
  /** By file: texts that are in it once, and what stands in their place. */
  readonly files: Readonly<Record<string, readonly (readonly [text: string, instead: string])[]>>;
}

/**
 * Copies the modules that a tool's go.mod pins, with their edits, into `folder`, and writes a go.mod there that has the copies.
 * @param options where the tool's go.mod is, and the environment of `go`
 * @returns the path of that go.mod, for `go build -modfile`
 */
export const editModules = async (
  go: string,
  edits: readonly ModuleEdit[],
  options: RunOptions & { readonly cwd: string },
  folder: string,
): Promise<string> => {
  await mkdir(folder);
  const [modfile, lines] = [join(folder, "go.mod"), [await readFile(join(options.cwd, "go.mod"), "utf8")]];
  for (const [index, edit] of edits.entries()) {
    const { Dir } = JSON.parse(await runOrFail({ file: go, args: ["mod", "download", "-json", edit.module] }, options)) as { Dir: string };
    const copy = join(folder, `module${index}`);
    await copyModule(edit, Dir, copy);
    lines.push(`replace ${edit.module} => ${copy}\n`);
  }
  await writeFile(modfile, lines.join("\n"));
  await copyFile(join(options.cwd, "go.sum"), join(folder, "go.sum"));
  return modfile;
};

/** File by file: the module's own folders are read-only, and copies of them could not be removed. */
const copyModule = async ({ module, files }: ModuleEdit, from: string, to: string): Promise<void> => {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith("_test.go"))
    .map((entry) => relative(from, join(entry.parentPath, entry.name)));
  const absent = Object.keys(files).find((name) => !names.includes(name));
  if (absent !== undefined) throw notAsExpected(module, absent);
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    const edits = files[name];
    if (edits === undefined) await copyFile(join(from, name), join(to, name));
    else await writeFile(join(to, name), edits.reduce(replaceOnce(module, name), await readFile(join(from, name), "utf8")));
  }
  // Modules from before Go had them are published without.
  if (!names.includes("go.mod")) await writeFile(join(to, "go.mod"), `module ${module}\n`);
};

const replaceOnce =
  (module: string, name: string) =>
  (whole: string, [text, instead]: readonly [string, string]): string => {
    const parts = whole.split(text);
    if (parts.length !== 2) throw notAsExpected(module, name);
    return parts.join(instead);
  };

const notAsExpected = (module: string, file: string): SandboxError =>
  new SandboxError("build-failed", `${file} of ${module} is not as it was when its edit was written`);
