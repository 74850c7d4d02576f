import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { Connections, targetsOf } from "@pulumi-ovn/provider/targets";
import { handlers, isError, type Properties } from "@pulumi-ovn/provider/tools";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { median } from "../kit/measure";
import type { Benchmark } from "../kit/report";

const ROUNDS = 5;
const PINGS = 200;
/** Milliseconds for which bytes are sent. */
const SENDING = 2_000;

const tiers = { web: 1, app: 2 } as const;
const address = (tier: keyof typeof tiers, last: number) => `10.1.${tiers[tier]}.${last}`;
const mac = (tier: keyof typeof tiers) => `0a:00:00:00:00:0${tiers[tier]}`;
const workloads = [
  { name: "web1", tier: "web", host: "node1" },
  { name: "app2", tier: "app", host: "node2" },
] as const;

/** One workload of each tier, on two hosts; the virtual router is on the third. */
const vpc = (enabled: boolean): VpcArgs => ({
  name: "bench",
  hosts: Object.fromEntries([1, 2, 3].map((host) => [`node${host}`, { tunnelAddress: `198.18.0.${host}` }])),
  tiers: Object.fromEntries(
    Object.entries(tiers).map(([tier, number]) => [
      tier,
      { cidrs: [`10.1.${number}.0/24`], gateways: [`10.1.${number}.1`], key: 1000 + number, acl: "default_allow" },
    ]),
  ),
  workloads: Object.fromEntries(workloads.map(({ name, tier, host }) => [name, { tier, host, mac: mac(tier), addresses: [address(tier, 11)], port: name }])),
  virtualRouter: { host: "node3", ports: { web: "vr-web", app: "vr-app" } },
  datapathType: "netdev",
  enabled,
});

async function script(sandbox: Sandbox, place: string, lines: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, ["sh", "-e", "-s"], { input: lines.join("\n"), timeout: 120_000 });
  if (code !== 0) throw new Error(`on ${place}: ${stderr}`);
  return stdout;
}

/** A namespace that forwards between both tiers, as a virtual machine would. */
async function makeVirtualRouter(sandbox: Sandbox): Promise<void> {
  await sandbox.addWorkload("node3", { name: "vr" });
  const pid = (await readFile(join(sandbox.folder, "vr", "pid"), "utf8")).trim();
  await script(
    sandbox,
    "node3",
    Object.keys(tiers).map((tier) => `ip link add vr-${tier} type veth peer name ${tier} netns ${pid}\nip link set vr-${tier} addrgenmode none up`),
  );
  await script(sandbox, "vr", [
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
    ...Object.entries(tiers).map(
      ([tier, number]) =>
        `ip link set ${tier} address 0a:58:0a:01:0${number}:01 up\nip address add 10.1.${number}.1/24 dev ${tier}\nethtool -K ${tier} tx off > /dev/null`,
    ),
  ]);
}

/** Writes the resources of a VPC, in the order in which Pulumi does. */
class Written {
  readonly #states = new Map<string, Properties>();

  constructor(private readonly targets: Connections) {}

  async write(args: VpcArgs): Promise<void> {
    const { bridges, routers } = expandVpc(args);
    for (const [kind, all] of [
      ["VpcBridges", bridges],
      ["LogicalRouterBridge", routers],
    ] as const) {
      await Promise.all(Object.entries(all).map(([host, news]) => this.#put(kind, host, { ...news })));
    }
  }

  async #put(kind: string, host: string, news: Properties): Promise<void> {
    const [handler, olds] = [handlers[kind]!, this.#states.get(kind + host)];
    const request = { urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/ovn:${kind}::${host}`, secrets: [], targets: this.targets };
    const { inputs, diagnostics } = await handler.check({ ...request, olds: olds ?? {}, news });
    const error = diagnostics.find(isError);
    if (error) throw new Error(error.message);
    if (olds && !handler.diff({ olds, news: inputs }).changes) return;
    const { outs } = olds ? await handler.update({ ...request, id: "id", olds, news: inputs }) : await handler.create({ ...request, news: inputs });
    this.#states.set(kind + host, outs);
  }
}

const SERVER = `
require("net").createServer((socket) => {
  let bytes = 0;
  socket.on("data", (chunk) => (bytes += chunk.length));
  socket.on("end", () => (console.log(bytes), process.exit()));
}).listen(5001, () => console.log("ready"));`;

const CLIENT = `
const socket = require("net").connect(5001, "${address("app", 11)}", () => {
  const chunk = Buffer.alloc(65536);
  const end = Date.now() + ${SENDING};
  const more = () => { while (Date.now() < end) if (!socket.write(chunk)) return socket.once("drain", more); socket.end(); };
  more();
});`;

/** Median round trip in milliseconds, and megabits in a second over one TCP connection. */
async function measured(sandbox: Sandbox): Promise<{ latency: number; throughput: number }> {
  // The first packets find neighbours, and make the datapath's own flows.
  await script(sandbox, "web1", [`ping -n -q -c20 -i0.05 -W5 ${address("app", 11)} > /dev/null`]);
  const answers = await script(sandbox, "web1", [`ping -n -c${PINGS} -i0.01 -W5 ${address("app", 11)}`]);
  const times = [...answers.matchAll(/time=([\d.]+) ms/g)].map(([, time]) => Number(time));
  const server = await sandbox.spawn("app2", [process.execPath, "-e", SERVER]);
  let said = "";
  const ready = new Promise<void>((resolve) => server.process.stdout!.on("data", (chunk: Buffer) => ((said += chunk.toString()), resolve())));
  await ready;
  const start = performance.now();
  await sandbox.exec("web1", [process.execPath, "-e", CLIENT], { timeout: 60_000 });
  await server.exit;
  const bytes = Number(said.trim().split("\n").at(-1));
  return { latency: median(times), throughput: (bytes * 8) / 1e3 / (performance.now() - start) };
}

export const vpcPackets: Benchmark = {
  name: "vpc-packets",
  title: "A packet between tiers of a VPC",
  method: `Workloads of two tiers on two sandbox hosts (userspace datapath, GRE): by the logical router, then by the virtual router on a third host; medians of ${ROUNDS} rounds. Latency: ${PINGS} pings; throughput: one TCP connection for ${SENDING / 1000} seconds.`,
  async run() {
    const sandbox = await up({
      name: `bench-${process.pid}`,
      hosts: 3,
      ovn: false,
      workloads: workloads.map(({ name, host, tier }) => ({
        name,
        host,
        mac: mac(tier),
        addresses: [`${address(tier, 11)}/24`],
        gateways: [address(tier, 1)],
      })),
    });
    const { zones, hosts } = targetsOf(sandbox.targets, "sandbox");
    const targets = new Connections(zones, hosts);
    try {
      await makeVirtualRouter(sandbox);
      const written = new Written(targets);
      const found: Record<"logical" | "virtual", { latency: number; throughput: number }[]> = { logical: [], virtual: [] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const way of ["logical", "virtual"] as const) {
          await written.write(vpc(way === "logical"));
          found[way].push(await measured(sandbox));
        }
      }
      const [latency, virtualLatency] = [found.logical, found.virtual].map((all) => median(all.map((one) => one.latency))) as [number, number];
      const [throughput, virtualThroughput] = [found.logical, found.virtual].map((all) => median(all.map((one) => one.throughput))) as [number, number];
      return [
        {
          what: "latency by the logical router",
          ours: `${latency.toFixed(2)} ms`,
          peer: `virtual router ${virtualLatency.toFixed(2)} ms`,
          ratio: (latency / virtualLatency).toFixed(2),
          goal: "below 1",
          met: latency < virtualLatency,
        },
        {
          what: "throughput by the logical router",
          ours: `${throughput.toFixed(0)} Mbit/s`,
          peer: `virtual router ${virtualThroughput.toFixed(0)} Mbit/s`,
          ratio: (throughput / virtualThroughput).toFixed(2),
          goal: "above 1",
          met: throughput > virtualThroughput,
        },
      ];
    } finally {
      await targets.close();
      await sandbox.down();
    }
  },
};
