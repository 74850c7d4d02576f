import { rmSync } from "node:fs";
import { askVpc, type PlacedVpc, type Protocol, type SimulateQuestion as Question, stateIn, switchPrograms, VpcShadow, vpcsIn } from "@pulumi-ovn/cli/testing";
import type { VpcArgs } from "@pulumi-ovn/provider";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { LiveVpc } from "../support/live-vpc";
import { places, virtualRouter, vpcArgs, workloads } from "../support/vpc-places";

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
  { name: "tcp", port: 5432 },
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

async function simulated(): Promise<Map<string, boolean | undefined>> {
  const vpcs = vpcsIn(stateIn(JSON.stringify(vpc.exported()), "the state"));
  await using shadow = await VpcShadow.create(switchPrograms());
  await shadow.write(vpcs);
  const found = new Map<string, boolean | undefined>();
  for (const { from, to } of pairs)
    for (const { family, protocol } of KINDS) {
      const [source, address] = [from.addresses, to.addresses].map((list) => list[family === 4 ? 0 : 1]) as [string, string];
      const question: Question = { from: { kind: "workload", name: from.name }, source, to: { kind: "workload", name: to.name, address }, family, protocol };
      found.set(textOf(from.name, address, protocol), (await askVpc(vpcs[0] as PlacedVpc, shadow, question)).reach);
    }
  return found;
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
