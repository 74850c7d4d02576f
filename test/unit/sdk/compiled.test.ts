import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepingCompiled } from "../../../cli/upgrade/keeping-compiled";
import { compiledFolder, type Loader, startedByPulumi } from "../../../provider/compiled";

describe("the folder of compiled modules", () => {
  const home = () => "/home/me";

  it("is the user's own", () => {
    expect(compiledFolder("provider", {}, home)).toBe("/home/me/.cache/pulumi-ovn/compiled/provider");
    expect(compiledFolder("provider", { XDG_CACHE_HOME: "" }, home)).toBe("/home/me/.cache/pulumi-ovn/compiled/provider");
    expect(compiledFolder("provider", { XDG_CACHE_HOME: "/var/cache/me" }, home)).toBe("/var/cache/me/pulumi-ovn/compiled/provider");
  });

  it("is another one for each kind of process: they can't use each other's", () => {
    expect(new Set((["program", "provider", "command"] as const).map((loader) => compiledFolder(loader, {}, home))).size).toBe(3);
  });

  it("is none where the user has no home", () => {
    const nobody = () => {
      throw new Error("ENOENT: no such file or directory, uv_os_homedir");
    };
    expect(compiledFolder("provider", {}, nobody)).toBeUndefined();
    expect(compiledFolder("provider", { XDG_CACHE_HOME: "/var/cache/me" }, nobody)).toBe("/var/cache/me/pulumi-ovn/compiled/provider");
  });
});

describe("a process that keeps its modules compiled", () => {
  const source = join(__dirname, "../../../provider/compiled.ts");
  const program = `require(${JSON.stringify(source)}).keepCompiled("command"); require("./module.cjs"); console.log(require("node:module").getCompileCacheDir() ?? "none")`;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "compiled-"));
    writeFileSync(join(folder, "module.cjs"), "module.exports = 1;");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What Node says of its cache in such a process. */
  const said = (environment: Record<string, string>) => {
    const env: NodeJS.ProcessEnv = { PATH: process.env["PATH"], HOME: folder, ...environment };
    return execFileSync(process.execPath, ["-e", program], { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  };

  it("has them in the user's folder when it has ended", () => {
    const used = said({});
    expect(used.startsWith(join(folder, ".cache/pulumi-ovn/compiled/command"))).toBe(true);
    expect(existsSync(used)).toBe(true);
  });

  it("uses the folder that its environment names, and none where that says so", () => {
    expect(said({ NODE_COMPILE_CACHE: join(folder, "own") }).startsWith(join(folder, "own"))).toBe(true);
    expect(said({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("none");
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });

  it("goes on without where the folder can't be written", () => {
    writeFileSync(join(folder, ".cache"), "a file");
    expect(said({})).toBe("none");
  });
});

describe("processes that Pulumi starts, with the options of an upgrade", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "kept compiled "))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ["a program", "node_modules/@pulumi/pulumi/cmd/run", "compiled/program"],
    ["a provider", "node_modules/@pulumi/pulumi/cmd/dynamic-provider", "compiled/provider"],
    ["another one", "node_modules/typescript/bin", undefined],
  ])("%s keeps all of its modules in a folder of its own", (_, place, kept) => {
    const script = join(folder, place, "index.js");
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(script, 'console.log(process.title, require("node:module").getCompileCacheDir() ?? "none")');
    const preload = join(folder, "preload.cjs");
    writeFileSync(preload, `require(${JSON.stringify(join(__dirname, "../../../provider/compiled.ts"))}).keepCompiledByKind()`);
    const env = { PATH: process.env["PATH"], HOME: folder, NODE_OPTIONS: keepingCompiled("--title=given", preload) };
    const said = execFileSync(process.execPath, [script], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
    expect(said.startsWith(`given ${kept === undefined ? "none" : join(folder, ".cache/pulumi-ovn", kept)}`)).toBe(true);
  });

  it("get nothing else where none are given", () => expect(keepingCompiled(undefined, "/a/b.js")).toBe('--require "/a/b.js"'));
});

it.each<[string | undefined, Loader | undefined]>([
  ["/home/me/stack/node_modules/@pulumi/pulumi/cmd/run/index.js", "program"],
  ["/home/me/stack/node_modules/.pnpm/@pulumi+pulumi@3.270.0/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js", "provider"],
  ["C:\\stack\\node_modules\\@pulumi\\pulumi\\cmd\\run\\index.js", "program"],
  ["/home/me/stack/node_modules/@pulumi/pulumi/cmd/run-policy-pack/index.js", undefined],
  ["/home/me/tool/cmd/run/index.js", undefined],
  [undefined, undefined],
])("Pulumi has started %s as a %s", (script, loader) => {
  expect(startedByPulumi(script)).toBe(loader);
});

/** Whatever was loaded before is compiled each time. */
it.each([
  ["index.ts", /^(?:\/\*\*.*\*\/\n)?import "\.\/require-node";\nimport "@pulumi-ovn\/provider\/kept-compiled";\n/],
  ["runtime.ts", /^import "\.\/require-node";\nimport "@pulumi-ovn\/provider\/kept-compiled";\n/],
  ["bin/pulumi-ovn.js", /keepCompiled\("command"\);\n\s*void require\("@pulumi-ovn\/cli"\)/],
])("%s keeps its modules compiled before it loads them", (file, beginning) => {
  expect(readFileSync(join(__dirname, "../../../sdk", file), "utf8")).toMatch(beginning);
});
