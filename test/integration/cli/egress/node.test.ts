import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { difference, NO_DIFFERENCE } from "../../../support/dump";
import { Proxy } from "../../../support/ovsdb-proxy";
import { freePort } from "../../../support/ovsdb-server";
import { pulumiOvn } from "../../../support/pulumi-ovn";
import { TestZones } from "../../../support/zones";

let zones: TestZones;
let folder: string;
let dead: object;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ovn-egress-"));
  zones = await TestZones.start(["node1", "node2", "node7"], { northd: false });
  dead = { northbound: `tcp:127.0.0.1:${await freePort()}`, timeout: 1 };
  for (const zone of ["node1", "node2"]) {
    await zones.nbctl(zone, "lr-add", "r0", "--", "lr-policy-add", "r0", "100", "ip4.src == 203.203.0.17", "reroute", "100.88.0.7,100.88.0.9");
    await note(zone, "node2=100.88.0.7 node3=100.88.0.9");
  }
});
afterAll(async () => {
  await zones?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the annotation that a stack writes to its policy. */
async function note(zone: string, nextHops: string): Promise<void> {
  const uuid = await zones.nbctl(zone, "--bare", "--columns=_uuid", "find", "Logical_Router_Policy");
  await zones.nbctl(
    zone,
    "set",
    "Logical_Router_Policy",
    uuid,
    'external_ids:"pulumi-ovn:owner"="urn"',
    `external_ids:"pulumi-ovn:egress-next-hops"="${nextHops}"`,
  );
}

const egress = (args: readonly string[], more: object = {}) =>
  pulumiOvn(["egress", ...args], { PULUMI_OVN_ZONES: JSON.stringify({ ...zones.config, ...more }) }, folder);

it("uses the zones of a named stack from any folder", async () => {
  await writeFile(join(folder, "Pulumi.yaml"), "name: trial\nruntime: nodejs\n");
  for (const stack of ["dev", "prod"]) await writeFile(join(folder, `Pulumi.${stack}.yaml`), `config:\n  ovn:targets: targets.${stack}.yaml\n`);
  await writeFile(join(folder, "targets.dev.yaml"), JSON.stringify({ zones: zones.config }));
  const run = (...args: string[]) => pulumiOvn(["egress", "drain", "node2", "--dry-run", "--cwd", folder, ...args]);
  expect(await run("--stack", "dev")).toMatchObject({ code: 0, stdout: expect.stringMatching(/node2: 2 policies would be drained\n$/) as string });
  const shown = await run("--stack", "dev", "--json");
  const policies = [{ match: "ip4.src == 203.203.0.17", before: ["100.88.0.7", "100.88.0.9"], after: ["100.88.0.9"] }];
  expect(JSON.parse(shown.stdout)).toEqual({
    version: 1,
    action: "drain",
    node: "node2",
    dryRun: true,
    zones: [
      { zone: "node1", policies, error: null },
      { zone: "node2", policies, error: null },
      { zone: "node7", policies: [], error: null },
    ],
  });
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("which stack? The folder has Pulumi.dev.yaml, Pulumi.prod.yaml") as string });
  expect(await run("--stack", "dev", "--config", "x")).toMatchObject({ code: 2 });
  for (const file of ["Pulumi.yaml", "Pulumi.dev.yaml", "Pulumi.prod.yaml", "targets.dev.yaml"]) await rm(join(folder, file));
});

it("shows control characters of a database as text", async () => {
  const hostile = "ip4.src == 1.2.3.4\u001b[2J\nnode2: 0 policies $(touch x) <b> | `\u009b1m";
  const [own] = (await zones.nbctl("node1", "--bare", "--columns=_uuid", "find", "Logical_Router_Policy")).split("\n");
  await zones.nbctl("node1", "set", "Logical_Router_Policy", own!, `match=${JSON.stringify(hostile)}`);
  try {
    const { stdout } = await egress(["drain", "node2", "--dry-run", "--zones", "node1"]);
    expect(stdout).toBe(
      "zone node1: ip4.src == 1.2.3.4\\u{1b}[2J\\u{a}node2: 0 policies $(touch x) <b> | `\\u{9b}1m: 100.88.0.7, 100.88.0.9 -> 100.88.0.9\nnode2: 1 policy would be drained\n",
    );
    const json = (await egress(["drain", "node2", "--dry-run", "--zones", "node1", "--json"])).stdout;
    expect(json).not.toMatch(/[\u001b\u009b]/);
    expect(JSON.parse(json)).toMatchObject({ zones: [{ policies: [{ match: hostile }] }] });
  } finally {
    await zones.nbctl("node1", "set", "Logical_Router_Policy", own!, 'match="ip4.src == 203.203.0.17"');
  }
});

describe("a node in no policy", () => {
  it.each(["drain", "restore"])("is refused by %s, with those that there are", async (action) => {
    const before = await zones.northbound();
    expect(await egress([action, "noed3"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'pulumi-ovn egress: OVN_EGRESS_NODE: no egress policy has a next hop on a node "noed3": there are node2, node3; did you mean "node3"?\n',
    });
    expect((await egress([action, "gateway"])).stderr).toBe(
      'pulumi-ovn egress: OVN_EGRESS_NODE: no egress policy has a next hop on a node "gateway": there are node2, node3\n',
    );
    expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
  });

  it("is refused in a dry run, too, and without any policy", async () => {
    expect((await egress(["drain", "nod3", "--dry-run"])).stderr).toContain('did you mean "node3"?');
    expect((await egress(["drain", "nod3", "--zones", "node7"])).stderr).toBe(
      'pulumi-ovn egress: OVN_EGRESS_NODE: no egress policy has a next hop on a node "nod3": no policy has a next hop on any node\n',
    );
  });

  it("is refused with the zones that could not be asked", async () => {
    const { code, stderr } = await egress(["drain", "node9"], { far: dead });
    expect([code, stderr]).toEqual([
      1,
      'pulumi-ovn egress: OVN_EGRESS_NODE: no egress policy has a next hop on a node "node9": there are node2, node3; did you mean "node2"? (not reached: far)\n',
    ]);
  });

  it("is not a typo if a zone has the name, also an excluded or silent one", async () => {
    expect(await egress(["drain", "node7"])).toEqual({ code: 0, stdout: "node7: 0 policies drained\n", stderr: "" });
    expect(await egress(["drain", "node7", "--skip", "node7"])).toEqual({ code: 0, stdout: "node7: 0 policies drained\n", stderr: "" });
    expect(await egress(["drain", "node8"], { node8: dead })).toEqual({
      code: 0,
      stdout: "node8: 0 policies drained\n",
      stderr: expect.stringMatching(/^zone node8: not reached \(the node's own zone\): /) as string,
    });
  });

  it("is accepted if no zone answers", async () => {
    const { code, stdout, stderr } = await egress(["drain", "node9", "--zones", "far"], { far: dead });
    expect([code, stdout]).toEqual([1, "node9: 0 policies drained\n"]);
    expect(stderr).toMatch(/^zone far: not reached: /);
    const json = await egress(["drain", "node9", "--zones", "far", "--json"], { far: dead });
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      expect.objectContaining({
        zones: [{ zone: "far", policies: [], error: { reached: false, message: expect.stringContaining("ECONNREFUSED") as string } }],
      }),
    ]);
  });
});

it("needs no stack if the environment names the file of targets", async () => {
  const project = await mkdtemp(join(folder, "two stacks "));
  await Promise.all(
    Object.entries({
      "Pulumi.yaml": "name: net\nruntime: nodejs\n",
      "Pulumi.dev.yaml": "config: {}\n",
      "Pulumi.prod.yaml": "config: {}\n",
      "live.yaml": JSON.stringify({ zones: zones.config }),
    }).map(([name, text]) => writeFile(join(project, name), text)),
  );
  const drain = (environment: NodeJS.ProcessEnv) => pulumiOvn(["egress", "drain", "node3", "--dry-run"], environment, project);
  expect(await drain({ PULUMI_OVN_TARGETS: "live.yaml" })).toMatchObject({ code: 0, stdout: expect.stringContaining("2 policies would be drained\n") });
  expect(await drain({})).toMatchObject({ code: 2, stderr: expect.stringContaining("which stack? The folder has Pulumi.dev.yaml, Pulumi.prod.yaml") });
});

it("accepts a node whose next hop is drained and no longer the stack's", async () => {
  expect(await egress(["drain", "node3"])).toMatchObject({ code: 0, stdout: expect.stringContaining("node3: 2 policies drained\n") });
  for (const zone of ["node1", "node2"]) {
    await note(zone, "node2=100.88.0.7");
  }
  expect(await egress(["restore", "node3"])).toMatchObject({ code: 0, stdout: expect.stringContaining("node3: 2 policies restored\n") });
  expect(await egress(["restore", "node3"])).toMatchObject({ code: 1, stderr: expect.stringContaining("there are node2;") });
});

it.each([[["--timeout", "0"]], [["--timeout", "0", "--dry-run"]], [[]]])("is not restored where its own zone is not reached %j", async (options) => {
  expect(await egress(["restore", "node8", ...options], { node8: dead })).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^node8: 0 policies (would be )?restored\n$/) as string,
    stderr: expect.stringMatching(/^zone node8: not reached: /) as string,
  });
});

it("drains to its end without a reader of its output", async () => {
  for (const zone of ["node1", "node2"]) await note(zone, "node2=100.88.0.7");
  const file = join(projectRoot, "sdk/bin/pulumi-ovn.js");
  const env = { ...process.env, PULUMI_OVN_ZONES: JSON.stringify(zones.config) };
  const child = spawn(process.execPath, [file, "egress", "drain", "node2", "--force"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (text) => (said += String(text)));
  expect([await new Promise((resolve) => child.once("close", resolve)), said]).toEqual([0, ""]);
  const restored = expect.stringContaining("node2: 2 policies restored\n") as string;
  expect(await egress(["restore", "node2", "--timeout", "0"])).toMatchObject({ code: 0, stdout: restored });
});

describe("another writer between reading and writing", () => {
  /** Zones of which one lets another command finish before it passes the first write on. */
  async function overtaken(zone: string, other: readonly string[]): Promise<Proxy> {
    let first = true;
    return Proxy.start(zones.config[zone]!.northbound!.replace(/^unix:/, ""), (request, pair) => {
      if (!first || !JSON.stringify(request.params).includes('"update"')) return false;
      first = false;
      void egress(other).then(() => pair.server.write(JSON.stringify(request)));
      return true;
    });
  }
  const hops = async (zone: string) => (await zones.nbctl(zone, "--bare", "--columns=nexthops", "find", "Logical_Router_Policy")).split(/\s+/).filter(Boolean);
  beforeEach(async () => {
    for (const zone of ["node1", "node2"]) {
      await note(zone, "node2=100.88.0.7 node3=100.88.0.9");
      await egress(["restore", "node2", "--timeout", "0"]);
      await egress(["restore", "node3", "--timeout", "0"]);
      await zones.nbctl(zone, "set", "Logical_Router_Policy", await uuidIn(zone), 'nexthops=["100.88.0.7","100.88.0.9"]');
    }
  });
  const uuidIn = (zone: string) => zones.nbctl(zone, "--bare", "--columns=_uuid", "find", "Logical_Router_Policy");

  it("does not cause a drain of the last next hop", async () => {
    const proxy = await overtaken("node1", ["drain", "node2", "--zones", "node1"]);
    try {
      const { code, stdout, stderr } = await egress(["drain", "node3"], { node1: { northbound: proxy.endpoint } });
      expect([await hops("node1"), await hops("node2")]).toEqual([["100.88.0.9"], ["100.88.0.7"]]);
      expect([code, stdout, stderr]).toEqual([
        1,
        "zone node2: ip4.src == 203.203.0.17: 100.88.0.7, 100.88.0.9 -> 100.88.0.7\nnode3: 1 policy drained\n",
        expect.stringMatching(
          /^zone node1: not written: "node3" is the last next hop of 1 policy \(ip4\.src == 203\.203\.0\.17 in zone "node1"\): .*\n$/,
        ) as string,
      ]);
    } finally {
      await proxy.stop();
    }
  });

  it("does not prevent a forced drain", async () => {
    const proxy = await overtaken("node1", ["drain", "node2", "--zones", "node1"]);
    try {
      expect(await egress(["drain", "node3", "--force"], { node1: { northbound: proxy.endpoint } })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^zone node1: ip4\.src == 203\.203\.0\.17: 100\.88\.0\.9 -> nothing\n.*node3: 2 policies drained\n$/s) as string,
      });
      expect(await hops("node1")).toEqual([]);
    } finally {
      await proxy.stop();
    }
  });
});
