import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, externalNetwork } from "../plan/addresses";
import { addressesInFabric, leafAddresses, leafNames } from "../plan/fabric";
import { upstream } from "../plan/layout";
import type { ZoneEndpoints } from "./endpoints";
import type { Sandbox } from "./sandbox";

/** Contents of one namespace. */
export interface NamespaceStatus {
  readonly kind: "upstream" | "leaf" | "host" | "workload";
  readonly name: string;
  /** Addresses of the namespace itself, with prefix lengths where they have one. */
  readonly addresses: readonly string[];
  /** The process numbers of its daemons as seen from outside, by their names. */
  readonly processes: Readonly<Record<string, number>>;
  /** Memory of its processes in bytes: proportional set size, so shared pages are counted once. */
  readonly memory: number;
}

/** Endpoints of its databases, reachable from outside; without OVN only that of Open vSwitch. */
export interface HostStatus extends NamespaceStatus, Pick<ZoneEndpoints, "openvswitch">, Partial<Pick<ZoneEndpoints, "northbound" | "southbound">> {
  readonly kind: "host";
  /** The chassis' system-id. */
  readonly chassis: string;
  /** The tunnels' end. */
  readonly encap: string;
  /** Addresses meant for this host's gateway router in the external network. */
  readonly gatewayRouter: readonly string[];
  /** The zone, by the host that has its databases. */
  readonly zone: string;
}

export interface WorkloadStatus extends NamespaceStatus {
  readonly kind: "workload";
  readonly host: string;
  readonly ifaceId: string;
  readonly mac?: string | undefined;
}

export interface Status {
  readonly name: string;
  readonly folder: string;
  /** Whether hosts have OVN, not only Open vSwitch. */
  readonly ovn: boolean;
  readonly frr: boolean;
  /** Bytes used by all processes. */
  readonly memory: number;
  readonly upstream: NamespaceStatus;
  /** None without a fabric. */
  readonly leaves: readonly NamespaceStatus[];
  readonly hosts: readonly HostStatus[];
  readonly workloads: readonly WorkloadStatus[];
}

interface Process {
  readonly outer: number;
  readonly inner: number;
  readonly network: string;
  readonly memory: number;
}

/** Processes of a namespace by the names of their PID files. */
type NamespaceProcesses = Pick<NamespaceStatus, "name" | "processes" | "memory">;

/** Returns the status of a running sandbox. */
export const statusOf = async (sandbox: Sandbox): Promise<Status> => {
  const processes = processesOf(sandbox.firstProcess);
  const own = (name: string) => namespaceProcesses(join(sandbox.folder, name), name, processes);
  const { fabric, hosts } = sandbox;
  return {
    name: sandbox.name,
    folder: sandbox.folder,
    ovn: sandbox.ovn,
    frr: sandbox.frr,
    memory: sum(processes),
    upstream: {
      kind: "upstream",
      addresses: [...(fabric ? addressesInFabric(0) : externalNetwork.router), ...externalNetwork.outside],
      ...(await own(upstream)),
    },
    leaves: await Promise.all(
      fabric ? leafNames.map(async (leaf) => ({ kind: "leaf" as const, addresses: leafAddresses(leaf, hosts.length), ...(await own(leaf)) })) : [],
    ),
    hosts: await Promise.all(hosts.map(async (host, index) => hostStatus(sandbox, host, index, await own(host.name)))),
    workloads: await Promise.all(sandbox.workloads.map(async (workload) => workloadStatus(workload, await own(workload.name)))),
  };
};

const hostStatus = (sandbox: Sandbox, host: Sandbox["hosts"][number], index: number, namespace: NamespaceProcesses): HostStatus => ({
  kind: "host",
  zone: host.zone,
  chassis: host.name,
  encap: host.encap,
  addresses: sandbox.fabric ? addressesInFabric(index + 1) : host.external,
  gatewayRouter: host.gatewayRouter,
  ...(sandbox.ovn ? sandbox.endpoints(host) : { openvswitch: sandbox.endpoints(host).openvswitch }),
  ...namespace,
});

const workloadStatus = (workload: Sandbox["workloads"][number], namespace: NamespaceProcesses): WorkloadStatus => ({
  kind: "workload",
  host: workload.host,
  ifaceId: workload.ifaceId ?? workload.name,
  mac: workload.mac,
  addresses: workload.addresses ?? [],
  ...namespace,
});

const namespaceProcesses = async (folder: string, name: string, processes: readonly Process[]): Promise<NamespaceProcesses> => {
  const holder = Number(await readFile(join(folder, "pid"), "utf8"));
  const network = processes.find((process) => process.inner === holder)?.network;
  const own = processes.filter((process) => process.network === network);
  const named = readdirSync(folder)
    .filter((file) => file.endsWith(".pid"))
    .sort()
    .flatMap((file): [string, number][] => {
      const inner = Number(readFileSync(join(folder, file), "utf8"));
      const found = own.find((process) => process.inner === inner);
      return found === undefined ? [] : [[file.slice(0, -".pid".length), found.outer]];
    });
  return { name, processes: Object.fromEntries(named), memory: sum(own) };
};

const sum = (processes: readonly Process[]): number => processes.reduce((total, process) => total + process.memory, 0);

/** Every process in the sandbox's process namespace. Those that end meanwhile are left out. */
const processesOf = (init: number): Process[] => {
  const namespace = readlinkSync(`/proc/${init}/ns/pid`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): Process[] => {
      try {
        if (readlinkSync(`/proc/${name}/ns/pid`) !== namespace) return [];
        const numbers =
          /^NSpid:(.*)$/m
            .exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]
            ?.trim()
            .split(/\s+/) ?? [];
        const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, "utf8"))?.[1] ?? 0);
        return [{ outer: Number(name), inner: Number(numbers.at(-1)), network: readlinkSync(`/proc/${name}/ns/net`), memory: kilobytes * 1024 }];
      } catch {
        return []; // it ended, or belongs to another user
      }
    });
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** The status as a text for people. */
export const statusText = (status: Status): string => {
  const rows: string[][] = [["NAMESPACE", "WHAT", "ADDRESSES", "MEMORY"]];
  const row = (namespace: NamespaceStatus, what: string, ...more: string[]): void =>
    void rows.push([namespace.name, what, [...namespace.addresses.map(addressOf), ...more].join(" "), megabytes(namespace.memory)]);
  row(status.upstream, "upstream router");
  for (const leaf of status.leaves) row(leaf, "leaf");
  for (const host of status.hosts)
    row(
      host,
      host.zone === host.name ? "host" : `host of zone ${host.zone}`,
      `tunnels ${host.encap}`,
      `(gateway router ${host.gatewayRouter.map(addressOf).join(" ")})`,
    );
  for (const workload of status.workloads) row(workload, `workload on ${workload.host}`, workload.mac ?? "");
  const widths = [0, 1].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return [
    `sandbox ${status.name}: ${status.hosts.length} hosts${status.ovn ? "" : " without OVN"}${status.frr ? " with FRR" : ""}, ${megabytes(status.memory)}, ${status.folder}`,
    ...rows.map(([name, what, addresses, memory]) => `  ${name!.padEnd(widths[0]!)}  ${what!.padEnd(widths[1]!)}  ${memory!.padStart(6)}  ${addresses}`),
    "databases",
    ...status.hosts
      .filter((host) => host.zone === host.name)
      .map(
        (host) =>
          `  ${host.name.padEnd(widths[0]!)}  ${status.ovn ? `northbound ${host.northbound}  southbound ${host.southbound}` : `openvswitch ${host.openvswitch}`}`,
      ),
    "",
  ].join("\n");
};
