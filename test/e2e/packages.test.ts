import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Central, startCentral } from "../../sandbox";
import { projectRoot, pulumiEnvironment, pulumiFolder } from "../../sandbox/pulumi-cli";

jest.setTimeout(600_000);

// Here Pulumi's package is loaded, and programs are compiled, as its users have it.
delete process.env["NODE_OPTIONS"];
delete process.env["PULUMI_NODEJS_TRANSPILE_ONLY"];

const PACKAGES = ["ovsdb-client", "provider", "agent", "cli", "sdk"];

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: readonly Packed[];
let central: Central;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pulumi-ovn-packages-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...PACKAGES.map((name) => `--workspace=${name}`)], projectRoot);
  packed = Object.values(JSON.parse(stdout.slice(stdout.search(/[[{]/))) as Record<string, Packed> | Packed[]);
  central = await startCentral({ northd: false });
  await central.run("ovn-nbctl", ["init"]);
});
afterAll(async () => {
  await central?.stop();
  if (folder) await rm(folder, { recursive: true });
});

async function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<{ stdout: string; stderr: string }> {
  try {
    return await promisify(execFile)(file, args, { cwd, env, maxBuffer: 1e8 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} ${args.join(" ")} failed\n${stdout}\n${stderr}`);
  }
}

/** Dependencies by tarball: no registry has this release yet. */
const tarballs = () => Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]));

/** Installs the packed packages in a folder outside of the repository. */
async function installed(name: string, manager: "npm" | "pnpm"): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  const { ["pulumi-ovn"]: sdk, ...inner } = tarballs();
  const { devDependencies } = JSON.parse(await readFile(join(projectRoot, "templates/ovn-typescript/package.json"), "utf8")) as { devDependencies: object };
  const overrides = manager === "npm" ? { overrides: inner } : {};
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name, private: true, dependencies: { "pulumi-ovn": sdk, "@pulumi/pulumi": "^3.270.0" }, devDependencies, ...overrides }),
  );
  if (manager === "npm") await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], project);
  else {
    await writeFile(join(project, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["."], overrides: inner }));
    await run("npm", ["exec", "--yes", "--", "pnpm@10", "install", "--prefer-offline", "--ignore-scripts", "--store-dir", join(folder, "store")], project);
  }
  return project;
}

/** A stack in a folder below an installed project; returns how to run Pulumi there. */
async function stack(project: string, name: string, files: Readonly<Record<string, string>>): Promise<(...args: string[]) => Promise<string>> {
  const place = join(project, name);
  await mkdir(join(place, "state", "state"), { recursive: true });
  const all = {
    "targets.yaml": JSON.stringify({ zones: { node1: central.northbound } }),
    "Pulumi.dev.yaml": "config:\n  ovn:targets: targets.yaml\n",
    ...files,
  };
  for (const [file, text] of Object.entries(all)) await writeFile(join(place, file), text);
  const env = pulumiEnvironment(await pulumiFolder(() => undefined), join(place, "state"));
  const pulumi = async (...args: string[]) => (await run("pulumi", [...args, "--non-interactive", "--color=never", "--stack", "dev"], place, env)).stdout;
  await run("pulumi", ["stack", "init", "dev", "--non-interactive"], place, env);
  await writeFile(join(place, "Pulumi.dev.yaml"), all["Pulumi.dev.yaml"]);
  return pulumi;
}

const switches = async () => (await central.run("ovn-nbctl", ["--bare", "--columns=name", "list", "Logical_Switch"])).stdout.split("\n").filter(Boolean).sort();
const layer2Switch = (name: string, kind = "ovn.Layer2Switch", tunnelKey = 5) =>
  `new ${kind}("${name}", { zone: "node1", name: "${name}", subnets: ["203.203.0.0/16"], tunnelKey: ${tunnelKey} });`;
const PROJECT = (name: string) => `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`;

async function livesAndGoes(pulumi: (...args: string[]) => Promise<string>, ...names: string[]): Promise<void> {
  await pulumi("up", "--yes", "--skip-preview");
  expect(await switches()).toEqual(names);
  expect(await pulumi("preview", "--expect-no-changes")).toMatch(/unchanged/);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(await switches()).toEqual([]);
}

it("packs what a user needs, and nothing that points elsewhere", async () => {
  expect(packed.map(({ name }) => name).sort()).toEqual([
    "@pulumi-ovn/agent",
    "@pulumi-ovn/cli",
    "@pulumi-ovn/ovsdb-client",
    "@pulumi-ovn/provider",
    "pulumi-ovn",
  ]);
  expect(new Set(packed.map(({ version }) => version)).size).toBe(1);
  for (const { name, files, filename } of packed) {
    const paths = files.map(({ path }) => path);
    expect({ name, lacks: ["LICENSE", "README.md", "package.json"].filter((file) => !paths.includes(file)) }).toEqual({ name, lacks: [] });
    expect(
      paths.filter((path) => !/^(dist\/|bin\/|systemd\/|LICENSE$|README\.md$|package\.json$)/.test(path) || /\.map$|\.test\.|tsbuildinfo/.test(path)),
    ).toEqual([]);
    const { stdout } = await run("tar", ["-xOzf", join(folder, filename)], folder);
    expect(stdout).not.toContain("sourceMappingURL");
    expect(stdout).not.toContain(projectRoot);
    const manifest = JSON.parse((await run("tar", ["-xOzf", join(folder, filename), "package/package.json"], folder)).stdout) as Record<string, unknown>;
    expect(Object.keys(manifest)).toEqual(expect.arrayContaining(["repository", "keywords", "publishConfig", "license", "engines", "description"]));
  }
});

it("installs the agents without Pulumi and without the client of Kubernetes", async () => {
  const host = join(folder, "host");
  await mkdir(host);
  const { "@pulumi-ovn/agent": agent, ...inner } = tarballs();
  await writeFile(join(host, "package.json"), JSON.stringify({ name: "host", private: true, dependencies: { "@pulumi-ovn/agent": agent }, overrides: inner }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], host);
  const installedNames = (await run("npm", ["ls", "--all", "--parseable"], host)).stdout;
  expect(installedNames).toContain("node_modules/@pulumi-ovn/provider");
  expect(installedNames).not.toMatch(/node_modules\/@(?:pulumi|kubernetes)\//);
  // It runs: the folder of updates is empty, so there is nothing to restore.
  const { stderr } = await run(
    join(host, "node_modules/.bin/pulumi-ovn-vpc-agent"),
    ["--once", "--openvswitch", central.northbound, "--folder", host],
    host,
  ).catch(({ message }: Error) => ({ stderr: message }));
  expect(stderr).toMatch(/pulumi-ovn-vpc-agent: OVSDB_\w+: .*Open_vSwitch/s);
});

it("works from npm: CommonJS, TypeScript of the template, and the command", async () => {
  const project = await installed("by-npm", "npm");
  const cjs = await stack(project, "cjs", {
    "Pulumi.yaml": PROJECT("cjs"),
    "package.json": '{"type":"commonjs"}',
    "index.js": `const ovn = require("pulumi-ovn");\nconst sw = ${layer2Switch("from-cjs")}\nexports.uuid = sw.uuid;\n`,
  });
  await livesAndGoes(cjs, "from-cjs");

  const place = join(project, "typescript");
  const env = pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "new"));
  await mkdir(join(folder, "new", "state"), { recursive: true });
  await run(
    "pulumi",
    ["new", join(projectRoot, "templates/ovn-typescript"), "--dir", place, "--name", "mine", "--yes", "--force", "--generate-only", "--non-interactive"],
    project,
    env,
  );
  await run(join(project, "node_modules/.bin/tsc"), ["--project", place], place);
  const { northbound, southbound } = central;
  // A preview connects to neither zone.
  const both = { zones: { node1: { northbound, southbound }, node2: { northbound: "unix:/run/ovn/nb.sock", southbound: "unix:/run/ovn/sb.sock" } } };
  const template = await stack(project, "typescript", { "targets.yaml": JSON.stringify(both) });
  const preview = await template("preview");
  expect(preview).toMatch(/Layer2Network/);
  expect(JSON.parse(await readFile(join(place, "package.json"), "utf8"))).toMatchObject({ name: "mine", dependencies: { "pulumi-ovn": expect.any(String) } });

  const { stdout } = await run(join(project, "node_modules/.bin/pulumi-ovn"), ["--version"], project);
  expect(stdout.trim()).toBe(packed[0]!.version);
});

it("works from pnpm: ECMAScript modules", async () => {
  const project = await installed("by-pnpm", "pnpm");
  const esm = await stack(project, "esm", {
    "Pulumi.yaml": PROJECT("esm"),
    "package.json": '{"type":"module","main":"index.js"}',
    "index.js": `import * as ovn from "pulumi-ovn";\nimport { Layer2Switch } from "pulumi-ovn";\nconst sw = ${layer2Switch("from-esm")}\n${layer2Switch("by-name", "Layer2Switch", 6)}\nexport const uuid = sw.uuid;\n`,
  });
  await livesAndGoes(esm, "by-name", "from-esm");
});
