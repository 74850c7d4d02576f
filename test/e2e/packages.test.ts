import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { projectRoot, pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/testing";

jest.setTimeout(600_000);

// Here Pulumi's package is loaded, and programs are compiled, as its users have it.
delete process.env["NODE_OPTIONS"];
delete process.env["PULUMI_NODEJS_TRANSPILE_ONLY"];

const PACKAGES = ["ovsdb-client", "provider", "agent", "cli", "sdk", "policies"];

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

const installedFile = (path: string) => join(projectRoot, "node_modules", path);
/** How each package manager installs, and how it installs exactly what its lock file has. */
const MANAGERS: Readonly<Record<string, { readonly file: string; readonly install: readonly string[]; readonly ci: readonly string[] }>> = {
  npm: {
    file: "npm",
    install: ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
    ci: ["ci", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
  },
  pnpm: { file: installedFile("pnpm/bin/pnpm.cjs"), install: ["install", "--ignore-scripts"], ci: ["install", "--frozen-lockfile", "--ignore-scripts"] },
  yarn: { file: installedFile("yarn/bin/yarn.js"), install: ["install", "--ignore-scripts"], ci: ["install", "--frozen-lockfile", "--ignore-scripts"] },
  berry: { file: installedFile("yarn-berry/bin/yarn.js"), install: ["install"], ci: ["install", "--immutable"] },
};

/** Downloads go to the test's own folder. */
const caches = () => ({
  npm_config_store_dir: join(folder, "store"),
  YARN_CACHE_FOLDER: join(folder, "yarn-cache"),
  YARN_GLOBAL_FOLDER: join(folder, "yarn-global"),
  YARN_NODE_LINKER: "node-modules",
  YARN_ENABLE_TELEMETRY: "0",
  YARN_ENABLE_SCRIPTS: "0",
});

/** The commands that the README has a newcomer type, one a line. */
async function firstStack(): Promise<readonly string[]> {
  const page = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, block] = /^## Your first stack$[^]*?\n\n((?: {4}.*\n)+)/m.exec(page)!;
  return block!
    .split("\n")
    .map((line) => line.trim().replace(/ +#.*/, ""))
    .filter(Boolean);
}

/** Makes the project of the README, commits it, and returns a clone of it as a pipeline has it: installed from its lock file. */
async function cloned(name: string): Promise<string> {
  const { file, install, ci } = MANAGERS[name]!;
  const [home, project] = [join(folder, `home-${name}`), join(folder, `clone-${name}`)];
  await mkdir(join(home, "state"), { recursive: true });
  // CI=false: yarn 4 creates no lock file where CI is set, also by another variable of a pipeline.
  const env = { ...pulumiEnvironment(await pulumiFolder(() => undefined), home), ...caches(), CLONE: projectRoot, CI: "false" };
  const lines = (await firstStack()).map((line) => (line === "npm install" ? [file, ...install].join(" ") : line));
  await run("sh", ["-ec", lines.join("\n")], home, env);
  const made = join(home, "my-network");
  const git = (...args: string[]) => run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], made);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=First");
  await git("clone", "--quiet", made, project);
  await run(file, ci, project, { ...env, CI: "true" });
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

it("packs all that a user needs, without references to other places", async () => {
  expect(packed.map(({ name }) => name).sort()).toEqual([
    "@pulumi-ovn/agent",
    "@pulumi-ovn/cli",
    "@pulumi-ovn/ovsdb-client",
    "@pulumi-ovn/policies",
    "@pulumi-ovn/provider",
    "pulumi-ovn",
  ]);
  expect(new Set(packed.map(({ version }) => version)).size).toBe(1);
  for (const { name, files, filename } of packed) {
    const paths = files.map(({ path }) => path);
    expect({ name, lacks: ["LICENSE", "README.md", "package.json"].filter((file) => !paths.includes(file)) }).toEqual({ name, lacks: [] });
    expect(
      paths.filter(
        (path) => !/^(dist\/|bin\/|systemd\/|LICENSE$|README\.md$|PulumiPolicy\.yaml$|package\.json$)/.test(path) || /\.map$|\.test\.|tsbuildinfo/.test(path),
      ),
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
  await run("npm", ["--prefix", projectRoot, "run", "--silent", "vendor", "--", ".", "agent"], host);
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], host);
  const installedNames = (await run("npm", ["ls", "--all", "--parseable"], host)).stdout;
  expect(installedNames).toContain("node_modules/@pulumi-ovn/agent");
  expect(installedNames).not.toMatch(/node_modules\/@(?:pulumi|kubernetes)\//);
  expect(await readdir(join(host, "node_modules/@pulumi-ovn/agent/systemd"))).toEqual([
    "pulumi-ovn-agent.service",
    "pulumi-ovn-agents.service",
    "pulumi-ovn-vpc-agent.service",
  ]);
  // They run, and find that the endpoint is another database.
  const runs = async (program: string, ...args: string[]) =>
    (
      await run(join(host, "node_modules/.bin", program), ["--once", "--openvswitch", central.northbound, ...args], host).catch(({ message }: Error) => ({
        stderr: message,
      }))
    ).stderr;
  expect(await runs("pulumi-ovn-vpc-agent", "--folder", host)).toMatch(/pulumi-ovn-vpc-agent: OVSDB_\w+: .*Open_vSwitch/s);
  expect(await runs("pulumi-ovn-agent", "--bgp", "--vpc", "--folder", host)).toMatch(/pulumi-ovn-agent: OVSDB_\w+: .*Open_vSwitch/s);
});

const CJS = {
  "package.json": '{"type":"commonjs"}',
  "index.js": `const ovn = require("pulumi-ovn");\nconst sw = ${layer2Switch("one")}\nexports.uuid = sw.uuid;\n`,
};
const ESM = {
  "package.json": '{"type":"module","main":"index.js"}',
  "index.js": `import * as ovn from "pulumi-ovn";\nimport { Layer2Switch } from "pulumi-ovn";\nconst sw = ${layer2Switch("one")}\n${layer2Switch("two", "Layer2Switch", 6)}\nexport const uuid = sw.uuid;\n`,
};

it.each([
  ["npm", CJS, ["one"]],
  ["pnpm", ESM, ["one", "two"]],
  ["yarn", CJS, ["one"]],
  ["berry", ESM, ["one", "two"]],
] as const)("is one tarball in the user's repository, which a fresh clone installs by %s", async (manager, program, names) => {
  const project = await cloned(manager);
  expect(await readdir(join(project, "vendor"))).toEqual([expect.stringMatching(/^pulumi-ovn-\d+\.\d+\.\d+-[\da-f]{8}\.tgz$/)]);
  const pulumi = await stack(project, "program", { "Pulumi.yaml": PROJECT(`by-${manager}`), ...program });
  await livesAndGoes(pulumi, ...names);

  const npx = async (...args: string[]) => (await run("npx", ["--no-install", ...args], project)).stdout;
  expect((await npx("pulumi-ovn", "--version")).trim()).toBe(packed[0]!.version);
  const client = `require("pulumi-ovn/ovsdb-client").connect("${central.northbound}", { database: "OVN_Northbound" }).then(async (nb) => {
    console.log((await nb.select("NB_Global", { columns: ["_uuid"] })).length);
    await nb.close();
  });`;
  expect((await run(process.execPath, ["--eval", client], project)).stdout).toBe("1\n");
  await npx("tsc", "--project", ".");
  await writeFile(
    join(project, "index.ts"),
    `${await readFile(join(project, "index.ts"), "utf8")}\nexport type { OVN_Northbound } from "pulumi-ovn/ovsdb-client";\n`,
  );
  await npx("tsc", "--project", ".", "--module", "esnext", "--moduleResolution", "bundler");
});

it("has a template whose preview connects to no zone", async () => {
  const project = join(folder, "clone-npm");
  const unreachable = (node: string) => ({ northbound: `unix:/nowhere/${node}-nb.sock`, southbound: `unix:/nowhere/${node}-sb.sock` });
  const name = "template";
  await mkdir(join(project, name));
  for (const file of ["Pulumi.yaml", "index.ts", "tsconfig.json"]) await cp(join(project, file), join(project, name, file));
  const template = await stack(project, name, { "targets.yaml": JSON.stringify({ zones: { node1: unreachable("node1"), node2: unreachable("node2") } }) });
  expect(await template("preview")).toMatch(/Layer2Network/);
});

it("replaces the tarball of an earlier build, which has another name", async () => {
  const project = join(folder, "clone-npm");
  await writeFile(join(project, "vendor/pulumi-ovn-0.1.9-00000000.tgz"), "");
  await writeFile(join(project, "vendor/others-1.0.0.tgz"), "");
  const before = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { dependencies: Record<string, string> };
  await run("npm", ["--prefix", projectRoot, "run", "--silent", "vendor", "--", "."], project);
  expect(JSON.parse(await readFile(join(project, "package.json"), "utf8"))).toEqual(before);
  expect((await readdir(join(project, "vendor"))).map((file) => `file:vendor/${file}`).sort()).toEqual([
    "file:vendor/others-1.0.0.tgz",
    before.dependencies["pulumi-ovn"],
  ]);
});
