import { z } from "zod";
import type { Rendered } from "../../backends/rows/kind";
import { parseIp, parseSubnet } from "../../kit/address";
import { Failures } from "../../kit/arguments/failures";
import { defineKind } from "../define";
import { common, ips, mac, schemaOf, subnet, whole } from "./fields";
import { requireHost } from "./placement";
import { local, rowSet, textMap, type TopologyArgs } from "./rows";

/** DHCP answers of OVN for the workloads of one subnet: DHCPv4 for an IPv4 subnet, DHCPv6 for an IPv6 subnet (ovn-nb(5), DHCP_Options). */
export interface DhcpOptionsArgs extends TopologyArgs {
  /** Subnet of the addresses that OVN assigns. */
  subnet: string;
  /** MAC from which OVN answers. In IPv6 also the server's identifier. */
  serverMac: string;
  /** Address from which OVN answers; usually the default gateway. Required for an IPv4 subnet, refused for an IPv6 subnet. */
  serverAddress?: string;
  /** Default gateway. IPv4 only: IPv6 workloads receive it by router advertisements. Default: none. */
  router?: string;
  /** Addresses of DNS servers, of the subnet's family. Default: none. */
  dnsServers?: string[];
  /** Lease time in seconds. IPv4 only. Default: 86400. */
  leaseTime?: number;
  /** MTU in bytes. IPv4 only. Default: none. */
  mtu?: number;
}

const schema = schemaOf<DhcpOptionsArgs>()(
  z.strictObject({
    ...common,
    subnet,
    serverMac: mac,
    serverAddress: z.string().optional(),
    router: z.string().optional(),
    dnsServers: ips.default([]),
    leaseTime: whole({ first: 1, last: 4_294_967_295 }, "lease time").optional(),
    mtu: whole({ first: 68, last: 65_535 }, "MTU").optional(),
  }),
);
type Spec = z.output<typeof schema>;

const IPV4_ONLY = ["serverAddress", "router", "leaseTime", "mtu"] as const;

function check(args: Spec): void {
  const failures = new Failures();
  const prefix = parseSubnet(args.subnet);
  if (prefix.family === 6) {
    for (const name of IPV4_ONLY) if (args[name] !== undefined) failures.add(name, "family", "is for IPv4 subnets only");
  } else {
    if (args.serverAddress === undefined) failures.add("serverAddress", "required", "is required for an IPv4 subnet");
    for (const name of ["serverAddress", "router"] as const) {
      const address = args[name];
      if (address !== undefined) failures.attempt(name, () => requireHost(parseIp(address), [prefix]));
    }
  }
  args.dnsServers.forEach((address, index) => {
    if (parseIp(address).family !== prefix.family) failures.add(`dnsServers[${index}]`, "family", `${address} is not an IPv${prefix.family} address`);
  });
  failures.throwIfAny();
}

/** The key has no address, so that a new subnet keeps the row and the ports that refer to it. */
const SELF = local("DHCP_Options", "options");

function render(args: Spec): Rendered {
  check(args);
  const { subnet: cidr, serverMac, serverAddress, router, dnsServers, leaseTime = 86_400, mtu } = args;
  const dns_server = dnsServers.length > 0 ? `{${dnsServers.join(", ")}}` : undefined;
  const options =
    parseSubnet(cidr).family === 4
      ? { server_id: serverAddress, server_mac: serverMac, lease_time: leaseTime, router, dns_server, mtu }
      : { server_id: serverMac, dns_server };
  return { set: rowSet("OVN_Northbound", [{ ...SELF, columns: { cidr, options: textMap(options) } }], args), primary: SELF };
}

export const dhcpOptions = defineKind({ backend: "rows", name: "DhcpOptions", database: "OVN_Northbound", schema, render, outputs: [] });
