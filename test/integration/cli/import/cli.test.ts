import { createServer, type Server } from "node:net";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { pulumiOvn } from "../../../support/pulumi-ovn";
import { TestZones } from "../../../support/zones";

let zones: TestZones;
let folder: string;
let out: string;
let silent: Server;
beforeAll(async () => {
  zones = await TestZones.start(["full", "empty", "other"], { northd: false });
  await zones.nbctl("full", "ls-add", "sw0", "--", "lr-add", "r0");
});
afterAll(async () => zones?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ovn-import-"));
  out = join(folder, "out");
  silent = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => silent.listen(join(folder, "silent.sock"), resolve));
});
afterEach(async () => {
  await new Promise((resolve) => silent.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const names = ["--stack", "dev", "--project", "net"];
const run = (args: readonly string[], configured: object = zones.config) => pulumiOvn(args, { PULUMI_OVN_ZONES: JSON.stringify(configured) }, folder);
const importing = (more: readonly string[] = [], configured?: object) => run(["import", "--out", out, ...names, ...more], configured);

async function refused(result: Awaited<ReturnType<typeof run>>, code: number, message: string | RegExp): Promise<void> {
  expect(result).toMatchObject({ code, stdout: "" });
  if (typeof message === "string") expect(result.stderr).toBe(`${message}\n`);
  else expect(result.stderr).toMatch(message);
  await expect(readdir(out)).rejects.toMatchObject({ code: "ENOENT" });
}

describe("pulumi-ovn", () => {
  it("prints the usage", async () => {
    for (const args of [["--help"], ["help"], ["-h"]])
      expect(await run(args)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage: pulumi-ovn COMMAND[^]*\n {2}import +write a stack program/),
        stderr: "",
      });
    for (const args of [
      ["import", "--help"],
      ["import", "--zones", "x", "-h"],
    ])
      expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: pulumi-ovn import --out DIR/), stderr: "" });
  });

  it("reports a usage error for unknown words", async () => {
    expect(await run([])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^Usage: /) });
    expect(await run(["improt"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^pulumi-ovn: there is no command "improt"; did you mean "import"\?\n\nUsage: /),
    });
    await refused(await importing(["--zone", "full"]), 2, 'pulumi-ovn import: OVN_USAGE: there is no option "--zone"; did you mean "--zones"?');
  });
});

describe("pulumi-ovn import", () => {
  it("writes a program, an import file, a report and a project's files", async () => {
    const { code, stdout, stderr } = await importing(["--zones", "full"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`${await readFile(join(out, "report.txt"), "utf8")}\n2 resources of stack dev, written to ${out}\n`);
    expect((await readdir(out)).sort()).toEqual([
      ".gitignore",
      "Pulumi.dev.yaml",
      "Pulumi.yaml",
      "import.json",
      "index.ts",
      "package.json",
      "report.txt",
      "targets.dev.yaml",
      "tsconfig.json",
    ]);
    expect(await readFile(join(out, "Pulumi.yaml"), "utf8")).toBe("name: net\nruntime: nodejs\n");
    // The zones that were read, readable only by the owner.
    expect(Object.keys((parse(await readFile(join(out, "targets.dev.yaml"), "utf8")) as { zones: object }).zones)).toEqual(["full"]);
    expect((await stat(join(out, "targets.dev.yaml"))).mode & 0o777).toBe(0o600);
    const { resources } = JSON.parse(await readFile(join(out, "import.json"), "utf8")) as {
      resources: { type: string; name: string; id: string; inputs: Record<string, unknown>; outputs: Record<string, unknown> }[];
    };
    const uuid = await zones.nbctl("full", "get", "logical_switch", "sw0", "_uuid");
    const { type, name, inputs, outputs } = resources.find((resource) => resource.name === "full-sw0")!;
    const common = {
      zone: "full",
      entries: { sw0: { table: "Logical_Switch", columns: { name: "sw0" } } },
      owner: "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:NorthboundRows::full-sw0",
      adopted: { "Logical_Switch sw0": uuid },
      uuids: { sw0: uuid },
      digest: expect.any(String),
      __provider: 'exports.handler=()=>require("pulumi-ovn/runtime").provider("NorthboundRows")',
    };
    expect([type, name]).toEqual(["pulumi-nodejs:dynamic/ovn:NorthboundRows", "full-sw0"]);
    expect(outputs).toEqual({ ...common, revision: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(inputs).toEqual({ ...common, rows: { "Logical_Switch sw0": "" } });
    expect(inputs.digest).toBe(outputs.digest);
  });

  it("reads zones, stack and project from a stack's files", async () => {
    await writeFile(join(folder, "Pulumi.yaml"), "name: fabric\nruntime: nodejs\n");
    await writeFile(join(folder, "Pulumi.prod.yaml"), "config:\n  ovn:targets: prod.yaml\n");
    await writeFile(join(folder, "prod.yaml"), `zones:\n  full:\n    northbound: ${zones.config.full!.northbound}\n`);
    const result = await pulumiOvn(["import", "--out", out, "--config", join(folder, "Pulumi.prod.yaml")]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(join(out, "import.json"), "utf8")).toContain("urn:pulumi:prod::fabric::");
    expect(await readFile(join(out, "Pulumi.yaml"), "utf8")).toBe("name: fabric\nruntime: nodejs\n");
    const other = await pulumiOvn(["import", "--out", out, "--force", "--cwd", folder, "--stack", "prod", "--json"]);
    expect([other.code, other.stderr, JSON.parse(other.stdout)]).toEqual([
      0,
      "",
      { version: 1, project: "fabric", stack: "prod", resources: 2, out, kept: expect.arrayContaining(["Pulumi.prod.yaml"]) as string[] },
    ]);
  });

  it("refuses missing settings", async () => {
    await refused(await run(["import", ...names]), 2, "pulumi-ovn import: OVN_USAGE: --out DIR is required");
    await refused(
      await run(["import", "--out", out, "--project", "net"]),
      2,
      "pulumi-ovn import: OVN_USAGE: --stack is required: name it, or name its configuration Pulumi.STACK.yaml",
    );
    await refused(
      await run(["import", "--out", out, "--stack", "dev"]),
      2,
      "pulumi-ovn import: OVN_USAGE: --project is required: name it, or run this where Pulumi.yaml is",
    );
    await refused(await run(["import", "--out", out, "--stack", "a b", "--project", "net"]), 2, /--stack "a b" is not a name of a stack/);
    await refused(
      await importing([], {}),
      2,
      "pulumi-ovn import: OVN_USAGE: there are no zones: pass --config Pulumi.STACK.yaml with ovn:targets, or set PULUMI_OVN_TARGETS or PULUMI_OVN_ZONES",
    );
    await refused(await importing(["--zones", "full,"]), 2, "pulumi-ovn import: OVN_USAGE: --zones has an empty name");
    await refused(
      await importing(["--config", join(folder, "Pulumi.none.yaml")]),
      1,
      /^pulumi-ovn import: OVN_CONFIG: can't read the stack configuration \S+Pulumi\.none\.yaml: ENOENT/,
    );
    await writeFile(join(folder, "Pulumi.bad.yaml"), "config: [");
    await refused(await importing(["--config", join(folder, "Pulumi.bad.yaml")]), 1, /^pulumi-ovn import: OVN_CONFIG: can't read the stack configuration/);
    await refused(await importing([], { full: { northbound: "http://x" } }), 1, /^pulumi-ovn import: OVN_TARGETS: .*full\.northbound: .*must start with unix:/);
  });

  it("refuses unknown, empty, silent, unreachable and wrong zones, and imports none of the others", async () => {
    await refused(
      await importing(["--zones", "full,nowhere"]),
      1,
      'pulumi-ovn import: OVN_ZONE: zone "nowhere" is not configured; the targets have full, empty, other',
    );
    await refused(
      await importing(["--zones", "full,empty"]),
      1,
      /^pulumi-ovn import: OVN_NOTHING_TO_IMPORT: zone "empty" has nothing to import: its Northbound database has no rows of networks; leave it out of --zones \(\d rows? in all\)\n$/,
    );
    const full = zones.config.full!;
    await refused(
      await importing([], { full, gone: { northbound: `unix:${folder}/none.sock`, timeout: 1 } }),
      1,
      /^pulumi-ovn import: OVSDB_CONNECTION: zone "gone": .*none\.sock/,
    );
    await refused(
      await importing([], { full, silent: { northbound: `unix:${folder}/silent.sock`, timeout: 1 } }),
      1,
      /^pulumi-ovn import: OVSDB_\w+: zone "silent": .*silent\.sock/,
    );
    await refused(await importing([], { wrong: { northbound: full.southbound } }), 1, /^pulumi-ovn import: OVSDB_\w+: zone "wrong": .*OVN_Northbound/);
    await refused(await importing([], { south: { southbound: full.southbound } }), 1, /^pulumi-ovn import: OVN_ZONE: zone "south" has no northbound endpoint/);
  });

  it("writes to an empty folder only, unless forced", async () => {
    const at = join(folder, "kept");
    await zones.nbctl("full", "init");
    expect((await run(["import", "--out", at, ...names, "--zones", "full"])).code).toBe(0);
    await writeFile(join(at, "Pulumi.yaml"), "name: mine\n");
    await writeFile(join(at, "index.ts"), "mine");
    expect(await run(["import", "--out", at, ...names, "--zones", "full"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `pulumi-ovn import: OVN_OUT: ${at} is not empty; name another folder, or pass --force\n`,
    });
    expect(await readFile(join(at, "index.ts"), "utf8")).toBe("mine");
    await writeFile(join(at, "Pulumi.dev.yaml"), "config: {}\n");
    await rm(join(at, "targets.dev.yaml"));
    await rm(join(at, "package.json"));
    const forced = await run(["import", "--out", at, ...names, "--zones", "full", "--force"]);
    expect(forced).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nkept as they were: Pulumi\.yaml, Pulumi\.dev\.yaml, tsconfig\.json, \.gitignore\n$/),
    });
    expect(await readdir(at)).toContain("package.json");
    // Its own configuration names the targets.
    expect(await readdir(at)).not.toContain("targets.dev.yaml");
    expect(await readFile(join(at, "Pulumi.dev.yaml"), "utf8")).toBe("config: {}\n");
    expect(await readFile(join(at, "index.ts"), "utf8")).toContain("full-sw0");
    expect(await readFile(join(at, "Pulumi.yaml"), "utf8")).toBe("name: mine\n");
    await rm(join(at, "Pulumi.dev.yaml"));
    await rename(join(at, "Pulumi.yaml"), join(at, "Pulumi.yml"));
    const beside = () => run(["import", "--out", at, ...names, "--zones", "full", "--force"]);
    expect(await beside()).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nkept as they were: Pulumi\.yml, package\.json, /) });
    // Pulumi reads the configuration with the extension of its project's own file.
    const projectFiles = async () => (await readdir(at)).filter((name) => /^(Pulumi|targets)\b/.test(name)).sort();
    expect(await projectFiles()).toEqual(["Pulumi.dev.yml", "Pulumi.yml", "targets.dev.yaml"]);
    await writeFile(join(at, "Pulumi.dev.yml"), "config: {}\n");
    await rm(join(at, "targets.dev.yaml"));
    expect(await beside()).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nkept as they were: Pulumi\.yml, Pulumi\.dev\.yml, /) });
    expect(await projectFiles()).toEqual(["Pulumi.dev.yml", "Pulumi.yml"]);
    await writeFile(join(at, "Pulumi.yml"), "name: mine\nstackConfigDir: stacks\n");
    expect(await beside()).toMatchObject({ code: 0 });
    expect(parse(await readFile(join(at, "stacks/Pulumi.dev.yml"), "utf8"))).toEqual({ config: { "ovn:targets": "targets.dev.yaml" } });
    expect(await run(["import", "--out", join(at, "index.ts"), ...names, "--zones", "full"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pulumi-ovn import: OVN_OUT: can't write to \S+index\.ts: ENOTDIR/),
    });
  });
});
