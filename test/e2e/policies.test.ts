import { writeFileSync } from "node:fs";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { blue, program } from "../support/network";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

/**
 * The language host that the sandbox builds is older than policy packs. A runtime of another name makes the CLI look for
 * an analyzer plugin on PATH, which here runs the same module of Pulumi's package as a newer language host does.
 */
const RUNTIME = "package";

let zones: TestZones;
let workspace: Workspace;
let pack: string;
beforeAll(async () => {
  zones = await TestZones.start(["node1", "node2"], { northd: false });
  workspace = await Workspace.create("", zones.config);
  await workspace.target(zones.config, {}, { host1: { openvswitch: "unix:/run/host1.sock" }, host2: { openvswitch: "unix:/run/host2.sock" } });
  pack = join(workspace.folder, "pack");
  await mkdir(join(workspace.folder, "bin"));
  for (const file of ["package.json", "dist"]) await cp(join(projectRoot, "policies", file), join(pack, file), { recursive: true });
  await writeFile(join(pack, "PulumiPolicy.yaml"), `runtime: ${RUNTIME}\n`);
  const analyzer = join(workspace.folder, "bin", `pulumi-analyzer-policy-${RUNTIME}`);
  await writeFile(analyzer, `#!/bin/sh\nexec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/run-policy-pack")')" "$1" "$PWD"\n`);
  await chmod(analyzer, 0o755);
  workspace.environment["PATH"] = `${join(workspace.folder, "bin")}:${workspace.environment["PATH"]}`;
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const args = (change: Partial<Layer2NetworkArgs> = {}) => blue(["node1", "node2"], change);
const acl = (match: string) =>
  `new ovn.NorthboundRows("acl", { zone: "node1", entries: { web: { table: "ACL", parent: { table: "Logical_Switch", row: "other_switch", column: "acls" }, columns: { priority: 1, direction: "to-lport", action: "allow-related", match: ${JSON.stringify(match)} } } } });`;
const vpc = (rule: object) =>
  `new ovn.Vpc("shop", ${JSON.stringify({
    name: "shop",
    hosts: { host1: { tunnelAddress: "198.18.1.1" }, host2: { tunnelAddress: "198.18.1.2" } },
    virtualRouter: { host: "host1" },
    tiers: { web: { cidrs: ["10.1.0.0/24"], gateways: ["10.1.0.1"], key: 7, acl: "web" } },
    acls: { web: [{ number: 1, action: "allow", direction: "ingress", ...rule }] },
    workloads: { web1: { tier: "web", host: "host2", mac: "02:00:00:00:00:01", addresses: ["10.1.0.5"] } },
  })});`;

function under(config: object, ...command: string[]) {
  writeFileSync(join(workspace.folder, "limits.json"), JSON.stringify(config));
  return workspace.run(...command, "--stack", "dev", "--policy-pack", pack, "--policy-pack-config", "limits.json");
}

/** Runs a command under the policies; returns its exit code and the lines of its section "Policies". */
async function judged(text: string, config: object, ...command: string[]): Promise<{ code: number | null; violations: string[] }> {
  await workspace.write(text);
  const { code, stdout, stderr } = await under(config, ...command);
  const section = /^Policies:\n([^]*?)\n\n/m.exec(stdout)?.[1] ?? `${stdout}\n${stderr}`;
  const lines = section.split("\n").map((line) => line.trim());
  return { code, violations: lines.filter((_, index) => /^- \[/.test(lines[index - 2] ?? "")).sort() };
}

const router = (zone: string) =>
  `new ovn.GatewayRouter("extra", ${JSON.stringify({
    zone,
    name: "GR_extra",
    chassis: zone,
    external: { switchName: "ext_extra", localnetPortName: "br-ex_extra", addresses: ["172.19.0.11/24"], nextHops: ["172.19.0.1"] },
    joinAddresses: ["100.64.0.2"],
    snatSubnets: ["10.0.0.0/24"],
  })});`;
const change = args({ snat: false, workloads: { vm1: { ...args().workloads!["vm1"]!, portSecurity: false } } });

it("refuses a program that breaks each policy, before anything is written, and accepts a correct one", async () => {
  const kept = await judged(program(args(), "none") + router("node1"), {}, "up", "--yes");
  expect([kept.code, kept.violations]).toEqual([0, []]);
  const written = await zones.northbound();

  const refused = await judged(
    program(change, "none") + router("node2") + acl("outport == @servers && (ip4 || ip6)") + vpc({}),
    { "most-targets": { most: 3 }, names: { pattern: "^(blue|GR_blue)" } },
    "up",
    "--yes",
  );
  expect(refused.code).not.toBe(0);
  expect(refused.violations).toEqual(
    [
      "acls.web: rule 1 allows every ingress packet; name an address, a protocol or a port",
      'entries.web: the ACL allows every packet (match "outport == @servers && (ip4 || ip6)"); name an address, a protocol or a port',
      'GatewayRouter "extra" would be replaced: it moves from zone "node1" to zone "node2"',
      'name: "GR_extra" does not match ^(blue|GR_blue)',
      "packets of 203.203.0.0/16 and 2010:100:200::/60 leave GR_blue_node1 with their own addresses, and no resource of the stack announces them",
      "packets of 203.203.0.0/16 and 2010:100:200::/60 leave GR_blue_node2 with their own addresses, and no resource of the stack announces them",
      'the update changes 4 targets, 3 are allowed: host "host1", host "host2", zone "node1", zone "node2"',
      'vpc: "shop" does not match ^(blue|GR_blue)',
      'vpc: "shop" does not match ^(blue|GR_blue)',
      "workloads.vm1: port security is off",
    ].sort(),
  );
  expect(difference(written, await zones.northbound())).toEqual(NO_DIFFERENCE);

  const removed = await judged(program(args(), "none"), {}, "preview");
  expect([removed.code, removed.violations]).toEqual([1, ['GatewayRouter "extra" in zone "node1" would be removed']]);
});

it("accepts exceptions in the configuration, and rules with conditions", async () => {
  const config = {
    "port-security": { except: ["vm1"] },
    "routers-stay": { except: ["extra"] },
    "snat-or-announcement": { except: ["GR_blue_node1", "GR_blue_node2"] },
  };
  const { code, violations } = await judged(program(change, "none") + acl("ip4.src == 10.0.0.0/8") + vpc({ protocol: "tcp", ports: "443" }), config, "preview");
  expect([code, violations]).toEqual([0, []]);
});

it("follows the configured levels and directions, and refuses a level or direction that does not exist", async () => {
  const text = program(change, "none") + vpc({ direction: "egress" });
  const others = { "routers-stay": "disabled", "snat-or-announcement": { enforcementLevel: "disabled" } };
  const egress = "acls.web: rule 1 allows every egress packet; name an address, a protocol or a port";
  const portSecurity = "workloads.vm1: port security is off";
  expect(await judged(text, { ...others, "port-security": "advisory" }, "preview")).toEqual({ code: 0, violations: [portSecurity] });
  const both = { ...others, "no-allow-all": { directions: ["ingress", "egress"], enforcementLevel: "advisory" } };
  expect(await judged(text, both, "preview")).toEqual({ code: 1, violations: [egress, portSecurity] });
  expect(await under({ ...others, "no-allow-all": { enforcementLevel: "strict" } }, "preview")).toMatchObject({
    code: 1,
    stderr: 'error: parsing enforcement level for "no-allow-all": "strict" is not a valid enforcement level\n',
  });
  expect(await under({ ...others, "no-allow-all": { directions: ["outgoing"] } }, "preview")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('no-allow-all: directions.0: directions.0 must be one of the following: "ingress", "egress"') as string,
  });
});
