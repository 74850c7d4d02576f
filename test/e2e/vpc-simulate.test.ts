import { rmSync } from "node:fs";
import { type Protocol, stateIn, VpcPlan } from "@pulumi-ovn/cli/testing";
import type { VpcArgs } from "@pulumi-ovn/provider";
import { Connections, targetsOf } from "@pulumi-ovn/provider/targets";
import { sameJson } from "@pulumi-ovn/provider/tools";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { LiveVpc } from "../support/live-vpc";
import { places, script, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let vpc: LiveVpc;

beforeAll(async () => {
  sandbox = await up({ name: "test-vpc-sim", hosts: 4, ovn: false, workloads });
  await virtualRouter(sandbox);
  vpc = new LiveVpc(sandbox.targets);
}, 120_000);
afterAll(async () => {
  await vpc?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const [HTTP, SQL]: Protocol[] = [
  { name: "tcp", port: 80 },
  { name: "tcp", port: 5999 },
];
const KINDS = [
  { family: 4, protocol: HTTP! },
  { family: 4, protocol: SQL! },
  { family: 6, protocol: HTTP! },
  { family: 4, protocol: { name: "icmp" } },
] as const;
const pairs = places.flatMap((from) => places.filter((to) => to !== from).map((to) => ({ from, to })));
const textOf = (from: string, to: string, protocol: Protocol) => `${from} > ${to} ${protocol.name === "icmp" ? "icmp" : protocol.port}`;

/** Opens all connections of a workload at the same time. A closed port that refuses has received the packet, and its answer has come back. */
const CLIENT = `
const net = require("node:net"), { execFile } = require("node:child_process");
for (const [address, port] of JSON.parse(process.argv[1])) {
  const arrived = () => console.log(address + " " + (port ?? "icmp"));
  if (port === undefined || port === null) { execFile("ping", ["-n", "-q", "-c2", "-i0.5", "-W3", address], (error) => error || arrived()); continue; }
  const socket = net.connect({ host: address, port, timeout: 4000 });
  socket.on("error", ({ code }) => code === "ECONNREFUSED" && arrived()).on("timeout", () => socket.destroy());
}`;

async function sent(): Promise<Set<string>> {
  const all = await Promise.all(
    places.map(async ({ name }) => {
      const targets = pairs
        .filter(({ from }) => from.name === name)
        .flatMap(({ to }) => KINDS.map(({ family, protocol }) => [to.addresses[family === 4 ? 0 : 1], protocol.name === "icmp" ? null : protocol.port]));
      const { stdout } = await sandbox.exec(name, [process.execPath, "-e", CLIENT, JSON.stringify(targets)], { timeout: 60_000 });
      return stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => `${name} > ${line}`);
    }),
  );
  return new Set(all.flat());
}

/** An update with the same arguments. It only restores what the hosts of the updated resources lack. */
function unchanged(updated: readonly string[] = []) {
  const { resources } = stateIn(JSON.stringify(vpc.exported()), "the state");
  const op = (urn: string) => (updated.some((name) => urn.endsWith(name)) ? "update" : "same");
  return { steps: resources.map((state) => ({ op: op(state.urn), urn: state.urn, oldState: state, newState: state })) };
}

/**
 * Answers to the questions of `simulate` about these kinds of packets.
 * @param senders default: all
 * @param live reads the hosts
 */
async function simulated(senders?: readonly string[], live?: Connections): Promise<Map<string, boolean | undefined>> {
  await using plan = await VpcPlan.create(unchanged(), live);
  const asked = plan.networks(new Set()).networks.flatMap((network) =>
    network.connections().map(async (connection) => {
      const { from, to, family, protocol } = connection.before;
      const isAsked = KINDS.some((kind) => kind.family === family && sameJson(kind.protocol, protocol));
      if (from.kind !== "workload" || to.kind !== "workload" || !isAsked || !(senders?.includes(from.name) ?? true)) return [];
      return [[textOf(from.name, to.address, protocol), (await network.compare(connection)).before.reach] as const];
    }),
  );
  return new Map((await Promise.all(asked)).flat());
}

const CIDRS = { web: ["10.1.1.0/24", "fd01:1::/64"], one: ["10.1.1.11/32"] };
const ACLS: VpcArgs["acls"] = {
  app: [
    { number: 5, action: "deny", direction: "ingress", protocol: "tcp", ports: "80", cidrs: CIDRS.one },
    { number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "80", cidrs: CIDRS.web },
    { number: 20, action: "deny", direction: "egress", protocol: "icmp" },
  ],
  db: [
    { number: 10, action: "deny", direction: "ingress", cidrs: CIDRS.web },
    { number: 20, action: "allow", direction: "ingress", protocol: "tcp", ports: "5000-5999" },
    { number: 30, action: "allow", direction: "ingress", protocol: "icmp" },
  ],
};

const argsOf = (change: Partial<VpcArgs>): VpcArgs => {
  const args = vpcArgs({ acls: ACLS, ...change });
  const { web, app, db } = args.tiers as Record<"web" | "app" | "db", VpcArgs["tiers"][string]>;
  return { ...args, tiers: { web, app: { ...app, acl: "app" }, db: { ...db, acl: "db" } } };
};

const VARIANTS: readonly (readonly [string, Partial<VpcArgs>])[] = [
  ["stateless", {}],
  ["stateful with port security, one logical router disabled", { stateful: true, portSecurity: true, enabled: { node2: false } }],
];

test.each(VARIANTS)("all pairs of a VPC with ACLs, simulated and sent, agree: %s", async (_what, change) => {
  await vpc.write(argsOf(change));
  const [answers, arrived] = await Promise.all([simulated(), sent()]);
  const wrong = [...answers].filter(([pair, reach]) => reach !== arrived.has(pair)).map(([pair, reach]) => `${pair}: simulated ${reach}`);
  expect([wrong, answers.size, [...answers.values()].includes(undefined)]).toEqual([[], pairs.length * KINDS.length, false]);
  expect(arrived.size).toBeGreaterThan(100);
  expect(arrived.size).toBeLessThan(answers.size - 50);
});

it("reads the current flows of hosts, and writes nothing", async () => {
  const { zones, hosts } = targetsOf(sandbox.targets, "test");
  const targets = new Connections(zones, hosts);
  const flows = () => script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 --no-stats dump-flows lr-blue", "ovs-vsctl --columns=name,external_ids list Bridge"]);
  try {
    await vpc.write(argsOf({}));
    await script(sandbox, "node2", ["ovs-ofctl -O OpenFlow14 del-flows lr-blue"]);
    const before = await flows();
    const [state, live] = [await simulated(["web2"]), await simulated(["web2", "web3"], targets)];
    // The logical router of node2 drops what its workloads send to other tiers, and replies.
    expect([state.get("web2 > 10.1.2.13 80"), live.get("web2 > 10.1.2.13 80")]).toEqual([true, false]);
    expect(live.get("web3 > 10.1.2.11 80")).toBe(true);
    expect(await flows()).toBe(before);
  } finally {
    await targets.close();
  }
});

/** Answers for connections of a workload to addresses, before and after an update, on copies of the hosts: whether they work, or why they are lost. */
async function compared(targets: Connections, sender: string, addresses: readonly string[], updated?: readonly string[]) {
  await using plan = await VpcPlan.create(unchanged(updated), targets);
  const [network] = plan.networks(new Set()).networks;
  const asked = network!.connections().filter(({ before: { from, to, protocol } }) => {
    const isAsked = from.kind === "workload" && from.name === sender && addresses.includes(to.address);
    return isAsked && sameJson(protocol, HTTP);
  });
  return await Promise.all(
    asked.map(async (connection) => {
      const { before, after } = await network!.compare(connection);
      return [connection.before.to.address, ...[before, after].map(({ reach, there: { outcome } }) => (outcome.kind === "lost" ? outcome.why : reach))];
    }),
  );
}

it("names a workload's port that is on another bridge, at both ends of a connection", async () => {
  const { zones, hosts } = targetsOf(sandbox.targets, "test");
  const targets = new Connections(zones, hosts);
  const move = (from: string, to: string) => script(sandbox, "node2", [`ovs-vsctl del-port ${from} web2 -- add-port ${to} web2`]);
  try {
    await vpc.write(argsOf({}));
    await move("br-t1001", "br-ex");
    const elsewhere = 'web2 of host "node2" does not work: on bridge br-ex';
    expect((await compared(targets, "web2", ["10.1.1.13", "10.1.2.13"])).sort()).toEqual([
      ["10.1.1.13", elsewhere, elsewhere],
      ["10.1.2.13", elsewhere, elsewhere],
    ]);
    expect(await compared(targets, "web3", ["10.1.1.12"])).toEqual([["10.1.1.12", elsewhere, elsewhere]]);
    expect(await compared(targets, "web2", ["10.1.1.13"], ["VpcBridges::node2"])).toEqual([["10.1.1.13", elsewhere, true]]);
  } finally {
    await move("br-ex", "br-t1001");
    await targets.close();
  }
});

it("names a tunnel and a bridge that hosts lack, and restores them with the update that does", async () => {
  const { zones, hosts } = targetsOf(sandbox.targets, "test");
  const targets = new Connections(zones, hosts);
  const answers = (updated?: readonly string[]) => compared(targets, "web3", ["10.1.2.12", "10.1.1.11"], updated);
  try {
    // Other rules replace all flows of the logical routers.
    await vpc.write(argsOf({ stateful: true }));
    await script(sandbox, "node3", ["ovs-vsctl del-port t1002-node2"]);
    await script(sandbox, "node1", ["ovs-vsctl del-br br-t1001"]);
    const [tunnel, bridge] = ['t1002-node2 of host "node3" does not work: missing', 'br-t1001 of host "node1" does not work: missing'];
    expect((await answers()).sort()).toEqual([
      ["10.1.1.11", bridge, bridge],
      ["10.1.2.12", tunnel, tunnel],
    ]);
    expect((await answers(["VpcBridges::node3"])).sort()).toEqual([
      ["10.1.1.11", bridge, bridge],
      ["10.1.2.12", tunnel, true],
    ]);
  } finally {
    await targets.close();
  }
});
