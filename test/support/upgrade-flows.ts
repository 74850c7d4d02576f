import type { Layer2NetworkArgs, Topology, UpgradeStage } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import type { Flow } from "./flow";
import { ECHO_PORT } from "./flows";
import type { LivePolicy } from "./live-network";
import { blue, NODES } from "./network";
import { runScript } from "./run-script";

/** The workloads of a three-host sandbox in the network `blue`; IPv6 routers are learned from advertisements. */
export const MACHINES = [1, 2, 3].map((n) => ({
  name: `vm${n}`,
  host: `node${n}`,
  mac: `0a:58:cb:cb:00:1${n}`,
  addresses: [`203.203.0.${16 + n}/16`, `2010:100:200::1${n}/60`],
  gateways: ["203.203.0.1"],
}));

const WORKLOADS = Object.fromEntries(
  MACHINES.map(({ name, host, mac, addresses }) => [name, { node: host, mac, addresses: addresses.map((address) => address.split("/")[0]!) }]),
);

/** The network `blue` with {@link MACHINES}. "ttg": nodes 1 and 2 have the transit topology, node 3 the gateway topology. */
export function state(topologies: string, upgrade?: UpgradeStage): Layer2NetworkArgs {
  const nodes = Object.entries(NODES).map(([name, node], index) => [
    name,
    { ...node, topology: (topologies[index] === "t" ? "transit" : "gateway") as Topology },
  ]);
  return blue(undefined, {
    tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
    nodes: Object.fromEntries(nodes),
    workloads: WORKLOADS,
    // So that what advertisements do wrong is seen within the test.
    routerAdvertisements: { maxInterval: 4, minInterval: 3 },
    ...(upgrade && { upgrade }),
  });
}

const four = (n: number) => `203.203.0.${16 + n}`;
const six = (n: number) => `2010:100:200::1${n}`;
const join = (n: number) => `100.65.0.${1 + n}`;
const outside = (n: number) => `172.18.0.${10 + n}`;
const outsideSix = (n: number) => `fc00:f853:ccd:e793::${(10 + n).toString(16)}`;
const SERVICE_PORT = 9000;
const ALL = [1, 2, 3];
const next = (n: number) => (n % 3) + 1;

/** Every way that packets take: between workloads, out, in through the load balancer of another node, by an egress address elsewhere, to join addresses. */
export function upgradeFlows(): Flow[] {
  const both = (kind: Flow["kind"], from: string, to: string, title: string, over: readonly string[], port?: number): Flow[] =>
    (["udp", "tcp"] as const).map((protocol) => ({ name: `${title} ${protocol}`, kind, protocol, from, to, over, ...(port !== undefined && { port }) }));
  return ALL.flatMap((n): Flow[] => {
    const [own, pair] = [[`node${n}`], [`node${n}`, `node${next(n)}`]];
    return [
      ...both("east-west", `vm${n}`, four(next(n)), `vm${n} to vm${next(n)}`, pair),
      { name: `vm${n} to vm${next(n)} v6 udp`, kind: "east-west", protocol: "udp", from: `vm${n}`, to: six(next(n)), over: pair },
      ...both("out", `vm${n}`, "192.0.2.1", `vm${n} out`, own),
      { name: `vm${n} out v6 udp`, kind: "out", protocol: "udp", from: `vm${n}`, to: "2001:db8::1", over: own },
      ...both("service", "ext", outside(n), `service of node${n} to vm${next(n)}`, pair, SERVICE_PORT + next(n)),
      {
        name: `service of node${n} to vm${next(n)} v6 udp`,
        kind: "service",
        protocol: "udp",
        from: "ext",
        to: outsideSix(n),
        port: SERVICE_PORT + next(n),
        over: pair,
      },
      { name: `vm${n} to join address of node${next(n)}`, kind: "join", protocol: "icmp", from: `vm${n}`, to: join(next(n)), over: pair },
      ...both("egress", `vm${n}`, ELSEWHERE[0], `vm${n} by node${next(n)}`, pair),
      { name: `vm${n} by node${next(n)} v6 udp`, kind: "egress", protocol: "udp", from: `vm${n}`, to: ELSEWHERE[1], over: pair },
    ];
  });
}

async function nbctl(sandbox: Sandbox, node: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(node, ["ovn-nbctl", "--timeout=20", ...args], { timeout: 30_000 });
  if (code !== 0) throw new Error(`ovn-nbctl ${args.join(" ")} on ${node}: ${stderr}`);
  return stdout.trim();
}

/** For every workload and a node, IPv4 and IPv6, UDP and TCP: name, address, backend, protocol. */
function balancers(node: number): [name: string, vip: string, backend: string, protocol: string][] {
  return ALL.flatMap((vm) =>
    (
      [
        ["4", `${outside(node)}:${SERVICE_PORT + vm}`, `${four(vm)}:${ECHO_PORT}`],
        ["6", `[${outsideSix(node)}]:${SERVICE_PORT + vm}`, `[${six(vm)}]:${ECHO_PORT}`],
      ] as const
    ).flatMap(([family, vip, backend]) =>
      ["udp", "tcp"].map((protocol): [string, string, string, string] => [`lb-${family}-${protocol}-${vm}`, vip, backend, protocol]),
    ),
  );
}

const onEveryNode = (sandbox: Sandbox, command: (balancer: ReturnType<typeof balancers>[number], router: string) => string[]) =>
  Promise.all(ALL.map((node) => nbctl(sandbox, `node${node}`, ...balancers(node).flatMap((balancer) => ["--", ...command(balancer, `GR_blue_node${node}`)]))));

/** A load balancer on every gateway router, for every workload. */
export async function serveWorkloads(sandbox: Sandbox): Promise<void> {
  await onEveryNode(sandbox, ([name, ...rest], router) => ["lb-add", name, ...rest, "--", "lr-lb-add", router, name]);
}

export async function stopServing(sandbox: Sandbox): Promise<void> {
  await onEveryNode(sandbox, ([name]) => ["lb-del", name]);
}

/** External addresses in addition to those of the sandbox. Packets to these addresses leave by another node. */
const ELSEWHERE = ["192.0.2.2", "2001:db8::2"] as const;

export async function addElsewhere(sandbox: Sandbox): Promise<void> {
  for (const address of ELSEWHERE) await sandbox.exec("ext", ["ip", "address", "add", address, "dev", "lo"]);
}

/** Each workload leaves by the next node, with an egress address of its own there; but for what is for the other address outside. */
export const POLICIES: readonly LivePolicy[] = ALL.map((n) => ({
  name: `egress${n}`,
  workloads: [`vm${n}`],
  addresses: { [`172.18.0.${200 + n}`]: `node${next(n)}`, [`fc00:f853:ccd:e793::${(200 + n).toString(16)}`]: `node${next(n)}` },
  keep: ["192.0.2.1", "2001:db8::1"],
}));

/**
 * Milliseconds after which IPv6 workloads have renewed their neighbor entries: with {@link forgetEarly} an entry lasts 3 s at most, is probed
 * three times within three seconds, and routers advertise themselves every 4 s.
 */
export const RENEWED = 10_000;

/** Lets workloads renew their neighbour entries within {@link RENEWED}: a Linux guest as it comes takes up to 75 seconds. (ip-sysctl, arp(7)) */
export async function forgetEarly(sandbox: Sandbox, names: readonly string[] = MACHINES.map(({ name }) => name)): Promise<void> {
  const script =
    "cd /proc/sys/net/ipv6/neigh; for f in */base_reachable_time_ms; do echo 2000 > $f; done; for f in */delay_first_probe_time; do echo 1 > $f; done";
  for (const name of names) await runScript(sandbox, name, script);
}

/** Waits until every workload has an IPv6 router: earlier packets are lost. */
export async function advertised(sandbox: Sandbox): Promise<void> {
  const script = "until ip -6 route show default | grep -q .; do sleep 0.1; done";
  await Promise.all(MACHINES.map(({ name }) => runScript(sandbox, name, script)));
}

/** Waits until every chassis has installed every zone's Northbound rows. */
export async function reached(sandbox: Sandbox): Promise<void> {
  await Promise.all(sandbox.hosts.map(({ name }) => nbctl(sandbox, name, "--wait=hv", "sync")));
}
