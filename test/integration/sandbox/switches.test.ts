import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, statusOf, up } from "@pulumi-ovn/sandbox";
import { Capture } from "../../support/capture";
import { cli, processesNaming, runFolder } from "../../support/sandbox-runs";

// Hosts with only Open vSwitch.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await up({
    name: "plain",
    hosts: 2,
    ovn: false,
    workloads: [
      { name: "a", host: "node1", mac: "0a:58:0a:09:00:01", addresses: ["10.9.0.1/24"], bridge: "tier" },
      { name: "b", host: "node2", mac: "0a:58:0a:09:00:02", addresses: ["10.9.0.2/24"] },
    ],
  });
});
afterAll(async () => {
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const vsctl = async (host: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(host, ["ovs-vsctl", "--timeout=10", ...args]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
};

test("no daemon, database or setting of OVN is there", async () => {
  const { hosts } = await statusOf(sandbox);
  expect(hosts[0]).not.toHaveProperty("northbound");
  expect(hosts.map(({ processes }) => Object.keys(processes))).toEqual([
    ["ovs-vswitchd", "ovsdb-server"],
    ["ovs-vswitchd", "ovsdb-server"],
  ]);
  expect(readdirSync(join(sandbox.folder, "node1")).filter((file) => file.startsWith("ovn"))).toEqual([]);
  expect(await vsctl("node1", "get", "Open_vSwitch", ".", "external_ids")).toBe("{hostname=node1, system-id=node1}");
  expect((await vsctl("node1", "list-br")).split("\n")).toEqual(["br-ex", "br-phy", "tier"]);
  expect((await vsctl("node2", "list-br")).split("\n")).toEqual(["br-ex", "br-phy"]);
  expect(sandbox.zones).toEqual({});
});

test("its targets lead to a host's database, and into the host", () => {
  const { node2 } = sandbox.targets.hosts;
  expect(sandbox.targets.zones).toEqual({});
  expect(node2!.openvswitch).toBe(`unix:${sandbox.folder}/node2/db.sock`);
  expect(execFileSync(node2!.command[0]!, ["ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids:system-id"], { encoding: "utf8" })).toBe("node2\n");
  // Words arrive as they are.
  expect(execFileSync(node2!.command[0]!, ["printf", "%s|", "a b", "$HOME", "'"], { encoding: "utf8" })).toBe("a b|$HOME|'|");
  expect(JSON.parse(cli(["status", "--name", "plain", "--targets"]).stdout)).toEqual(sandbox.targets);
  expect(cli(["status", "--name", "plain"]).stdout).toContain(`openvswitch unix:${sandbox.folder}/node1/db.sock`);
});

test.each(["gre", "vxlan", "geneve"])("a %s tunnel between bridges carries packets, and captures show them", async (type) => {
  for (const [host, remote] of [
    ["node1", "198.18.0.2"],
    ["node2", "198.18.0.1"],
  ] as const) {
    await vsctl(
      host,
      "--may-exist",
      "add-br",
      "tier",
      "--",
      "set",
      "Bridge",
      "tier",
      "datapath_type=netdev",
      "--",
      "--if-exists",
      "del-port",
      "tun",
      "--",
      "add-port",
      "tier",
      "tun",
      "--",
      "set",
      "Interface",
      "tun",
      `type=${type}`,
      `options:remote_ip=${remote}`,
      "options:key=7",
    );
  }
  await vsctl("node2", "--may-exist", "add-port", "tier", "b");
  await using inner = await Capture.start(sandbox, "node2", "b", "icmp");
  await using outer = await Capture.start(sandbox, "node1", "phy0", "host 198.18.0.2");
  // The first packet may go while the tunnel's end is resolved.
  expect((await sandbox.exec("a", ["ping", "-c1", "-w20", "10.9.0.2"], { timeout: 30_000 })).code).toBe(0);
  expect(await inner.seen(/ICMP echo request/)).toContain("0a:58:0a:09:00:01 > 0a:58:0a:09:00:02");
  await outer.seen(new RegExp(type === "gre" ? "GREv0, key=0x7" : type === "vxlan" ? "VXLAN.*vni 7" : "Geneve.*vni 0x7", "i"));
  expect((await inner.end()).filter((line) => line.includes("echo request"))).toHaveLength(1);
});

test("a workload moves to a bridge of another host, and one of no bridge is added", async () => {
  await sandbox.moveWorkload("a", "node2");
  expect((await vsctl("node2", "list-ports", "tier")).split("\n")).toEqual(["a", "b", "tun"]);
  await sandbox.addWorkload("node1", { name: "c" });
  expect(await vsctl("node1", "list-ports", "tier")).toBe("tun");
  await sandbox.removeWorkload("c");
});

test("another kind of sandbox of the same name is refused", async () => {
  await expect(up({ name: "plain", hosts: 2 })).rejects.toMatchObject({
    code: "differs",
    message: expect.stringContaining("is up with 2 hosts, without OVN, without FRR") as string,
  });
});

test("down leaves nothing", async () => {
  await sandbox.down();
  expect(processesNaming(folder)).toEqual([]);
});
