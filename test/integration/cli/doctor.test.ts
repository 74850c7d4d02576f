import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaries, type Sandbox, startCentral, up } from "@pulumi-ovn/sandbox";
import { commandLine } from "../../support/command-line";
import { TestCluster } from "../../support/kubernetes";
import { oldNorthbound } from "../../support/old-schema";
import { freePort, runProgram, standalone, temporaryFolder } from "../../support/ovsdb-server";
import { Authority } from "../../support/ovsdb-tls";
import { runFolder } from "../../support/sandbox-runs";

jest.setTimeout(120_000);

const run = runFolder();
process.env["PULUMI_OVN_RUN"] = run;

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ovn-doctor-"));
  await writeFile(join(folder, "Pulumi.yaml"), "name: trial\nruntime: nodejs\n");
  await writeFile(join(folder, "Pulumi.dev.yaml"), "config:\n  ovn:targets: targets.yaml\n");
  sandbox = await up({ name: "doctor", hosts: 2 });
});
afterAll(async () => {
  await sandbox?.down();
  rmSync(run, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

interface Finding {
  readonly target: string;
  readonly name: string;
  readonly subject: string;
  readonly state: string;
  readonly message: string;
}

async function doctor(targets: object): Promise<{ code: number; problems: string[]; notes: string[]; ok: string[] }> {
  await writeFile(join(folder, "targets.yaml"), JSON.stringify(targets));
  const { code, stdout, stderr } = await commandLine("doctor", "--cwd", folder, "--json");
  expect(stderr).toBe("");
  const { findings, problems } = JSON.parse(stdout) as { findings: Finding[]; problems: number };
  const of = (wanted: string) =>
    findings.filter(({ state }) => state === wanted).map(({ target, name, subject, message }) => `${target} ${name} ${subject}: ${message}`);
  expect(of("problem")).toHaveLength(problems);
  return { code, problems: of("problem"), notes: of("note"), ok: of("ok") };
}

const nbctl = async (place: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(place, ["ovn-nbctl", ...args]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
};

const contents = async (zone: string): Promise<string[]> => {
  const { northbound, southbound } = sandbox.zones[zone]!;
  const dumps = [
    [northbound, "OVN_Northbound"],
    [southbound, "OVN_Southbound"],
  ].map(async ([endpoint, database]) => (await sandbox.exec(zone, ["ovsdb-client", "dump", endpoint!, database!])).stdout);
  return Promise.all(dumps);
};

it("finds no problem in working zones and hosts, and changes nothing", async () => {
  for (const place of ["node1", "node2"]) await nbctl(place, "--wait=hv", "sync");
  const before = await contents("node1");
  const { zones, hosts } = sandbox.targets;
  const { code, problems, notes, ok } = await doctor({ zones, hosts });
  expect([code, problems]).toEqual([0, []]);
  expect(notes).toEqual(["zone node1 remote chassis: not there yet: node2", "zone node2 remote chassis: not there yet: node1"]);
  expect(ok).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^zone node1 northbound: unix:\S+: schema 7\.\d+\.\d+, read and write$/),
      "zone node1 release: OVN 25.03 or newer",
      expect.stringMatching(/^zone node1 northd: has translated change \d+, the last one that was asked for$/),
      expect.stringMatching(/^zone node1 southbound: unix:\S+: schema 20\.\d+\.\d+, read and write$/),
      expect.stringMatching(/^zone node1 chassis: node1: installed change \d+, the last one$/),
      "zone node2 clocks: no chassis reports an impossible time",
      expect.stringMatching(/^host node2 openvswitch: unix:\S+: schema 8\.\d+\.\d+, read and write$/),
      expect.stringMatching(/^host node2 vswitchd: ovs-vswitchd \(Open vSwitch\) \d/),
      expect.stringMatching(/^host node2 command: ovs-ofctl \(Open vSwitch\) \d/),
      "host node2 clocks: as this machine's",
    ]),
  );
  const after = await contents("node1");
  expect(after).toEqual(before);
  const { stdout } = await commandLine("doctor", "--cwd", folder);
  expect(stdout).toMatch(/^ {2}zone node1 {2}northbound {6}unix:/);
  expect(stdout).toMatch(/\n- zone node2 {2}remote chassis {2}not there yet: node1; tunnelAddresses in the program make them, or RemoteChassis, or ovn-ic\n/);
  expect(stdout).toMatch(/\n4 targets, 0 problems\n$/);
});

it("finds chassis that are behind, missing chassis of ports, a stopped northd and different clocks", async () => {
  await nbctl(
    "node1",
    "ls-add",
    "s",
    "--",
    "lsp-add",
    "s",
    "far",
    "--",
    "lsp-set-type",
    "far",
    "remote",
    "--",
    "set",
    "logical_switch_port",
    "far",
    "options:requested-chassis=elsewhere",
  );
  await nbctl("node1", "--wait=hv", "sync");
  await sandbox.killDaemon("node1", "ovn-controller");
  await nbctl("node1", "--wait=sb", "sync");
  await nbctl("node2", "--wait=hv", "sync");
  const set = async (chassis: string, time: number) => {
    const { code, stderr } = await sandbox.exec(chassis, ["ovn-sbctl", "set", "chassis_private", chassis, `nb_cfg_timestamp=${time}`]);
    expect([code, stderr]).toEqual([0, ""]);
  };
  await set("node1", Date.now() + 3_600_000);
  await set("node2", Date.now() - 3_600_000);
  await sandbox.killDaemon("node2", "ovn-northd");
  await nbctl("node2", "set", "NB_Global", ".", "nb_cfg=70");
  const { code, problems } = await doctor({ zones: sandbox.zones });
  expect([code, problems]).toEqual([
    1,
    [
      expect.stringMatching(/^zone node1 chassis: node1: did not install change \d+, the last one$/),
      "zone node1 remote chassis: ports ask for chassis that are missing: elsewhere; their packets are lost",
      "zone node1 clocks: the clock of node1 is ahead of this machine",
      expect.stringMatching(/^zone node2 northd: has translated change \d of 70$/),
      "zone node2 clocks: the clock of node2 is behind that of northd",
    ],
  ]);
});

it("finds unreachable endpoints, and those of another, an old and a read-only database, all at the same time", async () => {
  const [old, port] = [await oldNorthbound("7.3.0", []), await freePort()];
  const schema = (await binaries()).schema("ovn-nb.ovsschema");
  const central = await startCentral({ northd: false });
  await central.run("ovn-nbctl", ["init"]);
  // A backup of an active server takes no writes (ovsdb(7), "Active-Backup").
  const backup = await standalone({ schema, remotes: () => Promise.resolve([`--sync-from=${central.northbound}`]) });
  const dump = () => runProgram("ovsdb-client", ["dump", old.endpoint, "OVN_Northbound"], old.folder);
  const before = await dump();
  try {
    const zones = {
      dead: { northbound: `tcp:127.0.0.1:${port}`, timeout: 1 },
      swapped: { northbound: central.southbound, southbound: central.northbound },
      old: { northbound: old.endpoint },
      backup: { northbound: backup.endpoint },
    };
    const { code, problems } = await doctor({ zones, hosts: { h1: { command: ["sh", "-c", "exit 3", "--"] } } });
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringMatching(/^zone dead northbound: tcp:127\.0\.0\.1:\d+: .*ECONNREFUSED/),
      expect.stringMatching(/^zone swapped northbound: .*the server has no database OVN_Northbound/),
      expect.stringMatching(/^zone swapped southbound: .*the server has no database OVN_Southbound/),
      "zone old release: older than OVN 25.03 (schema 7.11.0), which transit routers and Layer2Network need",
      expect.stringMatching(/^zone backup northbound: unix:\S+: schema \S+, read only \(.*read only mode\)$/),
      expect.stringMatching(/^host h1 command: its command ended with 3/),
    ]);
    expect(await dump()).toBe(before);
  } finally {
    await Promise.all([old.remove(), backup.remove(), central.stop()]);
  }
});

it.each([
  ["ahead of", 3600],
  ["behind", -3600],
])("finds a host whose clock is %s this machine's", async (where, seconds) => {
  const bin = await mkdtemp(join(folder, "bin-"));
  // The host's only clock that doctor asks.
  await writeFile(join(bin, "date"), `#!/bin/sh\necho $(($(/bin/date +%s) + ${seconds}))\n`, { mode: 0o755 });
  const { node2 } = sandbox.targets.hosts;
  const { code, problems } = await doctor({ hosts: { node2: { ...node2, command: [...(node2!.command ?? []), "env", `PATH=${bin}:${process.env.PATH!}`] } } });
  expect(code).toBe(1);
  const [clock, ...more] = problems.filter((problem) => problem.includes(" clocks: "));
  expect(more).toEqual([]);
  const off = new RegExp(`^host node2 clocks: its clock is (\\d+) s ${where} this machine's$`).exec(clock!)?.[1];
  expect(Math.abs(Number(off) - 3600)).toBeLessThan(60);
});

it("finds certificates that expire soon: the client's, the authority's and the server's", async () => {
  const keys = await temporaryFolder();
  const [authority, port] = [await Authority.create(keys, "authority"), await freePort()];
  const [server, client] = [await authority.issue("ovn"), await authority.issue("client")];
  const files = [`--private-key=${server.privateKey}`, `--certificate=${server.certificate}`, `--ca-cert=${authority.certificate}`];
  const schema = (await binaries()).schema("ovn-nb.ovsschema");
  const database = await standalone({ schema, remotes: () => Promise.resolve([`--remote=pssl:${port}:127.0.0.1`, ...files]) });
  try {
    const tls = { ...client, ca: authority.certificate, serverName: "ovn" };
    const { problems } = await doctor({ zones: { node1: { northbound: `ssl:127.0.0.1:${port}`, tls } } });
    const day = new Date(Date.now() + 2 * 24 * 3600 * 1000).toISOString().slice(0, 10);
    expect(problems.filter((line) => line.includes(" tls: "))).toEqual([
      `zone node1 tls: the certificate of the northbound server is valid until ${day}`,
      `zone node1 tls: the certificate ${client.certificate} is valid until ${day}`,
      `zone node1 tls: the CA certificate ${authority.certificate} is valid until ${day}`,
    ]);
  } finally {
    await database.remove();
    await rm(keys, { recursive: true });
  }
});

it("finds a working cluster, one with a user without write access, and an unreachable one", async () => {
  const cluster = await TestCluster.kept();
  const gone = join(folder, "gone.yaml");
  const { code, ok, notes, problems } = await doctor({
    clusters: { prod: cluster.target(), guest: cluster.target("guest"), gone: { kubeconfig: gone } },
  });
  expect(code).toBe(1);
  expect(ok).toEqual([
    expect.stringMatching(/^cluster prod api server: Kubernetes v1\.\d+/),
    "cluster prod rights: may write FRRConfigurations in all namespaces",
    expect.stringMatching(/^cluster guest api server: Kubernetes v1\.\d+/),
  ]);
  expect(notes).toEqual(["cluster guest rights: may not list, create, patch, delete FRRConfigurations in all namespaces"]);
  expect(problems).toEqual([expect.stringContaining(gone)]);
});
