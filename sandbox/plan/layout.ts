import { SandboxError } from "../kit/errors";
import { type HostAddresses, type WorkloadAddresses, hostAddresses, maximumHosts, workloadAddresses } from "./addresses";
import { leafNames } from "./fabric";

/** Options of `up`. */
export interface UpOptions {
  /** The sandbox's name; sandboxes of different names run side by side. Default `default`. */
  readonly name?: string | undefined;
  /** Number of hosts, `node1` to `nodeN`; default 3. */
  readonly hosts?: number | undefined;
  /** Hosts of one zone, the first of which has its databases; default 1. */
  readonly hostsPerZone?: number | undefined;
  /** Whether the hosts run OVN; without it they are plain Open vSwitch, with a bridge for the tunnels' end and no other. Default true. */
  readonly ovn?: boolean | undefined;
  /** Whether FRR runs on the hosts and the upstream router, with BGP sessions between them. Default false. */
  readonly frr?: boolean | undefined;
  /**
   * Whether the hosts are in a fabric instead of on one external network: two leaves with FRR, `leaf1` and `leaf2`, a cable and
   * BGP sessions from each host to both, the upstream router behind them. br-ex then has no port to the outside, so what a host
   * announces is the only way in. FRR runs then. Default false.
   */
  readonly fabric?: boolean | undefined;
  /**
   * Whether there is a Kubernetes API server, with the hosts as nodes, and on every host a frr-k8s that configures the host's
   * FRR: the upstream router waits for the sessions that FRRConfigurations say. FRR runs then. Default false.
   */
  readonly kubernetes?: boolean | undefined;
  /** Workloads to start with; default one per host, `vm<i>` on `node<i>`. */
  readonly workloads?: readonly Workload[] | undefined;
}

/**
 * A workload: a network namespace with one interface `eth0`, whose other end has the workload's name and is a port of a
 * bridge: of br-int with OVN; without OVN of `bridge`, or of none until it is attached.
 */
export interface Workload {
  /** Names the namespace, and the interface on the host: at most 15 characters. */
  readonly name: string;
  /** The host, `node1` for instance. */
  readonly host: string;
  /** `external_ids:iface-id`, the name of the logical switch port; the workload's name by default. */
  readonly ifaceId?: string | undefined;
  /** Bridge of the workload; created if missing. Only without OVN. */
  readonly bridge?: string | undefined;
  readonly mac?: string | undefined;
  /** With prefix lengths, `203.203.0.17/16`. None by default: configure them by `exec`. */
  readonly addresses?: readonly string[] | undefined;
  /** Default gateways, one for each family. With an IPv6 one, router advertisements are not followed. */
  readonly gateways?: readonly string[] | undefined;
}

/** A host of a sandbox. */
export interface Host extends HostAddresses {
  /** The zone, by the host that has its databases: the host itself, or another one. */
  readonly zone: string;
}

/** Everything that `up` makes. */
export interface Layout {
  readonly name: string;
  readonly ovn: boolean;
  readonly frr: boolean;
  readonly fabric: boolean;
  readonly kubernetes: boolean;
  readonly hosts: readonly Host[];
  readonly workloads: readonly Workload[];
}

/** The upstream router's namespace. */
export const upstream = "ext";

/** The namespaces that are there before any workload: routers and hosts. */
export const sitesOf = ({ fabric, hosts }: Pick<Layout, "fabric" | "hosts">): string[] => [
  upstream,
  ...(fabric ? leafNames : []),
  ...hosts.map((host) => host.name),
];

/** All namespaces. */
export const namespacesOf = (plan: Pick<Layout, "fabric" | "hosts" | "workloads">): string[] => [
  ...sitesOf(plan),
  ...plan.workloads.map((workload) => workload.name),
];

/** The name that kernel interfaces and, by it, namespaces may have. */
const interfaceName = /^[a-z][a-z0-9-]{0,14}$/;

const bridgeName = /^[A-Za-z][\w.-]{0,14}$/;

/** Checks the options and fills in the defaults. */
export const layout = (options: UpOptions = {}): Layout => {
  const { name = "default", hosts = 3, hostsPerZone = 1, ovn = true, kubernetes = false, fabric = false, frr = false } = options;
  if (!/^[a-z0-9][a-z0-9-]{0,19}$/.test(name)) throw new SandboxError("name", `a sandbox's name has 1 to 20 of a-z, 0-9 and "-", not ${JSON.stringify(name)}`);
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > maximumHosts)
    throw new SandboxError("hosts", `the number of hosts is a whole number from 1 to ${maximumHosts}, not ${hosts}`);
  if (!Number.isInteger(hostsPerZone) || hostsPerZone < 1)
    throw new SandboxError("hosts", `the number of hosts in a zone is a whole number from 1, not ${hostsPerZone}`);
  if (fabric && kubernetes) throw new SandboxError("fabric", "a sandbox with Kubernetes has no fabric: frr-k8s configures the hosts' FRR");
  const numbers = Array.from({ length: hosts }, (_, index) => index + 1);
  const made = numbers.map((number): Host => ({ ...hostAddresses(number), zone: hostAddresses(number - ((number - 1) % hostsPerZone)).name }));
  const workloads = options.workloads ?? numbers.map((number) => onHost(hostAddresses(number).name, workloadAddresses(number)));
  const namespaces = new Set(sitesOf({ fabric, hosts: made }));
  for (const workload of workloads) {
    checkWorkload(workload, { ovn, hosts: made });
    if (namespaces.has(workload.name)) throw new SandboxError("place", `two namespaces are named ${workload.name}`);
    namespaces.add(workload.name);
  }
  return { name, ovn, frr: frr || kubernetes || fabric, fabric, kubernetes, hosts: made, workloads };
};

const onHost = (host: string, addresses: WorkloadAddresses): Workload => ({ ...addresses, host });

/** Refuses a workload that cannot be made. */
export const checkWorkload = (workload: Workload, plan: Pick<Layout, "ovn" | "hosts">): void => {
  const { name, host, bridge, mac, addresses = [], gateways = [], ifaceId } = workload;
  const hosts = plan.hosts.map((made) => made.name);
  if (!interfaceName.test(name))
    throw new SandboxError("workload", `a workload's name has at most 15 of a-z, 0-9 and "-", starting with a letter, not ${JSON.stringify(name)}`);
  if (!hosts.includes(host)) throw new SandboxError("workload", `workload ${name}: there is no host ${host}; there are ${hosts.join(", ")}`);
  if (bridge !== undefined && (plan.ovn || !bridgeName.test(bridge)))
    throw new SandboxError(
      "workload",
      `workload ${name}: ${plan.ovn ? "with OVN it is attached to br-int" : `not a bridge's name: ${JSON.stringify(bridge)}`}`,
    );
  if (mac !== undefined && !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac))
    throw new SandboxError("workload", `workload ${name}: not a MAC address: ${JSON.stringify(mac)}`);
  // They become words of a shell script and of ovs-vsctl's own syntax.
  for (const cidr of addresses)
    if (!/^[0-9a-f.:]+\/\d+$/i.test(cidr)) throw new SandboxError("workload", `workload ${name}: not an address with prefix length: ${JSON.stringify(cidr)}`);
  for (const gateway of gateways)
    if (!/^[0-9a-f.:]+$/i.test(gateway)) throw new SandboxError("workload", `workload ${name}: not an address: ${JSON.stringify(gateway)}`);
  if (ifaceId !== undefined && !/^[\w.:/-]+$/.test(ifaceId))
    throw new SandboxError("workload", `workload ${name}: iface-id has letters, digits and . : / _ - only, not ${JSON.stringify(ifaceId)}`);
};
