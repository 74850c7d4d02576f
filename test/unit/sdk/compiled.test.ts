import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledFolder } from "../../../provider/compiled";
import { isStartedByPulumi } from "../../../sdk/started-by-pulumi";

describe("the folder of compiled modules", () => {
  const home = () => "/home/me";

  it("is the user's own", () => {
    expect(compiledFolder({}, home)).toBe("/home/me/.cache/pulumi-ovn/modules");
    expect(compiledFolder({ XDG_CACHE_HOME: "" }, home)).toBe("/home/me/.cache/pulumi-ovn/modules");
    expect(compiledFolder({ XDG_CACHE_HOME: "/var/cache/me" }, home)).toBe("/var/cache/me/pulumi-ovn/modules");
  });

  it("is none where the user has no home", () => {
    const nobody = () => {
      throw new Error("ENOENT: no such file or directory, uv_os_homedir");
    };
    expect(compiledFolder({}, nobody)).toBeUndefined();
    expect(compiledFolder({ XDG_CACHE_HOME: "/var/cache/me" }, nobody)).toBe("/var/cache/me/pulumi-ovn/modules");
  });
});

describe("a process that keeps its modules compiled", () => {
  const source = join(__dirname, "../../../provider/compiled.ts");
  const program = `require(${JSON.stringify(source)}).keepCompiled(); require("./module.cjs"); console.log(require("node:module").getCompileCacheDir() ?? "none")`;
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
    expect(used.startsWith(join(folder, ".cache/pulumi-ovn/modules"))).toBe(true);
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

it.each<[string | undefined, boolean]>([
  ["/home/me/stack/node_modules/@pulumi/pulumi/cmd/run/index.js", true],
  ["/home/me/stack/node_modules/.pnpm/@pulumi+pulumi@3.270.0/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js", true],
  ["C:\\stack\\node_modules\\@pulumi\\pulumi\\cmd\\run\\index.js", true],
  ["/home/me/stack/node_modules/@pulumi/pulumi/cmd/run-policy-pack/index.js", false],
  ["/home/me/tool/cmd/run/index.js", false],
  [undefined, false],
])("%s is started by Pulumi: %s", (program, started) => {
  expect(isStartedByPulumi(program)).toBe(started);
});

/** Whatever was loaded before is compiled each time. */
it.each([
  ["index.ts", /^(?:\/\*\*.*\*\/\n)?import "\.\/require-node";\nimport "\.\/kept-compiled";\n/],
  ["runtime.ts", /^import "\.\/require-node";\nimport "\.\/kept-compiled";\n/],
  ["bin/pulumi-ovn.js", /keepCompiled\(\);\n\s*void require\("@pulumi-ovn\/cli"\)/],
])("%s keeps its modules compiled before it loads them", (file, beginning) => {
  expect(readFileSync(join(__dirname, "../../../sdk", file), "utf8")).toMatch(beginning);
});
