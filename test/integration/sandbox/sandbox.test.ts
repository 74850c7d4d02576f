import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { down, Sandbox, type Status, statusOf, up } from "@pulumi-ovn/sandbox";
import { until } from "@pulumi-ovn/sandbox/testing";
import { prefixesIn, SHOW_TABLES } from "../../support/bgp-tables";
import { processesIn, processesNaming, runFolder } from "../../support/sandbox-runs";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("three hosts", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await up({ name: "three" });
  });
  afterAll(() => sandbox.down());

  const output = async (namespace: string, ...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await sandbox.exec(namespace, argv, { timeout: 10_000 });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };

  test("each has a zone of its own with its chassis", async () => {
    const sockets = (host: string) => ({
      northbound: `unix:${folder}/three/${host}/ovnnb_db.sock`,
      southbound: `unix:${folder}/three/${host}/ovnsb_db.sock`,
      openvswitch: `unix:${folder}/three/${host}/db.sock`,
    });
    expect(sandbox.zones).toEqual({ node1: sockets("node1"), node2: sockets("node2"), node3: sockets("node3") });
    await output("node1", "ovn-nbctl", "ls-add", "only-here");
    expect(await output("node1", "ovn-nbctl", "--bare", "--columns=name", "list", "Logical_Switch")).toBe("only-here\n");
    expect(await output("node2", "ovn-nbctl", "ls-list")).toBe("");
    await output("node1", "ovn-nbctl", "ls-del", "only-here");
    for (const name of ["node1", "node2", "node3"]) {
      await output(name, "ovn-sbctl", "--timeout=10", "wait-until", "Chassis", name, `name=${name}`);
      expect(await output(name, "ovn-sbctl", "--bare", "--columns=name", "list", "Chassis")).toBe(`${name}\n`);
      expect(await output(name, "ovn-nbctl", "--bare", "--columns=name", "list", "NB_Global")).toBe(`${name}\n`);
    }
  });

  test("the status has the addresses of each namespace, endpoints and processes", async () => {
    const status: Status = await statusOf(sandbox);
    expect(status.hosts[1]).toMatchObject({
      kind: "host",
      name: "node2",
      chassis: "node2",
      encap: "198.18.0.2",
      gatewayRouter: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"],
      northbound: `unix:${folder}/three/node2/ovnnb_db.sock`,
      southbound: `unix:${folder}/three/node2/ovnsb_db.sock`,
    });
    for (const host of status.hosts) {
      expect(Object.keys(host.processes)).toEqual(["ovn-controller", "ovn-northd", "ovnnb_db", "ovnsb_db", "ovs-vswitchd", "ovsdb-server"]);
      for (const [name, pid] of Object.entries(host.processes))
        expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain(`${folder}/three/${host.name}/${name}.pid`);
    }
    expect(status.workloads.map(({ name, host, ifaceId }) => [name, host, ifaceId])).toEqual([
      ["vm1", "node1", "vm1"],
      ["vm2", "node2", "vm2"],
      ["vm3", "node3", "vm3"],
    ]);
    expect(status.memory).toBeGreaterThan(10e6);
    expect(status.memory).toBeLessThan(300e6);
  });

  test("hosts reach each other and the upstream router", async () => {
    expect(await output("node1", "ping", "-q", "-c1", "-W5", "198.18.0.3")).toContain("1 received");
    expect(await output("ext", "ping", "-q", "-c1", "-W5", "172.18.0.112")).toContain("1 received");
    expect(await output("node3", "ping", "-q", "-c1", "-W5", "fc00:f853:ccd:e793::1")).toContain("1 received");
  });

  test("a killed daemon can be started again", async () => {
    const pid = (await statusOf(sandbox)).hosts[0]!.processes["ovnnb_db"]!;
    await sandbox.killDaemon("node1", "ovnnb_db");
    expect((await statusOf(sandbox)).hosts[0]!.processes).not.toHaveProperty("ovnnb_db");
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await sandbox.startDaemon("node1", "ovnnb_db");
    expect(await output("node1", "ovn-nbctl", "--bare", "--columns=name", "list", "NB_Global")).toBe("node1\n");
  });

  test("a signal reaches the program in its namespace", async () => {
    const running = await sandbox.spawn("vm1", ["sh", "-c", "trap 'echo caught; exit 9' TERM; echo ready; while :; do sleep 0.05; done"]);
    let text = "";
    await new Promise<void>((resolve) =>
      running.process.stdout!.on("data", (data: Buffer) => {
        text += data.toString();
        if (text === "ready\n") resolve();
      }),
    );
    running.signal("SIGTERM");
    expect(await running.exit).toBe(9);
    expect(text).toBe("ready\ncaught\n");
  });

  test("a program that takes too long is ended, and is really gone", async () => {
    await expect(sandbox.exec("vm1", ["sleep", "98765"], { timeout: 300 })).rejects.toThrow(expect.objectContaining({ code: "timeout" }));
    expect(processesNaming("98765")).toEqual([]);
  });

  test("packets and streams pass between workloads on one logical switch, also after one has moved", async () => {
    const ports = ["vm7", "vm8"].map((name, index) => ({
      name,
      ifaceId: `port${name}`,
      mac: `0a:58:0a:00:00:0${index + 7}`,
      addresses: [`10.0.0.${index + 7}/24`],
    }));
    for (const port of ports) await sandbox.addWorkload("node1", port);
    expect(sandbox.namespaces).toContain("vm8");
    await output(
      "node1",
      "ovn-nbctl",
      "--timeout=10",
      "--wait=hv",
      "ls-add",
      "lan",
      ...ports.flatMap(({ ifaceId, mac, addresses }) => [
        "--",
        "lsp-add",
        "lan",
        ifaceId,
        "--",
        "lsp-set-addresses",
        ifaceId,
        `${mac} ${addresses[0]!.split("/")[0]}`,
      ]),
    );
    expect(await output("vm7", "ping", "-q", "-c1", "-W5", "10.0.0.8")).toContain("1 received");
    const server = await sandbox.spawn("vm8", [
      process.execPath,
      "-e",
      `require("net").createServer(s => s.end("hello")).listen(5000, () => console.log("on"))`,
    ]);
    await new Promise((resolve) => server.process.stdout!.once("data", resolve));
    expect(await output("vm7", process.execPath, "-e", `require("net").connect(5000, "10.0.0.8").on("data", d => console.log(String(d)))`)).toBe("hello\n");
    server.signal("SIGKILL");
    expect(await server.exit).toBe(137);

    await sandbox.moveWorkload("vm8", "node2");
    expect(await output("node1", "ovs-vsctl", "list-ports", "br-int")).not.toContain("vm8");
    expect(await output("node2", "ovs-vsctl", "get", "Interface", "vm8", "external_ids:iface-id")).toBe("portvm8\n");
    expect(await output("vm8", "ip", "-brief", "address", "show", "dev", "eth0")).toContain("10.0.0.8/24");
    expect((await Sandbox.open("three")).workloads.find(({ name }) => name === "vm8")).toMatchObject({ host: "node2" });
    for (const { name } of ports) await sandbox.removeWorkload(name);
    expect(sandbox.namespaces).toEqual(["ext", "node1", "node2", "node3", "vm1", "vm2", "vm3"]);
    expect(await output("node2", "ip", "-brief", "link")).not.toContain("vm8");
  });

  test("a namespace that does not exist is named, with those that do", async () => {
    await expect(sandbox.exec("vm9", ["true"])).rejects.toThrow("unknown namespace vm9; the sandbox has ext, node1, node2, node3, vm1, vm2, vm3");
    await expect(sandbox.addWorkload("node1", { name: "vm1" })).rejects.toThrow("a namespace is already named vm1");
    await expect(sandbox.removeWorkload("vm9")).rejects.toThrow("unknown workload vm9");
  });

  test("a second up finds it; one with other hosts is refused and changes nothing", async () => {
    expect((await up({ name: "three" })).firstProcess).toBe(sandbox.firstProcess);
    await expect(up({ name: "three", hosts: 2 })).rejects.toThrow(expect.objectContaining({ code: "differs" }));
    expect((await Sandbox.open("three")).firstProcess).toBe(sandbox.firstProcess);
  });
});

test("two run side by side, and the end of one leaves the other and nothing of its own", async () => {
  await using one = await up({ name: "one", hosts: 1 });
  const two = await up({ name: "two", hosts: 1 });
  const namespace = readlinkSync(`/proc/${two.firstProcess}/ns/pid`);
  expect(processesIn(namespace).length).toBeGreaterThan(8);
  await two.exec("node1", ["ovn-nbctl", "ls-add", "in-two"]);
  const mounts = readFileSync("/proc/self/mounts", "utf8");
  await two.down();
  expect(processesIn(namespace)).toEqual([]);
  expect(processesNaming(`${folder}/two`)).toEqual([]);
  expect(readdirSync(folder)).toEqual(["one"]);
  expect(mounts).toBe(readFileSync("/proc/self/mounts", "utf8"));
  expect((await one.exec("node1", ["ovn-nbctl", "ls-list"])).stdout).toBe("");
  await expect(Sandbox.open("two")).rejects.toThrow(expect.objectContaining({ code: "not-up" }));
});

test("hosts of one zone are chassis of one database, and each has its own workloads", async () => {
  await using sandbox = await up({ name: "shared", hosts: 3, hostsPerZone: 2 });
  expect(Object.keys(sandbox.zones)).toEqual(["node1", "node3"]);
  const { hosts } = await statusOf(sandbox);
  expect(hosts.map(({ zone, northbound }) => [zone, northbound])).toEqual(
    ["node1", "node1", "node3"].map((zone) => [zone, `unix:${folder}/shared/${zone}/ovnnb_db.sock`]),
  );
  expect(hosts.map(({ openvswitch }) => openvswitch)).toEqual(["node1", "node2", "node3"].map((host) => `unix:${folder}/shared/${host}/db.sock`));
  expect(Object.keys(hosts[1]!.processes)).toEqual(["ovn-controller", "ovs-vswitchd", "ovsdb-server"]);
  const output = async (namespace: string, ...argv: string[]): Promise<string> => (await sandbox.exec(namespace, argv, { timeout: 20_000 })).stdout;
  for (const name of ["node1", "node2"]) await output("node2", "ovn-sbctl", "--timeout=10", "wait-until", "Chassis", name, `name=${name}`);
  expect((await output("node2", "ovn-sbctl", "--bare", "--columns=name", "list", "Chassis")).split("\n").filter(Boolean).sort()).toEqual(["node1", "node2"]);
  // A query on any host of the zone reaches the zone's database. The second host's controller runs, and binds the interfaces there.
  await output("node2", "ovn-nbctl", "--timeout=10", "--wait=hv", "ls-add", "shared", "--", "lsp-add", "shared", "vm1", "--", "lsp-add", "shared", "vm2");
  expect(await output("node1", "ovn-nbctl", "--bare", "--columns=name", "list", "Logical_Switch")).toBe("shared\n");
  expect(await output("node1", "ovn-nbctl", "lsp-get-up", "vm2")).toBe("up\n");
  expect(await output("node3", "ovn-nbctl", "ls-list")).toBe("");
  await expect(up({ name: "shared", hosts: 3 })).rejects.toThrow("sandbox shared is up with 3 hosts in 2 zones, with OVN, without FRR");
});

test("a fabric: what a host announces is the way in, by both leaves, until it no longer does", async () => {
  await using sandbox = await up({ name: "fabric", hosts: 2, hostsPerZone: 2, fabric: true, workloads: [] });
  expect(sandbox.namespaces).toEqual(["ext", "leaf1", "leaf2", "node1", "node2"]);
  const output = async (namespace: string, ...argv: string[]): Promise<string> => (await sandbox.exec(namespace, argv, { timeout: 10_000 })).stdout;
  const announce = (no: string) =>
    output(
      "node2",
      "vtysh",
      ...[
        "configure terminal",
        "router bgp",
        ...[
          ["ipv4", "198.51.100.5/32"],
          ["ipv6", "2001:db8:5::5/128"],
        ].flatMap(([family, prefix]) => [`address-family ${family} unicast`, `${no} network ${prefix}`, "exit"]),
      ].flatMap((line) => ["-c", line]),
    );
  const known = async (leaf: string) => prefixesIn(await output(leaf, "sh", "-c", SHOW_TABLES));
  // Addresses without an announcement are unreachable, even if a host has them.
  await output("node2", "ip", "address", "add", "198.51.100.5/32", "dev", "br-ex");
  await output("node2", "ip", "address", "add", "2001:db8:5::5/128", "dev", "br-ex", "nodad");
  expect(await known("leaf1")).toEqual(["0.0.0.0/0", "::/0"]);
  expect((await sandbox.exec("ext", ["ping", "-q", "-c1", "-W1", "198.51.100.5"])).code).not.toBe(0);
  await announce("");
  for (const leaf of ["leaf1", "leaf2"]) await until(`routes of ${leaf}`, 10_000, async () => (await known(leaf)).length === 4);
  for (const leaf of ["leaf1", "leaf2"]) expect(await known(leaf)).toEqual(["0.0.0.0/0", "198.51.100.5/32", "2001:db8:5::5/128", "::/0"]);
  for (const [family, from, address] of [
    ["-4", "192.0.2.1", "198.51.100.5"],
    ["-6", "2001:db8::1", "2001:db8:5::5"],
  ] as const) {
    await until(`both ways to ${address}`, 10_000, async () =>
      /(?=[^]*leaf1 )(?=[^]*leaf2 )/.test(await output("ext", "ip", family, "route", "show", address)),
    );
    expect(await output("ext", "ping", "-q", "-c1", "-W5", "-I", from, address)).toContain("1 received");
  }
  await announce("no");
  for (const leaf of ["leaf1", "leaf2"]) await until(`routes of ${leaf}`, 10_000, async () => (await known(leaf)).length === 2);
  const status = await statusOf(sandbox);
  expect(status.leaves.map(({ name, addresses }) => [name, addresses.slice(0, 2)])).toEqual([
    ["leaf1", ["100.64.1.2/31", "fd64:0:0:1::2/127"]],
    ["leaf2", ["100.64.2.2/31", "fd64:0:0:2::2/127"]],
  ]);
  expect(status.hosts[1]!.addresses).toEqual(["100.64.1.7/31", "fd64:0:0:1::7/127", "100.64.2.7/31", "fd64:0:0:2::7/127"]);
  for (const namespace of [status.upstream, ...status.leaves]) expect(Object.keys(namespace.processes)).toEqual(["bgpd", "mgmtd", "staticd", "zebra"]);
});

test("ending one that is not there does nothing", async () => {
  await expect(down("nobody")).resolves.toBeUndefined();
});

test("ten hosts with FRR: every BGP session is up", async () => {
  const sandbox = await up({ name: "ten", hosts: 10, frr: true });
  try {
    const { stdout } = await sandbox.exec("ext", ["vtysh", "-c", "show bgp summary json"]);
    const families = Object.values(JSON.parse(stdout) as Record<string, { peers: Record<string, { state: string }> }>);
    expect(families.map((family) => Object.values(family.peers).map((peer) => peer.state))).toEqual([
      Array(10).fill("Established"),
      Array(10).fill("Established"),
    ]);
    const status = await statusOf(sandbox);
    expect(status.hosts.map((host) => Object.keys(host.processes).length)).toEqual(Array(10).fill(10));
    expect(existsSync(join(sandbox.folder, "node10/ovnnb_db.sock"))).toBe(true);
  } finally {
    await sandbox.down();
  }
  expect(processesNaming(folder)).toEqual([]);
});
