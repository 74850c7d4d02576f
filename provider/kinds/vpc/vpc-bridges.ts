import { defineKind } from "../define";
import type { HostRendered } from "../../backends/host/kind";
import { memo } from "../../kit/memo/memo";
import { rowForm } from "../../backends/rows/lines/texts";
import type { DesiredRow } from "../../backends/rows/set";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";
import { type VpcBridgesSpec, vpcBridgesSchema } from "./bridges-args";
import { checkKnown } from "./known";
import { securedNumbers, tierBridge, tunnelPort } from "./names";
import { ownNames } from "./own-names";
import { portSecurityFlows } from "./flows/port-security";
import { bridgeRow, interfaceRow, portRow, portRows } from "./rows";
import { BFD_MAC, PROBED_FLOWS, SWITCHING_FLOWS } from "./flows/tier-flows";
import { checkTunnelAddresses, checkTunnelFamily, checkTunnelKey } from "./tunnel-check";

/** Marks the ports of a VPC's logical router; they go with a tier's bridge. */
export const VPC_LABEL = "vpc";

function render(args: VpcBridgesSpec): HostRendered {
  const { vpc, tiers, tunnelType, tunnelAddress, remotes, bfd } = args;
  const numbers = securedNumbers(args);
  const tunnels = sortedEntries(remotes).map(([host, address]) => tunnelsTo(JSON.stringify([vpc, tiers, tunnelType, host, address, bfd])));
  const rows = sortedEntries(tiers).flatMap(([tier, key], index) => [
    ...bridgeRow(tierBridge(key), args.datapathType, { [VPC_LABEL]: vpc, tier }, { table: "Port", key: VPC_LABEL, value: vpc }),
    ...tunnels.flatMap((own) => [own[index]!.port, own[index]!.interface(tunnelAddress)]),
    ...sortedEntries(args.ports).flatMap(([name, own]) =>
      own === tier
        ? portRows({
            bridge: { table: "Bridge", key: tierBridge(key) },
            name,
            labels: { tier },
            interface: numbers.has(name) ? { number: numbers.get(name)! } : {},
          })
        : [],
    ),
  ]);
  const bridges = sortedEntries(tiers).map(([tier, key]) => ({
    bridge: tierBridge(key),
    fragments: "nx-match" as const,
    flows: tierFlows(args, tier, numbers),
  }));
  return {
    rows: { database: "Open_vSwitch", rows },
    flows: { bridges },
    working: sortedEntries(tiers).flatMap((_, index) => tunnels.map((own) => own[index]!.port.key)),
    ...(numbers.size > 0 && { numbers: Object.fromEntries(numbers) }),
    ...(args.agent && { agent: {} }),
    outputs: { bridges: Object.fromEntries(sortedEntries(tiers).map(([tier, key]) => [tier, tierBridge(key)])) },
  };
}

function tierFlows({ ports, portSecurity, bfd }: VpcBridgesSpec, tier: string, numbers: ReadonlyMap<string, number>): readonly string[] {
  const secured = sortedEntries(portSecurity).flatMap(([port, own]) => (ports[port] === tier ? [{ number: numbers.get(port)!, ...own }] : []));
  const switching = bfd ? PROBED_FLOWS : SWITCHING_FLOWS;
  return secured.length === 0 ? switching : [...switching, ...portSecurityFlows(secured)];
}

/** Maximum number of cached hosts, over all VPCs; each takes some kilobytes. */
const KEPT = 2_000;

/** One end of a tunnel; `interface` is that of the host with an address. */
interface TunnelRows {
  readonly port: DesiredRow;
  readonly interface: (address: string) => DesiredRow;
}

/**
 * Tunnels to a host, in the order of the tiers: all other hosts of a VPC have the same but for their own address, so they are
 * made once. Protected: no packet passes from one tunnel to another (ovs-vswitchd.conf.db(5), Port protected).
 */
const tunnelsTo = memo(KEPT, (text): readonly TunnelRows[] => {
  const [vpc, tiers, type, host, address, probed] = JSON.parse(text) as [
    string,
    VpcBridgesSpec["tiers"],
    VpcBridgesSpec["tunnelType"],
    string,
    string,
    boolean,
  ];
  const bfd = probed && { bfd: { enable: "true", bfd_remote_dst_mac: BFD_MAC } };
  return sortedEntries(tiers).map(([tier, key]) => {
    const name = tunnelPort(key, host);
    return {
      port: Object.freeze(
        portRow({ bridge: { table: "Bridge", key: tierBridge(key) }, name, labels: { [VPC_LABEL]: vpc, tier, host }, port: { protected: true } }),
      ),
      interface: rowForm((own) => interfaceRow(name, { type, options: { key: String(key), local_ip: own, remote_ip: address }, ...bfd })),
    };
  });
});

function check({ host, vpc, tiers, tunnelType, datapathType, tunnelAddress, remotes, ports, portSecurity }: VpcBridgesSpec): void {
  const failures = new Failures();
  if (Object.hasOwn(remotes, host)) failures.add(propertyPath(["remotes", host]), "duplicate", `"${host}" is the host itself`);
  const holders = new Holders(failures);
  const single = sortedEntries(tiers).filter(([tier, key]) => {
    checkTunnelKey(key, tunnelType, propertyPath(["tiers", tier]), failures);
    return holders.take("tunnel key", key, `tier "${tier}"`, propertyPath(["tiers", tier]));
  });
  checkTunnelAddresses(
    [
      { host, address: tunnelAddress, path: "tunnelAddress" },
      ...sortedEntries(remotes).map(([other, address]) => ({ host: other, address, path: propertyPath(["remotes", other]) })),
    ],
    failures,
  );
  checkTunnelFamily([tunnelAddress, ...Object.values(remotes)], { tunnelType, datapathType }, failures);
  const own = ownNames(vpc, Object.fromEntries(single), Object.keys(remotes));
  for (const [port, tier] of sortedEntries(ports)) checkKnown("tier", tier, tiers, propertyPath(["ports", port]), failures);
  // Mostly there are no two of a name, and a VPC has many.
  const names = [...own.map(({ name }) => name), ...Object.keys(ports)];
  if (new Set(names).size < names.length) {
    for (const { name, holder, tier, remote } of own)
      holders.take("name", name, holder(), () =>
        remote !== undefined ? propertyPath(["remotes", remote]) : tier !== undefined ? propertyPath(["tiers", tier]) : "vpc",
      );
    for (const [port, tier] of sortedEntries(ports)) holders.take("name", port, `the interface in tier "${tier}"`, propertyPath(["ports", port]));
  }
  for (const [port, { mac, addresses }] of sortedEntries(portSecurity)) {
    const at = (...path: PropertyKey[]) => propertyPath(["portSecurity", port, ...path]);
    if (!Object.hasOwn(ports, port)) failures.add(at(), "unknown-port", `"${port}" is not one of "ports": name its tier there`);
    holders.take("MAC", mac, `interface ${port}`, at("mac"));
    if (addresses.length === 0) failures.add(at("addresses"), "required", "needs at least one address");
    addresses.forEach((address, index) => holders.take("address", address, `interface ${port}`, at("addresses", index)));
  }
  failures.throwIfAny();
}

/** A host's part of a VPC without its routing. */
export const vpcBridges = defineKind({ backend: "host", name: "VpcBridges", schema: vpcBridgesSchema, judge: check, render, outputs: ["bridges"] });
