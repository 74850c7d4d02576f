import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { transformFileSync } from "@swc/core";
import { keepingCompiled } from "../../../cli/upgrade/keeping-compiled";
import { compiledFolders, type Loader, startedByPulumi } from "../../../provider/compiled";
import { projectCache, userCache } from "../../../provider/compiled/folders";
import { pruneCompiled } from "../../../provider/compiled/pruning";

const parts = ["folders", "pruning", "index", "kept"];
const compiled = parts.map(
  (name) =>
    [
      name,
      transformFileSync(join(__dirname, `../../../provider/compiled/${name}.ts`), {
        jsc: { target: "es2023", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
      }).code,
    ] as const,
);

/** What is installed, for processes without jest: in the project's `node_modules`, or in none, like this repository's own. */
function installed(folder: string, place: string): string {
  const dist = join(folder, place, "provider/dist/compiled");
  mkdirSync(dist, { recursive: true });
  for (const [name, code] of compiled) writeFileSync(join(dist, `${name}.js`), code);
  return dist;
}

/** What a process prints that has nothing in its environment but this. */
function run(words: string[], cwd: string, environment: Record<string, string>): string {
  const env: NodeJS.ProcessEnv = { PATH: process.env["PATH"], HOME: cwd, ...environment };
  return execFileSync(process.execPath, words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

describe("the user's cache folder", () => {
  const home = () => "/home/me";
  const nobody = () => {
    throw new Error("ENOENT: no such file or directory, uv_os_homedir");
  };

  it.each<[string, NodeJS.ProcessEnv, () => string, string | undefined]>([
    ["in the home", {}, home, "/home/me/.cache/pulumi-ovn"],
    ["in the home where XDG_CACHE_HOME is empty", { XDG_CACHE_HOME: "" }, home, "/home/me/.cache/pulumi-ovn"],
    ["where XDG_CACHE_HOME says", { XDG_CACHE_HOME: "/var/cache/me" }, home, "/var/cache/me/pulumi-ovn"],
    ["in the home where XDG_CACHE_HOME is relative", { XDG_CACHE_HOME: "~/.cache" }, home, "/home/me/.cache/pulumi-ovn"],
    ["none for a home that is empty", {}, () => "", undefined],
    ["none for a home that is relative", { XDG_CACHE_HOME: "cache" }, () => "me", undefined],
    ["none for a user without a home", {}, nobody, undefined],
    ["where XDG_CACHE_HOME says for a user without a home", { XDG_CACHE_HOME: "/var/cache/me" }, nobody, "/var/cache/me/pulumi-ovn"],
  ])("is %s", (_, environment, of, folder) => expect(userCache(environment, of)).toBe(folder));
});

describe("the project's cache folder", () => {
  it.each([
    ["/stack/node_modules/@pulumi-ovn/provider/dist", "/stack/node_modules/.cache/pulumi-ovn"],
    ["/stack/node_modules/.pnpm/@pulumi-ovn+provider@0.2.0/node_modules/@pulumi-ovn/provider/dist", "/stack/node_modules/.cache/pulumi-ovn"],
    ["/my_node_modules/node_modules_2/provider/dist", undefined],
  ])("of a package in %s is %s", (own, folder) => expect(projectCache(own)).toBe(folder));
});

it("each kind of process has a folder of its own: they can't use each other's", () => {
  expect(compiledFolders("program", ["/stack", "/me"])).toEqual(["/stack/compiled/program", "/me/compiled/program"]);
  expect(compiledFolders("provider", [undefined, "/me"])).toEqual(["/me/compiled/provider"]);
  expect(compiledFolders("command", [undefined, undefined])).toEqual([]);
});

describe("a process that keeps its modules compiled", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "compiled-"));
    writeFileSync(join(folder, "module.cjs"), "module.exports = 1;");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What Node says of its cache in such a process. */
  const said = (environment: Record<string, string> = {}, place = "checkout") => {
    const dist = installed(folder, place);
    return run(
      [
        "-e",
        `require(${JSON.stringify(join(dist, "index.js"))}).keepCompiled("command"); require("./module.cjs"); console.log(require("node:module").getCompileCacheDir() ?? "none")`,
      ],
      folder,
      environment,
    );
  };

  it("has them beside the package when it has ended", () => {
    const used = said({}, "node_modules/@pulumi-ovn");
    expect(dirname(used)).toBe(join(folder, "node_modules/.cache/pulumi-ovn/compiled/command"));
    expect(readdirSync(used)).not.toEqual([]);
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });

  it("has them in the user's folder where the package's can't be written", () => {
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.cache"), "a file");
    const used = said({}, "node_modules/@pulumi-ovn");
    expect(dirname(used)).toBe(join(folder, ".cache/pulumi-ovn/compiled/command"));
    expect(readdirSync(used)).not.toEqual([]);
  });

  it("uses the folder that its environment names, and none where that says so", () => {
    expect(dirname(said({ NODE_COMPILE_CACHE: join(folder, "own") }))).toBe(join(folder, "own"));
    expect(said({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("none");
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });

  it("goes on without where no folder can be written", () => {
    writeFileSync(join(folder, ".cache"), "a file");
    expect(said()).toBe("none");
  });

  it("makes no folder in the project for a home that is no absolute path", () => {
    expect(said({ HOME: "", XDG_CACHE_HOME: "~/.cache" })).toBe("none");
    expect(readdirSync(folder).sort()).toEqual(["checkout", "module.cjs"]);
  });

  it("removes what was not used for long when it ends", () => {
    const old = join(folder, ".cache/pulumi-ovn/modules/v22/old");
    mkdirSync(dirname(old), { recursive: true });
    writeFileSync(old, "");
    utimesSync(old, 0, 0);
    said();
    expect(existsSync(old)).toBe(false);
  });
});

describe("compiled modules in the user's folder", () => {
  const DAY = 24 * 60 * 60;
  const now = 20_000 * DAY;
  let cache: string;
  beforeEach(() => (cache = mkdtempSync(join(tmpdir(), "pruned-"))));
  afterEach(() => rmSync(cache, { recursive: true }));

  /** @param read, written: days before now */
  const file = (path: string, read: number, written = read) => {
    mkdirSync(dirname(join(cache, path)), { recursive: true });
    writeFileSync(join(cache, path), "");
    utimesSync(join(cache, path), now - read * DAY, now - written * DAY);
  };
  const files = () =>
    readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(cache, join(entry.parentPath, entry.name)))
      .sort();
  const prune = (days = 0) => pruneCompiled(cache, (now + days * DAY) * 1000);

  it("go when they were neither written nor read for 30 days, and nothing else does", () => {
    for (const place of ["compiled/program", "compiled/provider", "compiled/command", "modules"]) file(`${place}/v24/old`, 30.1);
    file("modules/v24/written", 40, 29.9);
    file("modules/v24/read", 29.9, 40);
    file("modules/not-node's", 40);
    file("pulumi-3.258.0/pulumi", 40);
    file("compiled/other/v24/old", 40);
    utimesSync(join(cache, "compiled/program/v24"), now, now - 31 * DAY);
    utimesSync(join(cache, "compiled/provider/v24"), now, now - 29 * DAY);
    prune();
    expect(files()).toEqual([".pruned", "compiled/other/v24/old", "modules/not-node's", "modules/v24/read", "modules/v24/written", "pulumi-3.258.0/pulumi"]);
    expect(readdirSync(join(cache, "compiled/program"))).toEqual([]);
    expect(readdirSync(join(cache, "compiled/provider"))).toEqual(["v24"]);
  });

  it("are looked at once a day, and again after a clock that was ahead", () => {
    prune();
    file("modules/v24/old", 40);
    prune(0.9);
    expect(files()).toEqual([".pruned", "modules/v24/old"]);
    prune(1.1);
    expect(files()).toEqual([".pruned"]);
    file("modules/v24/old", 40);
    prune(-2);
    expect(files()).toEqual([".pruned"]);
  });

  it("stay behind a link", () => {
    file("elsewhere/v24/old", 40);
    symlinkSync(join(cache, "elsewhere"), join(cache, "modules"));
    mkdirSync(join(cache, "compiled/program"), { recursive: true });
    symlinkSync(join(cache, "elsewhere/v24"), join(cache, "compiled/program/v24"));
    prune();
    expect(files()).toContain("elsewhere/v24/old");
  });

  it("are no reason to fail or to make a folder", () => {
    pruneCompiled(join(cache, "none"), now * 1000);
    expect(readdirSync(cache)).toEqual([]);
    mkdirSync(join(cache, "modules/v24/folder"), { recursive: true });
    file("modules/v24/old", 40);
    prune();
    expect(files()).toEqual([".pruned"]);
  });
});

describe("processes that Pulumi starts, with the options of an upgrade", () => {
  let folder: string;
  let preload: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kept compiled "));
    preload = join(installed(folder, "checkout"), "kept.js");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What `code` prints in a process whose script is in `place`. */
  const printed = (place: string, given: string | undefined, code: string) => {
    const script = join(folder, place, "index.js");
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(script, code);
    return run([script], folder, { NODE_OPTIONS: keepingCompiled(given, preload) });
  };
  const RUN = "node_modules/@pulumi/pulumi/cmd/run";
  const PROVIDER = "node_modules/@pulumi/pulumi/cmd/dynamic-provider";

  it.each([
    ["a program", RUN, "compiled/program"],
    ["a provider", PROVIDER, "compiled/provider"],
    ["another one", "node_modules/typescript/bin", undefined],
  ])("%s keeps all of its modules in a folder of its own", (_, place, kept) => {
    const said = printed(place, "--title=given", 'console.log(process.title, require("node:module").getCompileCacheDir() ?? "none")');
    expect(said.startsWith(`given ${kept === undefined ? "none" : join(folder, ".cache/pulumi-ovn", kept)}`)).toBe(true);
  });

  const options = `console.log(require("node:child_process").execFileSync(process.execPath, ["-p", "JSON.stringify(process.env.NODE_OPTIONS)"], { encoding: "utf8" }))`;
  it.each([RUN, PROVIDER])("pass no option of ours to what they start: %s", (place) => {
    expect(printed(place, "--title=given", options)).toBe('"--title=given"');
    expect(printed(place, undefined, options)).toBe("undefined");
  });

  it("have it from one between, such as a Pulumi CLI that is a script", () => {
    expect(JSON.parse(printed("bin", "--title=given", options))).toBe(`--title=given --require ${JSON.stringify(preload)}`);
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
