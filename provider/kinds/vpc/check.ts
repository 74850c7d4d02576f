import { type Prefix, contains, lastOf, parseIp, parseSubnet } from "../../kit/address";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";
import { checkAcls } from "./acl-check";
import type { TierSpec, VpcSpec } from "./args";
import { checkKnown } from "./known";
import { gatewayMacOf, routerMac } from "./names";
import { ownNames } from "./own-names";
import { hostsOfVpc } from "./topology";
import { claimRouterMacs, tierOverlaps } from "./tier-twins";
import { checkTunnelAddresses, checkTunnelFamily, checkTunnelKey } from "./tunnel-check";

/** Checks relations between arguments. Reports all failures together. */
export function checkVpc(spec: VpcSpec): void {
  const failures = new Failures();
  checkHosts(spec, failures);
  checkTiers(spec, failures);
  checkAcls(spec.acls, spec.tiers, failures);
  checkReferences(spec, spec.hosts, failures);
  if (typeof spec.enabled !== "boolean")
    for (const host of Object.keys(spec.enabled).sort()) checkKnown("host", host, spec.hosts, propertyPath(["enabled", host]), failures);
  checkWorkloads(spec, failures);
  checkPorts(spec, failures);
  failures.throwIfAny();
}

/** Failures of names. @param hosts undefined if not known yet */
export function checkFrame(frame: VpcSpec, hosts: Readonly<Record<string, unknown>> | undefined): void {
  const failures = new Failures();
  checkReferences(frame, hosts, failures);
  failures.throwIfAny();
}

/** Checks that need only the bridges of a VPC. */
export function checkBridgesPart(part: VpcSpec): void {
  const failures = new Failures();
  checkHosts(part, failures);
  checkReferences(part, part.hosts, failures);
  checkPorts(part, failures);
  failures.throwIfAny();
}

/** Checks that need only the logical routers of a VPC. */
export function checkRoutersPart(part: VpcSpec): void {
  const failures = new Failures();
  checkTiers(part, failures);
  checkAcls(part.acls, part.tiers, failures);
  checkWorkloads(part, failures);
  failures.throwIfAny();
}

function checkReferences({ tiers, workloads, virtualRouter }: VpcSpec, hosts: Readonly<Record<string, unknown>> | undefined, failures: Failures): void {
  if (hosts) checkKnown("host", virtualRouter.host, hosts, "virtualRouter.host", failures);
  for (const [name, { tier, host }] of sortedEntries(workloads)) {
    if (hosts) checkKnown("host", host, hosts, propertyPath(["workloads", name, "host"]), failures);
    checkKnown("tier", tier, tiers, propertyPath(["workloads", name, "tier"]), failures);
  }
}

function checkHosts(part: VpcSpec, failures: Failures): void {
  checkTunnelAddresses(
    sortedEntries(part.hosts).map(([host, { tunnelAddress: address }]) => ({ host, address, path: propertyPath(["hosts", host, "tunnelAddress"]) })),
    failures,
  );
  // Others may be listed, and have no tunnels.
  const spanned = hostsOfVpc(part).flatMap((host) => (Object.hasOwn(part.hosts, host) ? [part.hosts[host]!.tunnelAddress] : []));
  checkTunnelFamily(spanned, part, failures);
}

function checkTiers({ tiers, tunnelType }: VpcSpec, failures: Failures): void {
  const entries = sortedEntries(tiers);
  if (entries.length === 0) failures.add("tiers", "required", "needs at least one tier");
  const holders = new Holders(failures);
  for (const [name, tier] of entries) {
    const at = (...path: PropertyKey[]) => propertyPath(["tiers", name, ...path]);
    holders.take("tunnel key", tier.key, `tier "${name}"`, at("key"));
    checkTunnelKey(tier.key, tunnelType, at("key"), failures);
    tier.gateways.forEach((gateway, index) => checkAddress("gateway", gateway, name, tier, at("gateways", index), failures));
    tier.cidrs.forEach((cidr, index) => {
      const { family } = parseSubnet(cidr);
      if (!tier.gateways.some((gateway) => parseIp(gateway).family === family))
        failures.add(at("cidrs", index), "required", `${cidr} has no gateway: name its address in "gateways"`);
    });
  }
  failures.addAll(tierOverlaps(tiers));
}

function checkAddress(what: string, text: string, tierName: string, { cidrs }: TierSpec, path: string, failures: Failures): void {
  const address = parseIp(text);
  const subnet = cidrs.map((cidr) => parseSubnet(cidr)).find(({ family }) => family === address.family);
  if (subnet === undefined || !contains(subnet, address))
    return failures.add(path, "not-in-subnet", `${what} ${text} is outside of tier "${tierName}": ${cidrs.join(", ")}`);
  if (isReserved(subnet, address.value)) failures.add(path, "reserved", `${text} is the address of the subnet itself, or its broadcast address`);
}

function isReserved(subnet: Prefix, value: bigint): boolean {
  if (subnet.family === 6) return subnet.length < 127 && value === subnet.value;
  return subnet.length < 31 && (value === subnet.value || value === lastOf(subnet).value);
}

function checkWorkloads(spec: VpcSpec, failures: Failures): void {
  const { tiers, workloads } = spec;
  const holders = new Holders(failures);
  for (const [name, { gateways }] of sortedEntries(tiers)) {
    gateways.forEach((gateway, index) =>
      holders.take("address", gateway, `the virtual router (tier "${name}")`, propertyPath(["tiers", name, "gateways", index])),
    );
  }
  claimRouterMacs(tiers, gatewayMacOf, holders);
  for (const host of hostsOfVpc(spec)) holders.take("MAC", routerMac(spec.name, host), `the logical router of host "${host}"`, propertyPath(["hosts", host]));
  for (const [name, { tier, mac, addresses }] of sortedEntries(workloads)) {
    const at = (...path: PropertyKey[]) => propertyPath(["workloads", name, ...path]);
    holders.take("MAC", mac, `workload "${name}"`, at("mac"));
    if (addresses.length === 0) failures.add(at("addresses"), "required", "needs at least one address");
    addresses.forEach((address, index) => {
      holders.take("address", address, `workload "${name}"`, at("addresses", index));
      if (Object.hasOwn(tiers, tier)) checkAddress(`workload "${name}"`, address, tier, tiers[tier]!, at("addresses", index), failures);
    });
  }
}

/** An interface is in one bridge, and has no name that the VPC has for itself. */
function checkPorts(part: VpcSpec, failures: Failures): void {
  const { name: vpc, tiers, workloads, virtualRouter } = part;
  const holders = new Holders(failures);
  const keys = Object.fromEntries(Object.entries(tiers).map(([tier, { key }]) => [tier, key]));
  const own = new Map(ownNames(vpc, keys, hostsOfVpc(part)).map((entry) => [entry.name, entry]));
  const checkFree = (host: string, port: string, path: string) => {
    const taken = own.get(port);
    // A host has no tunnel to itself.
    if (taken && taken.remote !== host) failures.add(path, "duplicate", `name ${port} is already used by ${taken.holder()}`);
  };
  for (const [tier, port] of sortedEntries(virtualRouter.ports)) {
    const path = propertyPath(["virtualRouter", "ports", tier]);
    checkKnown("tier", tier, tiers, path, failures);
    holders.take(`interface of host "${virtualRouter.host}"`, port, "the virtual router", path);
    checkFree(virtualRouter.host, port, path);
  }
  for (const [name, { host, port, portSecurity = part.portSecurity }] of sortedEntries(workloads)) {
    if (port === undefined) {
      if (portSecurity)
        failures.add(
          propertyPath(["workloads", name, "port"]),
          "required",
          `port security of workload "${name}" needs its interface: name it, or set "portSecurity: false" for this workload`,
        );
      continue;
    }
    const path = propertyPath(["workloads", name, "port"]);
    holders.take(`interface of host "${host}"`, port, `workload "${name}"`, path);
    checkFree(host, port, path);
  }
}
