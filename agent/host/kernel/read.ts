import { release } from "node:os";
import type { Family, HostState } from "@pulumi-ovn/provider/agent";
import type { LiveAddress, LiveKernel } from "../live";
import { type ProgramEnvironment, ProgramError, run, lastOutput } from "../program";
import { familyOf, FORWARDING_6, OWN_ADDRESSES, PROTOCOL, sysctlsOf } from "./names";
import { addressesOf, listOf, neighborOf, proxyOf, routeOf, ruleOf } from "./parse";
import { readVrfs } from "./vrf";

/** Devices, tables and settings that a round reads. */
export interface Scope {
  /** VRF devices are asked for, and which device has the name. */
  readonly vrf: string | undefined;
  readonly devices: readonly string[];
  readonly tables: readonly number[];
  /** Whether to read the agent's routes in all tables, including those of an earlier configuration. */
  readonly everywhere: boolean;
}

export function scopeOf(desired: HostState, everywhere: boolean): Scope {
  const of = <T>(list: readonly T[]): T[] => [...new Set(list)];
  return {
    vrf: desired.bgp?.vrf,
    devices: of([
      ...desired.devices,
      ...desired.taggedPorts.map(({ name }) => name),
      ...[...desired.addresses, ...desired.routes, ...desired.neighbors, ...desired.proxies].map(({ device }) => device),
    ]),
    tables: of([...(desired.bgp ? [desired.bgp.table] : []), ...desired.rules.map(({ table }) => table), ...desired.routes.map(({ table }) => table)]),
    everywhere,
  };
}

/**
 * Reads by one run of ip(8) for each family, one for VRFs, and one of grep, because a run costs more than its work. A failed command
 * prints no line, so commands that may fail (for a missing device) are last.
 */
export async function readKernel(environment: ProgramEnvironment, desired: HostState, scope: Scope, addressOwners: boolean): Promise<LiveKernel> {
  const [four, six, sysctls, vrfs] = await Promise.all([
    readFamily(environment, 4, scope, addressOwners),
    readFamily(environment, 6, scope, addressOwners),
    readSysctls(environment, [...scope.devices, ...desired.silent]),
    scope.vrf !== undefined || scope.everywhere ? readVrfs(environment) : [],
  ]);
  return {
    vrfs,
    links: four.links,
    ...(six.ipv4Only && { ipv4Only: true as const }),
    sysctls,
    addressOwners,
    dependents: await readDependents(environment, desired, four.addresses),
    addresses: [...four.addresses, ...six.addresses],
    routes: [...four.routes, ...six.routes],
    rules: [...four.rules, ...six.rules],
    neighbors: [...four.neighbors, ...six.neighbors],
    proxies: [...four.proxies, ...six.proxies],
    connected: [...four.connected, ...six.connected],
  };
}

/** Reads the IPv4 routes of devices that may lose their last IPv4 address: the kernel deletes all these routes, of any owner. */
async function readDependents(
  environment: ProgramEnvironment,
  { addresses }: HostState,
  live: readonly LiveAddress[],
): Promise<Record<string, readonly string[]>> {
  const stays = new Set(addresses.filter(({ address }) => familyOf(address) === 4).map(({ device }) => device));
  const devices = [...new Set(live.filter(({ own, device }) => own && !stays.has(device)).map(({ device }) => device))];
  if (devices.length === 0) return {};
  const ended = await run(
    environment,
    ["ip", "-json", "-N", "-force", "-4", "-batch", "-"],
    devices.map((device) => `address show dev ${device}\nroute show table all dev ${device}\n`).join(""),
  );
  const lines = ended.stdout.split("\n").filter(Boolean).map(listOf);
  // A device that was deleted in between is ignored.
  if (lines.length < 2 * devices.length) return {};
  return Object.fromEntries(
    devices.flatMap((device, index) => {
      const owned = live.filter((address) => address.own && address.device === device).length;
      const all = lines[2 * index]!.flatMap((row) => addressesOf(row, false)).length;
      const routes = lines[2 * index + 1]!.map((row) => ({ ...routeOf(4, row, undefined), kernel: Number(row["protocol"]) === KERNEL })).filter(
        ({ own, kernel }) => !own && !kernel,
      );
      return all > owned || routes.length === 0 ? [] : [[device, routes.map(({ destination }) => destination)]];
    }),
  );
}

/** Protocol of routes that the kernel makes with an address (RTPROT_KERNEL). */
const KERNEL = 2;

/**
 * Protocols of routes to networks that the host is in. If a network manager processes router advertisements instead of the kernel, it
 * makes the routes of their prefixes (RTPROT_RA).
 */
const OWN_NETWORKS = [KERNEL, 9];

type Part = Omit<LiveKernel, "vrfs" | "sysctls" | "addressOwners" | "dependents">;

const NO_PART: Part = { ipv4Only: true, links: {}, addresses: [], routes: [], rules: [], neighbors: [], proxies: [], connected: [] };

/** A kernel may have been started without it. */
const hasIpv6 = async (environment: ProgramEnvironment): Promise<boolean> => (await run(environment, ["test", "-e", `${BELOW}ipv6`])).status === 0;

async function readFamily(environment: ProgramEnvironment, family: Family, { vrf, devices: led, tables, everywhere }: Scope, owners: boolean): Promise<Part> {
  const devices = vrf === undefined ? led : [...led, vrf];
  const commands = [
    `address show to ${OWN_ADDRESSES[family]}`,
    "rule show",
    "neighbour show nud permanent",
    "neighbour show proxy",
    ...OWN_NETWORKS.map((protocol) => `route show table main protocol ${protocol}`),
    ...tables.map((table) => `route show table ${table}`),
    ...(everywhere ? [`route show table all protocol ${PROTOCOL}`] : []),
    // Both families have the same devices.
    ...(family === 4 ? devices.map((device) => `link show dev ${device}`) : []),
  ];
  const ended = await run(environment, ["ip", "-json", "-N", "-force", `-${family}`, "-batch", "-"], commands.map((line) => `${line}\n`).join(""));
  const lines = ended.stdout.split("\n").filter(Boolean);
  // Only links may be missing. Status 1 means that some command failed.
  const fixed = commands.length - (family === 4 ? devices.length : 0);
  if (lines.length < fixed && family === 6 && !(await hasIpv6(environment))) return NO_PART;
  if (lines.length < fixed || (ended.status !== 0 && ended.status !== 1)) throw new ProgramError(lastOutput("ip", ended));
  const [addresses, rules, neighbors, proxies, ...routed] = lines.map(listOf);
  const connected = routed.slice(0, OWN_NETWORKS.length).flat();
  const rest = routed.slice(OWN_NETWORKS.length);
  const routes = tables.flatMap((table, index) => rest[index]!.map((row) => routeOf(family, row, table)));
  const others = (everywhere ? rest[tables.length]! : []).map((row) => ({ ...routeOf(family, row, undefined), own: true }));
  return {
    links: Object.fromEntries(
      rest
        .slice(tables.length + (everywhere ? 1 : 0))
        .flat()
        .map((row) => [String(row["ifname"]), { up: (row["flags"] as string[]).includes("UP"), index: Number(row["ifindex"]) }]),
    ),
    addresses: addresses!.flatMap((row) => addressesOf(row, owners)),
    rules: rules!.map((row) => ruleOf(family, row)),
    neighbors: neighbors!.map(neighborOf),
    connected: connected
      .map((row) => routeOf(family, row, undefined))
      // Prefixes that a router advertises behind itself are not on the link.
      .filter(({ destination, plain, via }) => plain && via === null && !destination.startsWith("fe80:"))
      .map(({ device, destination }) => ({ device, destination })),
    proxies: proxies!.filter((row) => "proxy" in row).map(proxyOf),
    routes: [...routes, ...others.filter(({ table }) => !tables.includes(table))],
  };
}

const BELOW = "/proc/sys/net/";

async function readSysctls(environment: ProgramEnvironment, devices: readonly string[]): Promise<Record<string, string>> {
  // With a second file grep prints file names. Missing files are skipped.
  const files = [...devices.flatMap((device) => [...sysctlsOf(device, 4), ...sysctlsOf(device, 6)].map(({ path }) => path)), FORWARDING_6].map(
    (path) => `${BELOW}${path}`,
  );
  const { stdout } = await run(environment, ["grep", "-s", "", "/dev/null", ...files]);
  return Object.fromEntries(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const at = line.lastIndexOf(":");
        return [line.slice(BELOW.length, at), line.slice(at + 1)];
      }),
  );
}

/** Whether the kernel stores owners of addresses, and this ip(8) prints them. */
export async function readAddressOwners(environment: ProgramEnvironment): Promise<boolean> {
  const { stdout, stderr } = await run(environment, ["ip", "address", "help"]);
  return hasAddressOwners(release(), `${stdout}${stderr}`);
}

/** Pure. Whether a kernel's release and the help of `ip address` have owners of addresses. */
export function hasAddressOwners(kernelRelease: string, help: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split(".").map((part) => parseInt(part, 10));
  return (major > 5 || (major === 5 && minor >= 18)) && help.includes("ADDRPROTO");
}
