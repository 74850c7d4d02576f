import { parseIp } from "../../kit/address";
import type { Failures } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import type { VpcSpec, VpcTunnelType } from "./args";
import { isSixth } from "./flows/flow";

/** Keys of GRE have 32 bits, those of Geneve and VXLAN 24 (RFC 2890, RFC 8926, RFC 7348). */
const LARGEST_KEY: Readonly<Record<VpcTunnelType, number>> = { gre: 4_294_967_295, geneve: 16_777_215, vxlan: 16_777_215 };

export function checkTunnelKey(key: number, type: VpcTunnelType, path: string, failures: Failures): void {
  const largest = LARGEST_KEY[type];
  if (key > largest) failures.add(path, "out-of-range", `tunnel key ${key} is out of range: 1 to ${largest} for ${type}`);
}

/** Ends of tunnels that lead to each other: no two are equal, and all have one family. */
export function checkTunnelAddresses(ends: readonly { readonly host: string; readonly address: string; readonly path: string }[], failures: Failures): void {
  const holders = new Holders(failures);
  const families = new Set(ends.map(({ address }) => parseIp(address).family));
  for (const { host, address, path } of ends) {
    holders.take("tunnel address", address, `host "${host}"`, path);
    if (families.size > 1 && parseIp(address).family === 6)
      failures.add(path, "family", `${address} is IPv6, and other hosts of the VPC have IPv4: a tunnel has one family`);
  }
}

/** @param addresses of hosts with tunnels to each other; a single one has none */
export function checkTunnelFamily(
  addresses: readonly string[],
  { tunnelType, datapathType }: Pick<VpcSpec, "tunnelType" | "datapathType">,
  failures: Failures,
): void {
  // Open vSwitch accepts it, and no packet passes: in the kernel's datapath that is another type, "ip6gre" (ovs-vswitchd.conf.db(5), Interface type).
  if (tunnelType === "gre" && datapathType === "system" && addresses.length > 1 && addresses.every(isSixth))
    failures.add("tunnelType", "family", 'gre over IPv6 needs the userspace datapath: use geneve or vxlan, or datapathType "netdev"');
}
