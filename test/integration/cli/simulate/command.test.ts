import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { programs, switchPrograms } from "@pulumi-ovn/cli/testing";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { usageErrorOutput } from "../../../support/command-line";
import { type Declared, partsOf, previewBetween } from "../../../support/planned";
import { pulumiOvn } from "../../../support/pulumi-ovn";
import { shopVpc, SQL } from "../../../support/shop-vpc";
import { until } from "../../../support/until";
import { vpcPreview } from "../../../support/vpc-preview";

jest.setTimeout(120_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "simulate-"));
  await mkdir(join(folder, "t"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const outside = (last: number) => ({ addresses: [`172.18.0.${last}/24`], nextHops: ["172.18.0.1"] });
/** Without its gateways. */
const network = (workload: string): Declared[] =>
  partsOf({
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: { switch: 16715779, router: 16715780 },
    nodes: { node1: { id: 2, external: outside(11) }, node2: { id: 3, external: outside(12) } },
    workloads: { vm1: { node: "node1", addresses: ["203.203.0.21"] }, [workload]: { node: "node2", addresses: ["203.203.0.22"] } },
  }).filter(({ kind }) => !kind.includes("Gateway"));

async function preview(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
const environment = () => ({ TMPDIR: join(folder, "t") });
const simulate = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => pulumiOvn(["simulate", ...args], { ...environment(), ...more });

it("shows a workload with a hostile name as code, in a network without a gateway", async () => {
  const file = await preview("hostile.json", await previewBetween(network("a|<b>"), network("vm2")));
  const { code, stdout, stderr } = await simulate(["--preview", file, "--markdown"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("- `a|<b>` to `vm1`: icmp IPv4; `a|<b>` is removed\n");
  expect(stdout).toContain("- `vm1` to `vm2`: icmp IPv4; `vm2` is new\n");
});

it("writes a page with the path of a connection that the plan breaks", async () => {
  const acl = (priority: number, match: string, action: string) => ({
    table: "ACL",
    columns: { direction: "to-lport", priority, match, action },
    parent: { table: "Logical_Switch", row: "blue_ovn_layer2_switch", column: "acls" },
  });
  const admin = acl(1001, 'ip4.src == 203.203.0.21 && outport == "vm2" && tcp.dst == 22', "allow-related");
  const rules = (priority: number): Declared[] =>
    ["node1", "node2"].map((zone) => {
      const entries = { admin, drop: acl(priority, 'outport == "vm2" && tcp.dst == 22', "drop") };
      return { kind: "NorthboundRows", name: `rules-${zone}`, args: { zone, entries } };
    });
  const [before, after] = [1000, 1002].map((priority) => [...network("vm2"), ...rules(priority)]);
  const file = await preview("lost.json", await previewBetween(before!, after!));
  const [out, drawn] = [join(folder, "lost.html"), join(folder, "lost.svg")];
  const { code, stdout, stderr } = await simulate(["--preview", file, "--html", out, "--svg", drawn]);
  expect([code, stderr]).toEqual([0, ""]);
  const lost = 'vm1 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" decides';
  expect(stdout).toContain(`\nLost\n  ${lost}\n`);
  const html = (await readFile(out, "utf8")).replaceAll("&quot;", '"');
  expect(html).toContain(`<h3>Lost</h3><ul><li>${lost}<ul>`);
  expect([...html.matchAll(/<button data-way="\d"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
    "before: vm1 → switch of blue → vm2: delivered to vm2 in node2",
    expect.stringMatching(/^after: vm1 → switch of blue: lost: dropped in table ls_out_acl_\w+ of blue_ovn_layer2_switch$/),
  ]);
  const changes = html.split('id="side-changes"')[1]!.split("</svg>")[0]!;
  expect(changes.match(/<g class="way" data-way="0">.*?<\/g>/)?.[0].match(/<rect/g)).toHaveLength(3);
  expect(changes).toMatch(/<g class="way" data-way="1">.*✕ lost<\/text><\/g>/);
  expect(await readFile(drawn, "utf8")).toMatch(/<g class="way" data-way="1">.*>B2<.*✕ lost<\/text><\/g>[^]*>A before: vm1 → switch of blue/);
});

it("shows effects after rows in one document of diff, within its limit", async () => {
  const file = join(folder, "lost.json");
  const diff = (...args: string[]) => pulumiOvn(["diff", file, "--simulate", ...args], environment());
  const { code, stdout, stderr } = await diff("--markdown");
  expect([code, stderr]).toEqual([0, ""]);
  const lost = '- Lost: `vm1` to `vm2`: tcp 22 IPv4; `ACL drop of NorthboundRows "rules-node2"` decides\n';
  expect(stdout).toMatch(/^### `trial\/dev`: 2 zones, 2 rows changed\n/);
  expect(stdout.slice(stdout.indexOf("\n**Packets"))).toContain(`\n**Packets take another way (8 connections simulated)**\n\n${lost}`);
  const json = JSON.parse((await diff("--json")).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({ questions: 8, judged: [], effects: [{ kind: "lost", from: ["vm1"], to: ["vm2"] }], omitted: null });
});

it("finds a connection that a wider drop breaks where no ACL is stateful", async () => {
  const drop = (only: string): Declared => ({
    kind: "NorthboundRows",
    name: "rules",
    args: {
      zone: "node2",
      entries: {
        drop: {
          table: "ACL",
          columns: { direction: "to-lport", priority: 1000, match: `outport == "vm2" && tcp.dst == 22${only}`, action: "drop" },
          parent: { table: "Logical_Switch", row: "blue_ovn_layer2_switch", column: "acls" },
        },
      },
    },
  });
  const [before, after] = [" && ip4.src == 203.203.0.99", ""].map((only) => [...network("vm2"), drop(only)]);
  const file = await preview("wider.json", await previewBetween(before!, after!));
  expect((await simulate(["--preview", file])).stdout).toContain("\nLost\n  vm1 to vm2: tcp 22 IPv4; ");
});

it("answers for a stack without workloads", async () => {
  const file = await preview("empty.json", JSON.stringify({ steps: [] }));
  expect(await simulate(["--preview", file])).toEqual({ code: 0, stdout: "/: No packet takes another way (0 connections simulated)\n", stderr: "" });
});

it("omits resources with secrets and unknown arguments, and names them", async () => {
  const steps = (JSON.parse(await previewBetween(network("vm2"), network("vm2"))) as { steps: { urn: string; newState: { inputs: { rows: unknown } } }[] })
    .steps;
  const ports = steps.find(({ urn }) => urn.endsWith("blue-workloads-node1"))!;
  const hidden = {
    ...ports,
    op: "update",
    newState: { ...ports.newState, inputs: { ...ports.newState.inputs, rows: { hidden: "the arguments hold a secret" } } },
  };
  const file = await preview("secret.json", JSON.stringify({ steps: steps.map((step) => (step === ports ? hidden : step)) }));
  const { code, stdout } = await simulate(["--preview", file]);
  expect(code).toBe(0);
  expect(stdout).toContain('zone node1: WorkloadPorts "blue-workloads-node1" is left out: its arguments are hidden as secrets\n');
});

it.each([
  [["--explain", "vm1"], "--explain needs FROM and TO"],
  [["--explain", "vm1", "vm2", "--html", "x"], "--explain or --html, not both"],
  [["--explain", "vm1", "vm2", "--svg", "x"], "--explain or --svg, not both"],
  [["--markdown", "--json"], "--markdown or --json, not both"],
  [["here"], 'unexpected argument "here"; a preview in a file is --preview FILE'],
])("refuses %j", async (args, message) => {
  expect(await simulate(args)).toEqual({ code: 2, stdout: usageErrorOutput(args, message), stderr: `pulumi-ovn simulate: OVN_USAGE: ${message}\n` });
});

const unchanged = async () => preview("unchanged.json", await previewBetween(network("vm2"), network("vm2")));

it.each([
  ["vm1", "vm3", 'from "vm1" to "vm3"; did you mean "vm2"?'],
  ["vm1", "192.0.2.1", 'from "vm1" to "192.0.2.1"; known: "vm2", "outside"'],
  ["elsewhere", "vm2", 'from "elsewhere"; known: "vm1", "vm2"'],
])("explains nothing from %s to %s", async (from, to, text) => {
  const { code, stderr } = await simulate(["--preview", await unchanged(), "--explain", from, to]);
  expect([code, stderr]).toEqual([2, `pulumi-ovn simulate: OVN_USAGE: no packet is simulated ${text}\n`]);
});

it("reports what to install where OVN's programs are missing", async () => {
  const missing = { PATH: "/usr/bin:/bin", PULUMI_OVN_CACHE: folder };
  const { code, stderr } = await simulate(["--preview", await unchanged()], missing);
  // A machine can have them in the folders of its packages.
  if (code === 0) return;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^pulumi-ovn simulate: OVN_PROGRAMS: simulate runs ovn-northd and ovn-trace, and this machine has no OVN programs; install .*\n$/),
  ]);
});

it.each([
  ["24.03.2", /^\S+ovn-northd 24\.03\.2, which is too old; install /],
  ["", /^\S+ovn-northd, which does not print its release; install /],
  [undefined, /^no ovn-northd; install /],
])("names an ovn-northd that is too old, or missing: %j", async (release, message) => {
  const old = join(folder, `release-${release}`, "bin");
  await mkdir(join(old, "../share/ovn"), { recursive: true });
  await mkdir(old, { recursive: true });
  await writeFile(join(old, "../share/ovn/ovn-nb.ovsschema"), "");
  for (const name of ["ovsdb-server", "ovsdb-tool", "ovn-trace", ...(release === undefined ? [] : ["ovn-northd"])])
    await writeFile(join(old, name), `#!/bin/sh\necho "${name} ${release}"\n`, { mode: 0o755 });
  const { code, stdout, stderr } = await simulate(["--preview", await unchanged()], { PATH: `${old}:/usr/bin:/bin`, PULUMI_OVN_CACHE: folder });
  // A machine can have it in the folders of its packages.
  if (release === undefined && code === 0) return;
  const [start, found] = stderr.split("and this machine has ");
  expect([code, stdout, start]).toEqual([1, "", "pulumi-ovn simulate: OVN_PROGRAMS: simulate runs ovn-northd and ovn-trace, "]);
  expect(found).toMatch(message);
});

it("refuses a state instead of a preview", async () => {
  const file = await preview("state.json", JSON.stringify({ version: 3, deployment: { resources: [] } }));
  const { code, stdout, stderr } = await simulate(["--preview", file]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^pulumi-ovn simulate: OVN_PREVIEW: .*\n$/);
});

it("shows the errors of a preview that failed", async () => {
  const urn = "urn:pulumi:dev::trial::ovn:network:Vpc::shop";
  const diagnostics = [
    { severity: "error", urn, message: '\u001b[31merror: \u001b[0man intent of Vpc "shop" can\'t be made:\nto: "ap1" is not one of app1' },
    { severity: "warning", urn, message: "warning: something else" },
  ];
  const file = await preview("failed.json", JSON.stringify({ steps: [], diagnostics }));
  const errors = 'error (shop): an intent of Vpc "shop" can\'t be made:\n  to: "ap1" is not one of app1';
  expect(await simulate(["--preview", file])).toEqual({
    code: 1,
    stdout: "",
    stderr: `pulumi-ovn simulate: OVN_PREVIEW_FAILED: the preview has errors; the plan is not complete\n${errors}\n`,
  });
});

const ofSimulation = async (): Promise<string[]> => {
  const commands = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(commands)).filter((command) => command.includes(join(folder, "t")));
};

const removed = () => previewBetween(network("vm2"), network("vm3"));
const ofVpc = async () => {
  const db1 = { tier: "db", host: "h1", mac: "0a:00:00:00:00:01", addresses: ["10.1.2.11"] };
  return JSON.stringify(vpcPreview([shopVpc({ db1 }, [SQL])], [shopVpc({ db1 }, [])]));
};

/** A folder of OVN's and Open vSwitch's programs, one of which ends at its start. */
async function brokenPrograms(name: string): Promise<NodeJS.ProcessEnv> {
  const { paths, schemas } = await programs();
  const { paths: switchPaths, schema } = switchPrograms();
  const bin = join(await mkdtemp(join(folder, "broken-")), "bin");
  await mkdir(join(bin, "../usr/share"), { recursive: true });
  await mkdir(bin);
  await symlink(dirname(schema), join(bin, "../usr/share/openvswitch"));
  const script = `#!/bin/sh\n[ "$1" = --version ] && exec echo ${name} 25.03.2\necho "a library is missing" >&2\nexit 1\n`;
  for (const [each, path] of Object.entries({ ...switchPaths, ...paths }))
    await (each === name ? writeFile(join(bin, each), script, { mode: 0o755 }) : symlink(path, join(bin, each)));
  return { PATH: `${bin}:/usr/bin:/bin`, PULUMI_OVN_CACHE: folder, OVN_PKGDATADIR: schemas };
}

it.each([
  ["ovsdb-server", 'zone "node', removed],
  ["ovn-northd", 'zone "node', removed],
  ["ovn-trace", 'zone "node', removed],
  ["ovsdb-server", 'host "h', ofVpc],
  ["ovs-vswitchd", 'host "h', ofVpc],
])(
  "ends when %s ends early in the shadow of %s, with its last line",
  async (name, owner, plan) => {
    const broken = await brokenPrograms(name);
    expect(await simulate(["--preview", await preview("ending.json", await plan())], broken)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pulumi-ovn simulate: OVN_SIMULATE: ${name} failed in the shadow of ${owner}\\d": a library is missing\\n$`)),
    });
    // Less than a program that runs may take to start.
  },
  25_000,
);

/** The programs run for long enough to be seen on a busy machine; northd does not. */
it.each([
  ["ovsdb-server", removed],
  ["ovn-trace", removed],
  ["ovs-vswitchd", ofVpc],
])("leaves no process and no file when it is killed while %s runs", async (program, plan) => {
  const file = await preview("killed.json", await plan());
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "simulate", "--preview", file], {
      env: { ...process.env, ...environment() },
      stdio: "ignore",
    });
  let signal: NodeJS.Signals | null = null;
  // On a busy machine the command may end before this test sees the program or kills it.
  while (signal === null) {
    const child = start();
    const exit = once(child, "exit");
    await until(async () => child.exitCode !== null || (await ofSimulation()).some((command) => command.includes(program)));
    child.kill("SIGKILL");
    [, signal] = (await exit) as [number | null, NodeJS.Signals | null];
  }
  await until(async () => (await ofSimulation()).length === 0 && (await readdir(join(folder, "t"))).length === 0);
});
