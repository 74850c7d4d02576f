import type { Sandbox } from "../../sandbox";
import { ECHO_PORT, type Flow } from "./flows";

/** The workloads of a three-host sandbox in the network `blue`; IPv6 routers are learned from advertisements. */
export const MACHINES = [1, 2, 3].map((n) => ({
  name: `vm${n}`,
  host: `node${n}`,
  mac: `0a:58:cb:cb:00:1${n}`,
  addresses: [`203.203.0.${16 + n}/16`, `2010:100:200::1${n}/60`],
  gateways: ["203.203.0.1"],
}));

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
  const both = (kind: Flow["kind"], from: string, to: string, title: string, port?: number): Flow[] =>
    (["udp", "tcp"] as const).map((protocol) => ({ name: `${title} ${protocol}`, kind, protocol, from, to, ...(port !== undefined && { port }) }));
  return ALL.flatMap((n): Flow[] => [
    ...both("east-west", `vm${n}`, four(next(n)), `vm${n} to vm${next(n)}`),
    { name: `vm${n} to vm${next(n)} v6 udp`, kind: "east-west", protocol: "udp", from: `vm${n}`, to: six(next(n)) },
    ...both("out", `vm${n}`, "192.0.2.1", `vm${n} out`),
    { name: `vm${n} out v6 udp`, kind: "out", protocol: "udp", from: `vm${n}`, to: "2001:db8::1" },
    ...both("service", "ext", outside(n), `service of node${n} to vm${next(n)}`, SERVICE_PORT + next(n)),
    { name: `service of node${n} to vm${next(n)} v6 udp`, kind: "service", protocol: "udp", from: "ext", to: outsideSix(n), port: SERVICE_PORT + next(n) },
    { name: `vm${n} to join address of node${next(n)}`, kind: "join", protocol: "icmp", from: `vm${n}`, to: join(next(n)) },
    ...both("egress", `vm${n}`, "192.0.2.2", `vm${n} by node${next(n)}`),
  ]);
}

async function nbctl(sandbox: Sandbox, node: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(node, ["ovn-nbctl", "--timeout=20", ...args], { timeout: 30_000 });
  if (code !== 0) throw new Error(`ovn-nbctl ${args.join(" ")} on ${node}: ${stderr}`);
  return stdout.trim();
}

/** A load balancer on every gateway router, for every workload, IPv4 and IPv6, UDP and TCP. */
export async function serveWorkloads(sandbox: Sandbox): Promise<void> {
  await Promise.all(
    ALL.map((node) => {
      const balancers = ALL.flatMap((vm) =>
        [["4", `${outside(node)}:${SERVICE_PORT + vm}`, `${four(vm)}:${ECHO_PORT}`], ["6", `[${outsideSix(node)}]:${SERVICE_PORT + vm}`, `[${six(vm)}]:${ECHO_PORT}`]].flatMap(([family, vip, backend]) =>
          ["udp", "tcp"].flatMap((protocol) => ["--", "lb-add", `lb-${family}-${protocol}-${vm}`, vip!, backend!, protocol, "--", "lr-lb-add", `GR_blue_node${node}`, `lb-${family}-${protocol}-${vm}`]),
        ),
      );
      return nbctl(sandbox, `node${node}`, ...balancers);
    }),
  );
}

export async function stopServing(sandbox: Sandbox): Promise<void> {
  await Promise.all(ALL.map((node) => nbctl(sandbox, `node${node}`, "--all", "destroy", "load_balancer")));
}

/** What is for the address outside leaves by another node, there with an egress address: the translation and the policy on the gateway router. */
export async function egressElsewhere(sandbox: Sandbox): Promise<void> {
  const [sw, inports] = ["blue_ovn_layer2_switch", (name: string) => `{"rtos-${name}", "rtos-${name}-alias"}`];
  await Promise.all(
    ALL.map((n) =>
      nbctl(
        sandbox, `node${n}`,
        // The workload that leaves here is the one of the node before.
        "lr-nat-add", `GR_blue_node${n}`, "snat", `172.18.0.${200 + n}`, four(n === 1 ? 3 : n - 1),
        // On the gateway router only for packets that come from the switch: after the node's move they have been decided about already.
        "--", "lr-policy-add", `GR_blue_node${n}`, "100", `inport == ${inports(sw)} && ip4.src == ${four(n)} && ip4.dst == 192.0.2.2`, "reroute", join(next(n)),
      ),
    ),
  );
}

/** The same policy on the transit router, which exists in an upgrade and after it: over the switch or over transit links; false: none. */
export async function egressByTransit(sandbox: Sandbox, by: "join" | "transit" | false): Promise<void> {
  await Promise.all(
    ALL.map(async (n) => {
      const hop = by === "join" ? join(next(n)) : `100.88.0.${2 * (1 + next(n)) + 1}`;
      const match = `ip4.src == ${four(n)} && ip4.dst == 192.0.2.2`;
      const uuid = await nbctl(sandbox, `node${n}`, "--bare", "--columns=_uuid", "find", "logical_router_policy", `match="${match}"`);
      if (by === false) await nbctl(sandbox, `node${n}`, "lr-policy-del", "blue_transit_router", "100", match);
      else if (uuid === "") await nbctl(sandbox, `node${n}`, "lr-policy-add", "blue_transit_router", "100", match, "reroute", hop);
      else await nbctl(sandbox, `node${n}`, "set", "logical_router_policy", uuid, `nexthops=${hop}`);
    }),
  );
}

/** Until every chassis has what every zone's Northbound database says. */
export async function reached(sandbox: Sandbox): Promise<void> {
  await Promise.all(sandbox.hosts.map(({ name }) => nbctl(sandbox, name, "--wait=hv", "sync")));
}
