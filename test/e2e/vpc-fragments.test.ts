import { rmSync } from "node:fs";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { routerMac } from "@pulumi-ovn/provider/testing";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { LiveVpc } from "../support/live-vpc";
import { answered, answering, Conversation } from "../support/udp-probes";
import { place, script, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

// ACLs of a VPC with what is not one packet in one direction: datagrams in fragments, connections that began by the virtual router.
const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;

beforeAll(async () => {
  sandbox = await up({ name: "test-vpc-frag", hosts: 4, ovn: false, workloads });
  await virtualRouter(sandbox);
  vpc = new LiveVpc(sandbox.targets);
  await vpc.write(vpcArgs());
}, 120_000);
afterAll(async () => {
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const withAcl = (rules: VpcAclRuleArgs[], change: Partial<VpcArgs> = {}): VpcArgs => {
  const args = vpcArgs(change);
  return { ...args, acls: { own: rules }, tiers: { ...args.tiers, app: { ...args.tiers["app"]!, acl: "own" } } };
};

const ALLOW: VpcAclRuleArgs = { number: 99, action: "allow", direction: "ingress" };
const udp = (action: "allow" | "deny", ports: string): VpcAclRuleArgs => ({ number: 1, action, direction: "ingress", protocol: "udp", ports });
const PROBES = [7001, 7002].flatMap((port) => ["10.1.2.12", "fd01:2::12"].flatMap((to) => [100, 5000].map((size) => ({ to, port, size }))));
const to = (port: number) => PROBES.filter((probe) => probe.port === port);
const pinged = async (from: string, ...options: string[]) =>
  (await sandbox.exec(from, ["ping", "-n", "-q", "-c3", "-i0.2", "-w6", ...options], { timeout: 20_000 })).code === 0;

test.each([false, true])("rules with ports and types decide about datagrams in fragments, stateful: %s", async (stateful) => {
  const change = { stateful, portSecurity: true };
  await using _there = await answering(sandbox, "app2", 7001, 7002);
  await vpc.write(withAcl([ALLOW], change));
  expect(await answered(sandbox, "web1", PROBES)).toEqual(PROBES);
  await vpc.write(withAcl([udp("deny", "7002"), ALLOW], change));
  expect(await answered(sandbox, "web1", PROBES)).toEqual(to(7001));
  await vpc.write(withAcl([udp("allow", "7001")], change));
  expect(await answered(sandbox, "web1", PROBES)).toEqual(to(7001));
  const echo = { number: 2, action: "deny", direction: "ingress" } as const;
  await vpc.write(withAcl([{ ...echo, protocol: "icmp", icmpType: 8 }, { ...echo, number: 3, protocol: "icmpv6", icmpType: 128 }, ALLOW], change));
  expect(await Promise.all(["10.1.2.12", "fd01:2::12"].flatMap((to) => [pinged("web1", to), pinged("web1", "-s4000", to)]))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(await answered(sandbox, "web1", PROBES)).toEqual(PROBES);
});

/** Packets to app2 that the switch of node1 does not send. */
async function dropped(bridge: string, fields: string, packets: readonly string[]): Promise<string[]> {
  const said = await script(
    sandbox,
    "node1",
    packets.map((packet) => `ovs-appctl ofproto/trace ${bridge} '${fields},${packet}' | sed -n 's/^Datapath actions: //p'`),
  );
  return packets.filter((_, index) => said.split("\n")[index] === "drop");
}

test("a first fragment that ends before its ports, and neighbour discovery in fragments, are dropped", async () => {
  await vpc.write(withAcl([{ ...udp("deny", "7002") }, ALLOW], { portSecurity: true }));
  const own = `dl_src=${place("web", "node1").mac}`;
  const sixth = "ipv6_src=fd01:1::11,ipv6_dst=fd01:2::12,nw_ttl=64";
  const fourth = "nw_src=10.1.1.11,nw_dst=10.1.2.12,nw_ttl=64";
  const incomplete = [`tcp,${fourth},nw_frag=first`, `udp6,${sixth},nw_frag=first`, `icmp6,${sixth},nw_frag=first`, `ipv6,${sixth},nw_proto=0`];
  const complete = [`tcp,${fourth},nw_frag=first,tp_src=5000,tp_dst=80`, `icmp,${fourth},nw_frag=first`, `ipv6,${sixth},nw_proto=44,nw_frag=later`];
  const toRouter = `in_port=pr1001,${own},dl_dst=${routerMac("blue", "node1")}`;
  expect(await dropped("lr-blue", toRouter, [...incomplete, ...complete])).toEqual(incomplete);
  const discovery = (type: number) => `icmp6,ipv6_src=fd01:1::11,ipv6_dst=ff02::1,icmpv6_type=${type},icmpv6_code=0`;
  const advertisement = `${discovery(136)},nd_target=fd01:1::11,nd_tll=${place("web", "node1").mac}`;
  const hidden = [133, 135, 136].map((type) => `${discovery(type)},nw_frag=first`);
  expect(
    await dropped("br-t1001", `in_port=web1,${own},dl_dst=33:33:00:00:00:01`, [advertisement, `${advertisement},nw_frag=first`, ...hidden, discovery(128)]),
  ).toEqual([`${advertisement},nw_frag=first`, ...hidden]);
});

test("a fragment mode that another writer changed is drift, and an update restores it", async () => {
  const modes = () => script(sandbox, "node1", ["for bridge in br-t1001 br-t1002 br-t1003 lr-blue; do ovs-ofctl get-frags $bridge; done"]);
  await vpc.write(vpcArgs());
  expect([await vpc.refresh(), await modes()]).toEqual([{}, "nx-match\nnx-match\nnx-match\nnx-match"]);
  await script(sandbox, "node1", ["ovs-ofctl set-frags br-t1001 drop", "ovs-ofctl set-frags lr-blue normal"]);
  expect(await vpc.refresh()).toEqual({
    "VpcBridges node1": { "br-t1001 fragments": "drop instead of nx-match" },
    "LogicalRouterBridge node1": { "lr-blue fragments": "normal instead of nx-match" },
  });
  expect(await vpc.write(vpcArgs())).toEqual(["update LogicalRouterBridge node1", "update VpcBridges node1"]);
  expect([await vpc.refresh(), await modes()]).toEqual([{}, "nx-match\nnx-match\nnx-match\nnx-match"]);
});

describe("a connection that began by the virtual router", () => {
  const ALLOWED = udp("allow", "7001");
  /** Arguments with rules of app; with egress denied, answers have no rule of their own. */
  const ruled =
    (egress: "allow" | "deny") =>
    (rules: VpcAclRuleArgs[], change: Partial<VpcArgs> = {}): VpcArgs =>
      withAcl([...rules, { number: 50, action: egress, direction: "egress" }], { stateful: true, ...change });

  test.each(["allow", "deny"] as const)("ends with its rule when the logical routers take it over, in each order of hosts; egress: %s", async (egress) => {
    const args = ruled(egress);
    await using _there = await answering(sandbox, "app2", 7001);
    for (const first of ["node1", "node2"]) {
      await vpc.write(args([ALLOWED], { enabled: false }));
      await using old = await Conversation.start(sandbox, "web1", "10.1.2.12", 7001);
      expect(await old.answers(10)).toBeGreaterThan(5);
      const during = old.answers(150);
      await vpc.writeRouters(args([]), [first]);
      await during;
      // The virtual router of this test has no lists: what it still answers ends with the other host's logical router.
      await vpc.write(args([]));
      expect([first, await old.answers(50)]).toEqual([first, 0]);
      await vpc.write(args([ALLOWED]));
      expect(await old.answers(50)).toBeGreaterThan(40);
    }
  });

  test("continues on the logical routers if a rule allows it, and ends with the rule when a fallback ends", async () => {
    const args = ruled("deny");
    await using _there = await answering(sandbox, "app2", 7001);
    await vpc.write(args([ALLOWED], { enabled: false }));
    await using old = await Conversation.start(sandbox, "web1", "10.1.2.12", 7001);
    expect(await old.answers(10)).toBeGreaterThan(5);
    const during = old.answers(100);
    await vpc.write(args([ALLOWED]));
    expect(await during).toBeGreaterThan(80);
    await script(sandbox, "node1", ["ovs-vsctl del-port t1002-node2"]);
    await vpc.writeRouters(args([ALLOWED]));
    expect(vpc.state("node1")).toMatch(/^fallback/);
    await using later = await Conversation.start(sandbox, "web1", "10.1.2.12", 7001);
    expect(await later.answers(20)).toBeGreaterThan(10);
    await vpc.write(args([]));
    expect([vpc.state("node1"), await later.answers(50), await old.answers(50)]).toEqual(["enabled", 0, 0]);
  });
});
