import { type HostAddresses, type WorkloadAddresses, hostAddresses, maximumHosts, workloadAddresses } from "./addresses";
import { SandboxError } from "./errors";

/** What `up` is asked for. */
export interface UpOptions {
  /** The sandbox's name; sandboxes of different names run side by side. Default `default`. */
  readonly name?: string | undefined;
  /** Number of hosts, `node1` to `nodeN`; default 3. */
  readonly hosts?: number | undefined;
  /** Hosts of one zone, the first of which has its databases; default 1. */
  readonly hostsPerZone?: number | undefined;
  /** Whether FRR runs on the hosts and the upstream router, with BGP sessions between them. Default false. */
  readonly frr?: boolean | undefined;
  /** Workloads to start with; default one per host, `vm<i>` on `node<i>`. */
  readonly workloads?: readonly Workload[] | undefined;
}

/** A workload: a network namespace with one interface `eth0`, whose other end is a port of its host's br-int. */
export interface Workload {
  /** Names the place, and the interface on the host: at most 15 characters. */
  readonly name: string;
  /** The host, `node1` for instance. */
  readonly host: string;
  /** `external_ids:iface-id`, the name of the logical switch port; the workload's name by default. */
  readonly ifaceId?: string | undefined;
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
  readonly frr: boolean;
  readonly hosts: readonly Host[];
  readonly workloads: readonly Workload[];
}

/** The upstream router's place. */
export const upstream = "ext";

/** The name that kernel interfaces and, by it, places may have. */
const interfaceName = /^[a-z][a-z0-9-]{0,14}$/;

/** Checks the options and fills in the defaults. */
export const layout = (options: UpOptions = {}): Layout => {
  const { name = "default", hosts = 3, hostsPerZone = 1, frr = false } = options;
  if (!/^[a-z0-9][a-z0-9-]{0,19}$/.test(name)) throw new SandboxError("name", `a sandbox's name has 1 to 20 of a-z, 0-9 and "-", not ${JSON.stringify(name)}`);
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > maximumHosts) throw new SandboxError("hosts", `the number of hosts is a whole number from 1 to ${maximumHosts}, not ${hosts}`);
  if (!Number.isInteger(hostsPerZone) || hostsPerZone < 1) throw new SandboxError("hosts", `the number of hosts in a zone is a whole number from 1, not ${hostsPerZone}`);
  const numbers = Array.from({ length: hosts }, (_, index) => index + 1);
  const made = numbers.map((number): Host => ({ ...hostAddresses(number), zone: hostAddresses(number - ((number - 1) % hostsPerZone)).name }));
  const workloads = options.workloads ?? numbers.map((number) => onHost(hostAddresses(number).name, workloadAddresses(number)));
  const places = new Set([upstream, ...made.map((host) => host.name)]);
  for (const workload of workloads) {
    checkWorkload(workload, made.map((host) => host.name));
    if (places.has(workload.name)) throw new SandboxError("place", `there are two places named ${workload.name}`);
    places.add(workload.name);
  }
  return { name, frr, hosts: made, workloads };
};

const onHost = (host: string, addresses: WorkloadAddresses): Workload => ({ ...addresses, host });

/** Refuses a workload that cannot be made. */
export const checkWorkload = (workload: Workload, hosts: readonly string[]): void => {
  const { name, host, mac, addresses = [], gateways = [], ifaceId } = workload;
  if (!interfaceName.test(name)) throw new SandboxError("workload", `a workload's name has at most 15 of a-z, 0-9 and "-", starting with a letter, not ${JSON.stringify(name)}`);
  if (!hosts.includes(host)) throw new SandboxError("workload", `workload ${name}: there is no host ${host}; there are ${hosts.join(", ")}`);
  if (mac !== undefined && !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac)) throw new SandboxError("workload", `workload ${name}: not a MAC address: ${JSON.stringify(mac)}`);
  // They become words of a shell script and of ovs-vsctl's own syntax.
  for (const cidr of addresses) if (!/^[0-9a-f.:]+\/\d+$/i.test(cidr)) throw new SandboxError("workload", `workload ${name}: not an address with prefix length: ${JSON.stringify(cidr)}`);
  for (const gateway of gateways) if (!/^[0-9a-f.:]+$/i.test(gateway)) throw new SandboxError("workload", `workload ${name}: not an address: ${JSON.stringify(gateway)}`);
  if (ifaceId !== undefined && !/^[\w.:/-]+$/.test(ifaceId)) throw new SandboxError("workload", `workload ${name}: iface-id has letters, digits and . : / _ - only, not ${JSON.stringify(ifaceId)}`);
};
