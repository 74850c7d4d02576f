import { macOfIp, parseIp } from "../../provider";
import { type Sandbox, up } from "../../sandbox";
import { Example } from "../support/example";
import { upgradeExample } from "../support/upgrade-walk";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await up({ name: "test-examples" });
});
afterEach(async () => sandbox?.down());

/** Neighbours are resolved by the first packets, and a new interface waits for its own address; after that every one comes through. */
async function reaches(from: string, to: string): Promise<void> {
  const until = Date.now() + 15_000;
  let last = "";
  while (Date.now() < until) {
    const { code, stdout, stderr } = await sandbox.exec(from, ["ping", "-n", "-c1", "-W1", to], { timeout: 5_000 });
    if (code === 0) return;
    last = stdout + stderr;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${from} does not reach ${to}:\n${last}`);
}

/** All that is left in a host's Northbound database, by name. */
async function networks(host: string): Promise<string> {
  const { stdout } = await sandbox.exec(host, ["sh", "-c", "ovn-nbctl --bare --columns=name list Logical_Switch; ovn-nbctl --bare --columns=name list Logical_Router"]);
  return stdout.split("\n").filter(Boolean).sort().join(" ");
}

async function chassis(host: string): Promise<string> {
  const { stdout } = await sandbox.exec(host, ["ovn-sbctl", "--bare", "--columns=name", "list", "Chassis"]);
  return stdout.split("\n").filter(Boolean).sort().join(" ");
}

it("quickstart: one network from a dozen lines", async () => {
  await using example = await Example.copy(".", ["Pulumi.yaml", "examples/quickstart"], sandbox.zones);
  expect(await example.changes("up")).toEqual({ create: 19 });
  expect(await example.outputs()).toEqual({
    gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"], mac: "0a:58:cb:cb:00:01" },
    transitSubnets: ["100.88.0.0/16", "fd97::/64"],
  });
  expect(await networks("node1")).toBe("GR_blue_node1 blue_ovn_layer2_switch blue_transit_router ext_blue_node1");

  await reaches("vm1", "203.203.0.18");
  await reaches("vm2", "2010:100:200::13");
  await reaches("vm3", "192.0.2.1");

  expect(await example.changes("up")).toEqual({ same: 19 });
  expect(await example.changes("destroy")).toEqual({ delete: 19 });
  for (const host of ["node1", "node2", "node3"]) {
    expect(await networks(host)).toBe("");
    expect(await chassis(host)).toBe(host);
  }
});

it("upgrade: from one topology to the other while a ping runs", async () => {
  await using example = await Example.copy("examples/upgrade", ["Pulumi.yaml", "tsconfig.json", "index.ts"], sandbox.zones);
  expect(await example.changes("up")).toEqual({ create: 19 });
  expect(await networks("node1")).toBe("GR_blue_node1 blue_ovn_layer2_switch ext_blue_node1");
  await reaches("vm1", "203.203.0.18");

  const ping = await sandbox.spawn("vm1", ["ping", "-n", "-q", "-i", "0.1", "203.203.0.18"]);
  let counted = "";
  ping.process.stdout!.on("data", (text: Buffer) => (counted += text.toString()));
  const { code, stdout, stderr } = await upgradeExample(example, "--loaded", "--batch", "100%", "--settle-seconds", "1");
  ping.signal("SIGINT");
  await ping.exit;
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("network blue: no stage, 3 of 3 nodes on the transit topology; nothing is left to do");
  expect(await networks("node1")).toBe("GR_blue_node1 blue_ovn_layer2_switch blue_transit_router ext_blue_node1");
  // One may be on its way at the end.
  const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(counted)!.map(Number);
  expect([sent! > 100, sent! - received! <= 1, counted]).toEqual([true, true, counted]);
}, 240_000);

it("dual-stack: two networks on the same hosts, one of them by hand", async () => {
  await using example = await Example.copy("examples/dual-stack", ["Pulumi.yaml", "tsconfig.json", "index.ts", "hosts.ts", "chassis.ts", "green.ts", "violet.ts"], sandbox.zones);
  expect(await example.changes("up")).toEqual({ create: 37 });
  expect(await example.outputs()).toEqual({
    tunnelKeys: { green: [16_715_779, 16_715_780], violet: [16_715_781, 16_715_782] },
    greenGateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"], mac: "0a:58:cb:cb:00:01" },
    violetGatewayMacs: { node1: "0a:58:a8:c4:c5:73", node2: "0a:58:a8:c4:c5:73", node3: "0a:58:a8:c4:c5:73" },
  });
  expect(await networks("node2")).toBe(
    "GR_green_node2 GR_violet_node2 ext_green_node2 ext_violet_node2 green_ovn_layer2_switch green_transit_router violet_ovn_layer2_switch violet_transit_router",
  );
  expect(await chassis("node2")).toBe("node1 node2 node3");

  const workload = (name: string, address: string, ...more: string[]) => ({ name, mac: macOfIp(parseIp(address.split("/")[0]!)), addresses: [address, ...more] });
  await sandbox.addWorkload("node1", workload("six1", "2010:100:300::11/64"));
  await sandbox.addWorkload("node2", workload("six2", "2010:100:300::12/64"));
  await sandbox.addWorkload("node1", { ...workload("host1", "203.203.0.2/16", "2010:100:200::2/60"), ifaceId: "k8s-green_node1" });

  await reaches("vm1", "203.203.0.18");
  await reaches("vm3", "2010:100:200::11");
  await reaches("vm2", "192.0.2.1");
  await reaches("six1", "2010:100:300::12");
  // No default route is configured: it comes by router advertisement.
  await reaches("six2", "2001:db8::1");
  await reaches("host1", "203.203.0.17");

  expect(await example.changes("up")).toEqual({ same: 37 });
  expect(await example.changes("destroy")).toEqual({ delete: 37 });
  for (const host of ["node1", "node2", "node3"]) {
    expect(await networks(host)).toBe("");
    expect(await chassis(host)).toBe(host);
  }
});
