import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editModules, type ModuleEdit } from "../../../sandbox/go-edits";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "edits-"));
  mkdirSync(join(folder, "tool"));
  write("tool/go.mod", "module tool\n");
  write("tool/go.sum", "sums\n");
  for (const name of ["old", "new"]) {
    write(`${name}/data/data.go`, "package data\n");
    write(`${name}/list.go`, "func init() {\n}\nfunc List() {}\n");
    write(`${name}/list_test.go`, "a test\n");
  }
  write("new/go.mod", "module example.org/new\n\ngo 1.20\n");
  // As `go mod download -json` answers.
  write(
    "go",
    `#!/bin/sh\n[ "$1 $2 $3" = "mod download -json" ] && [ "$PWD/$EXPECTED" = "${folder}/tool/yes" ] && echo "{\\"Dir\\": \\"${folder}/$(basename "$4")\\"}"\n`,
  );
  chmodSync(join(folder, "go"), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text, { mode: 0o444 });
};
const read = (name: string): string => readFileSync(join(folder, "edited", name), "utf8");

const lazy = (module: string): ModuleEdit => ({ module, files: { "list.go": [["func init() {", "func Load() {"]] } });
const edit = (...edits: readonly ModuleEdit[]) =>
  editModules(join(folder, "go"), edits, { cwd: join(folder, "tool"), env: { ...process.env, EXPECTED: "yes" } }, join(folder, "edited"));

it("builds with copies of modules that are edited, and of these alone", async () => {
  const modfile = await edit(lazy("example.org/old"), lazy("example.org/new"));
  expect(readFileSync(modfile, "utf8")).toBe(
    `module tool\n\nreplace example.org/old => ${folder}/edited/module0\n\nreplace example.org/new => ${folder}/edited/module1\n`,
  );
  expect(read("go.sum")).toBe("sums\n");
  for (const copy of ["module0", "module1"]) {
    expect(readdirSync(join(folder, "edited", copy)).toSorted()).toEqual(["data", "go.mod", "list.go"]);
    expect([read(`${copy}/list.go`), read(`${copy}/data/data.go`)]).toEqual(["func Load() {\n}\nfunc List() {}\n", "package data\n"]);
  }
  expect([read("module0/go.mod"), read("module1/go.mod")]).toEqual(["module example.org/old\n", "module example.org/new\n\ngo 1.20\n"]);
});

it.each([
  ["a file that is not there", { "gone.go": [["a", "b"]] }, "gone.go"],
  ["a text that is not there", { "list.go": [["func Init", "b"]] }, "list.go"],
  ["a text that is there twice", { "list.go": [["func ", "b"]] }, "list.go"],
  [
    "a text that an edit before it has taken",
    {
      "list.go": [
        ["func init", "func Load"],
        ["func init", "b"],
      ],
    },
    "list.go",
  ],
] as const)("refuses %s: the module is another one than it was", async (_what, files, file) => {
  await expect(edit({ module: "example.org/new", files })).rejects.toMatchObject({
    code: "build-failed",
    message: `${file} of example.org/new is not as it was when its edit was written`,
  });
  expect(existsSync(join(folder, "edited/go.mod"))).toBe(false);
});

it("says why a module can't be had", async () => {
  writeFileSync(join(folder, "go-fails"), "#!/bin/sh\necho no network >&2\nexit 1\n", { mode: 0o755 });
  const edits = editModules(join(folder, "go-fails"), [lazy("example.org/new")], { cwd: join(folder, "tool") }, join(folder, "edited"));
  await expect(edits).rejects.toMatchObject({
    code: "command-failed",
    message: expect.stringContaining("mod download -json example.org/new ended with status 1"),
  });
});
