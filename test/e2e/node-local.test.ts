import { Example, failed, type Sandbox, up } from "@pulumi-ovn/sandbox";
import nodeLocal from "../../examples/node-local/proof.mts";
import { Control } from "../support/control";
import { askBeside, packetsOf, reachable, serve, type Way } from "../support/host-services";

const [PORT, CONTROL_PORT] = [8080, 8090];
const HOSTS = {
  node1: ["172.18.0.111", "fc00:f853:ccd:e793::6f"],
  node2: ["172.18.0.112", "fc00:f853:ccd:e793::70"],
  node3: ["172.18.0.113", "fc00:f853:ccd:e793::71"],
} as const;
const VIPS = ["10.96.0.1", "fd10:96::1"] as const;
type Host = keyof typeof HOSTS;
const names = Object.keys(HOSTS) as Host[];

let sandbox: Sandbox;
let example: Example;
let control: Control;
/** From vm1 to vm2 in a network of its own, so over both of their hosts. */
let beside: Way;
const servers: AsyncDisposable[] = [];

async function run(place: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, argv, { timeout: 20_000 });
  if (code !== 0) throw new Error(`${argv.join(" ")} in ${place}: ${stderr}`);
  return stdout.trim();
}

const mappings = (host: Host) => run(host, "ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids:ovn-bridge-mappings");
const askTwenty = (place: string, host: string, port: number) => askBeside(beside, sandbox, { place, host, port }, 20);
const twenty = (seen: string, asked: string) => Array.from({ length: 20 }, () => ({ seen, asked }));

beforeAll(async () => {
  sandbox = await up({ name: "test-node-local" });
  example = await Example.copy("examples/node-local", ["Pulumi.yaml", "tsconfig.json", "index.ts"], sandbox.targets);
  await run("node1", "ovs-vsctl", "set", "Open_vSwitch", ".", "external_ids:ovn-bridge-mappings=physnet:br-ex,other:br-ex");
  expect(await example.changes("up")).toMatchObject({ create: expect.any(Number) });
  expect(failed(await nodeLocal.prove({ sandbox, example }))).toEqual([]);
  for (const host of names) servers.push(await serve(sandbox, host, PORT));
  control = await Control.over(sandbox);
  servers.push(await serve(sandbox, "vm2", CONTROL_PORT));
  beside = { place: "vm1", host: control.flows.find(({ name }) => name.startsWith("control: vm1 to vm2 "))!.to, port: CONTROL_PORT };
  await reachable(sandbox, beside.place, beside.host, beside.port);
}, 180_000);

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await sandbox?.down();
  await example?.[Symbol.asyncDispose]();
});

describe("node-local access on three hosts", () => {
  it("gives each node addresses of its own, and reports what its host has to configure", async () => {
    expect(await example.outputs()).toEqual({
      addresses: { node1: ["169.254.0.3", "fd99:1::3"], node2: ["169.254.0.4", "fd99:1::4"], node3: ["169.254.0.5", "fd99:1::5"] },
      hosts: Object.fromEntries(names.map((name) => [name, { addresses: ["169.254.0.1/20", "fd99:1::1/64"], mac: "0a:58:a9:fe:00:01" }])),
    });
  });

  it("merges the bridge into what the host maps already", async () => {
    expect(await mappings("node1")).toBe('"physnet:br-ex,other:br-ex,locnet:br-local"');
    expect(await mappings("node2")).toBe('"physnet:br-ex,locnet:br-local"');
    expect(await run("node1", "ovs-vsctl", "list-ports", "br-local")).toContain("ovn-k8s-gw0");
    expect(await run("node1", "cat", "/proc/sys/net/ipv4/conf/ovn-k8s-gw0/rp_filter")).toBe("0");
  });

  it("gives the management port's MAC only to the management port", async () => {
    const flows = await run("node1", "sh", "-c", "ovn-sbctl lflow-list blue_ovn_layer2_switch | grep ls_in_l2_lkup | grep 0a:58:cb:cb:00:02");
    expect(flows.split("\n").map((line) => /outport = "[^"]*"/.exec(line)![0])).toEqual(['outport = "k8s-blue_node1"']);
  });

  it.each([
    [4, 0],
    [6, 1],
  ] as const)("IPv%i: a workload reaches its own node under the node's address, untranslated, and no packet leaves the node", async (family, index) => {
    const [target] = [HOSTS.node1[index]];
    const source = family === 4 ? "203.203.0.17" : "2010:100:200::11";
    await reachable(sandbox, "vm1", target, PORT);
    const seen = await packetsOf(sandbox, "node1", ["phy0", "ex0", "ovn-k8s-mp0"], PORT, async () => {
      expect(await askTwenty("vm1", target, PORT)).toEqual(twenty(source, target));
    });
    expect({ tunnel: seen.phy0, wire: seen.ex0 }).toEqual({ tunnel: [], wire: [] });
    expect(seen["ovn-k8s-mp0"]!.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    [4, 0],
    [6, 1],
  ] as const)("IPv%i: a workload reaches another node under that node's address, by the wire", async (family, index) => {
    const target = HOSTS.node2[index];
    const gateway = family === 4 ? "172.18.0.11" : "fc00:f853:ccd:e793::b";
    await reachable(sandbox, "vm1", target, PORT);
    const seen = await packetsOf(sandbox, "node1", ["phy0", "ex0"], PORT, async () => {
      expect(await askTwenty("vm1", target, PORT)).toEqual(twenty(gateway, target));
    });
    expect(seen.ex0!.length).toBeGreaterThanOrEqual(20);
    expect(seen.phy0).toEqual([]);
  });

  it("sees packets in the tunnel (control)", async () => {
    await using _server = await serve(sandbox, "vm2", PORT);
    await reachable(sandbox, "vm1", "203.203.0.18", PORT);
    const seen = await packetsOf(sandbox, "node1", ["phy0"], PORT, async () => {
      expect(await askTwenty("vm1", "203.203.0.18", PORT)).toEqual(twenty("203.203.0.17", "203.203.0.18"));
    });
    expect(seen.phy0!.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    [4, 0],
    [6, 1],
  ] as const)("IPv%i: a host reaches its own service through a service address, and no packet leaves it", async (family, index) => {
    const [vip, target] = [VIPS[index], HOSTS.node1[index]];
    const bracket = (address: string) => (family === 6 ? `[${address}]` : address);
    const balancer = `vip${family}`;
    await run(
      "node1",
      "ovn-nbctl",
      "--wait=hv",
      "lb-add",
      balancer,
      `${bracket(vip)}:443`,
      `${bracket(target)}:${PORT}`,
      "--",
      "ls-lb-add",
      "blue_ovn_layer2_switch",
      balancer,
    );
    await reachable(sandbox, "node1", vip, 443);
    const seen = await packetsOf(sandbox, "node1", ["phy0", "ex0", "ovn-k8s-gw0"], PORT, async () => {
      expect(await askTwenty("node1", vip, 443)).toEqual(twenty(family === 4 ? "169.254.0.3" : "fd99:1::3", vip));
    });
    expect({ tunnel: seen.phy0, wire: seen.ex0 }).toEqual({ tunnel: [], wire: [] });
    expect(seen["ovn-k8s-gw0"]!.length).toBeGreaterThanOrEqual(20);
    await run("node1", "ovn-nbctl", "lb-del", balancer);
  });

  it("changes nothing at the second run, and repairs manual changes", async () => {
    await example.run("refresh", "--yes", "--skip-preview", "--expect-no-changes", "--stack", "test");
    const same = await example.changes("up");
    expect(Object.keys(same)).toEqual(["same"]);
    await run(
      "node2",
      "ovs-vsctl",
      "set",
      "Open_vSwitch",
      ".",
      "external_ids:ovn-bridge-mappings=physnet:br-ex",
      "--",
      "set",
      "Interface",
      "ovn-k8s-gw0",
      'mac="0a:58:00:00:00:09"',
    );
    const refreshed = await example.run("refresh", "--yes", "--diff", "--stack", "test");
    expect(refreshed).toContain("locnet");
    expect(await example.changes("up")).toMatchObject({ update: expect.any(Number) });
    expect(await mappings("node2")).toBe('"physnet:br-ex,locnet:br-local"');
    expect(await run("node2", "ovs-vsctl", "get", "Interface", "ovn-k8s-gw0", "mac")).toBe('"0a:58:a9:fe:00:01"');
    await reachable(sandbox, "vm2", HOSTS.node2[0], PORT);
  });

  it("removes all of its own objects, and none of others", async () => {
    await control[Symbol.asyncDispose]();
    const destroyed = await example.changes("destroy");
    expect(Object.keys(destroyed)).toEqual(["delete"]);
    expect(await mappings("node1")).toBe('"physnet:br-ex,other:br-ex"');
    for (const host of names) {
      expect(await run(host, "ovs-vsctl", "list-br")).toBe("br-ex\nbr-int\nbr-phy");
      expect(await run(host, "ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids")).not.toContain("pulumi-ovn:");
      expect(await run(host, "ovn-nbctl", "--bare", "--columns=name", "list", "Logical_Switch")).toBe("");
      expect(await run(host, "ovn-nbctl", "list", "NAT")).toBe("");
      expect(await run(host, "ovn-nbctl", "list", "Logical_Router_Policy")).toBe("");
    }
  });
});
