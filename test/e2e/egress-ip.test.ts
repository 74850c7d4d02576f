import { execFile } from "node:child_process";
import { join } from "node:path";
import { Example, failed, type Running, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import egressIp from "../../examples/egress-ip/proof.mts";
import { Control } from "../support/control";
import { beyondControl } from "../support/excess";
import type { Received } from "../support/flow-sender";
import type { Flow, Stage } from "../support/flow";
import { SlowChassis } from "../support/slow";
import { type Answers, APART, acquainted, connections, continuously, expectSpread, serve, talkers } from "./egress-ip-traffic";

const OUTSIDE = { 4: "192.0.2.1", 6: "2001:db8::1" } as const;
const [A4, B4, A6, B6] = ["172.18.0.202", "172.18.0.203", "fc00:f853:ccd:e793::ca", "fc00:f853:ccd:e793::cb"] as const;

let sandbox: Sandbox;
let example: Example;
const servers: Running[] = [];

/** Updates of a real stack, several in one test. */
jest.setTimeout(300_000);

beforeAll(async () => {
  sandbox = await up({ name: "test-egress" });
  example = await Example.copy("examples/egress-ip", ["Pulumi.yaml", "tsconfig.json", "index.ts"], sandbox.targets);
  servers.push(await serve(sandbox, "ext"), await serve(sandbox, "vm1"));
}, 300_000);
afterAll(async () => {
  for (const server of servers) server.signal("SIGKILL");
  await sandbox?.down();
  await example?.[Symbol.asyncDispose]();
});

const nbctl = async (host: string, ...args: string[]) => (await sandbox.exec(host, ["ovn-nbctl", ...args])).stdout;
const neighbour = async (address: string) => /lladdr (\S+)/.exec((await sandbox.exec("ext", ["ip", "neighbour", "show", address])).stdout)?.[1];
const place = (addresses: Record<string, string>) => example.run("config", "set", "egress:addresses", JSON.stringify(addresses), "--stack", "test");

/** Next hops of the reroute policies in a zone, by workload address. */
async function nextHops(zone: string): Promise<Record<string, string>> {
  const rows = JSON.parse(await nbctl(zone, "--format=json", "--columns=match,nexthops", "find", "Logical_Router_Policy", "priority=100")) as {
    data: [string, string | [string, string[]]][];
  };
  return Object.fromEntries(rows.data.map(([match, hops]) => [match.split(" == ")[1]!, (Array.isArray(hops) ? hops[1] : [hops]).toSorted().join(" ")]));
}

async function warm(): Promise<void> {
  for (const vm of ["vm1", "vm2", "vm3"]) for (const host of Object.values(OUTSIDE)) await acquainted(sandbox, vm, host, 20);
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
const cli = (...args: string[]) =>
  new Promise<Ran>((resolve) => {
    const env = { ...process.env, PULUMI_OVN_ZONES: JSON.stringify(sandbox.zones) };
    execFile(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "egress", ...args], { env, cwd: example.folder }, (error, stdout, stderr) =>
      resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });

it("spreads new connections over all addresses, from the first up", async () => {
  expect(await example.changes("up")).toEqual({ create: 30 });
  await warm();
  expect(failed(await egressIp.prove({ sandbox, example }))).toEqual([]);
  for (const vm of ["vm1", "vm2"]) {
    expectSpread(await connections(sandbox, vm, OUTSIDE[4], 400), 400, A4, B4);
    expectSpread(await connections(sandbox, vm, OUTSIDE[6], 400), 400, A6, B6);
  }
  // Not served: by its own node.
  expectSpread(await connections(sandbox, "vm3", OUTSIDE[4], 40), 40, "172.18.0.13");
  expectSpread(await connections(sandbox, "vm3", OUTSIDE[6], 40), 40, "fc00:f853:ccd:e793::d");
  expect(await example.changes("up")).toEqual({ same: 30 });
});

it("does not change traffic inside the network and to the nodes", async () => {
  expectSpread(await connections(sandbox, "vm2", "203.203.0.17", 60), 60, "203.203.0.18");
  expectSpread(await connections(sandbox, "vm3", "2010:100:200::11", 60), 60, "2010:100:200::13");
  const { code } = await sandbox.exec("vm1", ["ping", "-n", "-c3", "-W2", "172.18.0.13"]);
  expect(code).toBe(0);
});

it("answers connections that begin outside with the workload's own address", async () => {
  await sandbox.exec("ext", ["ip", "route", "add", "203.203.0.0/16", "via", "172.18.0.11"]);
  await sandbox.exec("ext", ["ip", "route", "add", "2010:100:200::/60", "via", "fc00:f853:ccd:e793::b"]);
  // TCP: an answer with any other address would be reset.
  expectSpread(await connections(sandbox, "ext", "203.203.0.17", 60), 60, "172.18.0.1");
  expectSpread(await connections(sandbox, "ext", "2010:100:200::11", 60), 60, "fc00:f853:ccd:e793::1");
});

it("moves an address to another node under running connections", async () => {
  const mac = await neighbour(A6);
  // The same from the same workload by another node, in a network that the update can't touch: what that loses, the machine loses.
  await using control = await Control.over(sandbox);
  await acquainted(sandbox, "vm1", control.elsewhere, 20);
  const ways = [OUTSIDE[4], OUTSIDE[6], control.elsewhere];
  const talk = await Promise.all(ways.map((way) => talkers(sandbox, "vm1", way, 50)));
  const opened = await Promise.all(ways.map((way) => continuously(sandbox, "vm1", way)));
  const from = Date.now();
  await place({ [A4]: "node1", [B4]: "node3", [A6]: "node1", [B6]: "node3" });
  {
    // The move also works if the new node receives the change late.
    await using _slow = await SlowChassis.of(sandbox, "node1", 50, 500);
    expect(await example.changes("up")).toEqual({ create: 2, update: 4, delete: 2, same: 24 });
  }
  const moved: Stage = { name: "moved", from, to: Date.now(), swap: true };
  const [talk4, talk6, still] = await Promise.all(talk.map((end) => end()));
  const [new4, new6, beside] = await Promise.all(opened.map((end) => end()));
  console.log("egress move:", JSON.stringify({ talk4, talk6, still, new4: new4!.tally, new6: new6!.tally, beside: beside!.tally }));
  for (const { alive } of [talk4!, talk6!]) expect(alive).toBeGreaterThanOrEqual(still!.alive);
  expect(Object.keys(beside!.tally).filter((answer) => answer !== "timeout")).toEqual([control.egressOf("vm1")]);
  // The old address on the new node, and never a node's own address.
  for (const [{ tally }, sources] of [
    [new4!, [A4, B4]],
    [new6!, [A6, B6]],
  ] as const) {
    // For a connection opened at this moment, the server may see the end of the handshake from another address and reset it.
    const { timeout: _lost, ECONNRESET: _reset, ...answered } = tally;
    expect(Object.keys(answered).sort()).toEqual(sources.toSorted());
  }
  const probes = (name: string, kind: Flow["kind"], { samples }: Answers): [Flow, Received] => [
    { name, kind, protocol: "udp", from: "vm1", to: name, over: ["node1"] },
    { samples },
  ];
  const heard = [probes("new IPv4", "egress", new4!), probes("new IPv6", "egress", new6!), probes("beside", "control", beside!)];
  expect(beyondControl(heard, [moved], [moved], () => true, APART)).toEqual([]);

  await warm();
  expectSpread(await connections(sandbox, "vm2", OUTSIDE[4], 200), 200, A4, B4);
  expectSpread(await connections(sandbox, "vm2", OUTSIDE[6], 200), 200, A6, B6);
  expect(await nbctl("node2", "--bare", "--columns=external_ip", "find", "NAT", `external_ip="${A4}"`)).toBe("");
  // The fabric was notified: an IPv4 address has its new gateway router's MAC, an IPv6 address keeps its own.
  expect(await neighbour(A4)).toBe("0a:58:ac:12:00:0b");
  expect(await neighbour(A6)).toBe(mac);
});

it("removes a dead node from each zone by one command, and adds it again", async () => {
  await sandbox.killDaemon("node3", "ovn-controller");
  await sandbox.killDaemon("node3", "ovs-vswitchd");
  // OVN has not noticed.
  expect((await connections(sandbox, "vm1", OUTSIDE[4], 80, "2000")).tally["timeout"]).toBeGreaterThan(0);

  const before = await nextHops("node1");
  expect(before["203.203.0.17"]).toBe("100.88.0.5 100.88.0.9");
  const trial = await cli("drain", "node3", "--dry-run");
  expect(trial).toMatchObject({ code: 0, stderr: "" });
  expect(trial.stdout.split("\n")).toContain("zone node1: ip4.src == 203.203.0.17: 100.88.0.5, 100.88.0.9 -> 100.88.0.5");
  expect(trial.stdout).toContain("node3: 4 policies would be drained");
  expect(await nextHops("node1")).toEqual(before);

  expect((await cli("drain", "node3")).stdout).toContain("node3: 4 policies drained");
  expect((await cli("drain", "node3")).stdout).toBe("node3: 0 policies drained\n");
  expectSpread(await connections(sandbox, "vm1", OUTSIDE[4], 80), 80, A4);
  expectSpread(await connections(sandbox, "vm2", OUTSIDE[6], 80), 80, A6);

  const last = await cli("drain", "node1");
  expect(last.code).toBe(1);
  expect(last.stderr).toContain('OVN_LAST_NEXT_HOP: "node1" is the last next hop of 4 policies');
  expect((await nextHops("node2"))["203.203.0.18"]).toBe("100.88.0.5");

  // The stack sees it as drift, and would undo it.
  expect(await example.run("preview", "--refresh", "--diff", "--stack", "test")).toMatch(
    /100\.88\.0\.5 => .*100\.88\.0\.5.*100\.88\.0\.9|nexthops=100\.88\.0\.5,100\.88\.0\.9/,
  );

  // Not before the node is ready.
  const early = await cli("restore", "node3", "--timeout", "1");
  expect(early).toMatchObject({ code: 1, stdout: "" });
  expect(early.stderr).toMatch(
    /^pulumi-ovn egress: OVN_NOT_PROPAGATED: zone node3: .*chassis node3 did not install the flows; .*nothing was restored; --timeout 0 does it all the same\n$/,
  );
  expect((await nextHops("node1"))["203.203.0.17"]).toBe("100.88.0.5");

  await sandbox.startDaemon("node3", "ovs-vswitchd");
  await sandbox.startDaemon("node3", "ovn-controller");
  expect((await cli("restore", "node3")).stdout).toContain("node3: 4 policies restored");
  expect((await cli("restore", "node3")).stdout).toBe("node3: 0 policies restored\n");
  expect(await nextHops("node1")).toEqual(before);
  await warm();
  expectSpread(await connections(sandbox, "vm1", OUTSIDE[4], 200), 200, A4, B4);
});

it("follows a removed node, and cleans up", async () => {
  await place({ [A4]: "node1", [A6]: "node1" });
  await example.changes("up");
  expect(await nextHops("node2")).toEqual({ "203.203.0.18": "100.88.0.5", "2010:100:200::12": "fd97::5" });
  expectSpread(await connections(sandbox, "vm1", OUTSIDE[4], 80), 80, A4);
  expectSpread(await connections(sandbox, "vm2", OUTSIDE[6], 80), 80, A6);

  expect(Object.keys(await example.changes("destroy"))).toEqual(["delete"]);
  for (const host of ["node1", "node2", "node3"]) {
    for (const table of ["Logical_Router", "Logical_Switch", "Address_Set", "QoS", "NAT", "Logical_Router_Policy"])
      expect([host, table, await nbctl(host, "--bare", "--columns=_uuid", "list", table)]).toEqual([host, table, ""]);
  }
});
