import type { Row } from "@pulumi-ovn/ovsdb-client";
import { readable } from "../../../../kit/address/readable";
import { AGENT_KEY } from "../../agent/exposure";
import type { FloatingIP, LoadBalancer, PortBinding } from "./snapshot";

/** A row of a table that is read by names of columns; what the server's release does not have is undefined. */
export type Read = (column: string) => Row[string] | undefined;

const map = (value: unknown): Record<string, string> => Object.fromEntries((value as ReadonlyMap<string, string> | undefined) ?? []);

/** A row of Port_Binding; `datapath` reads its row of Datapath_Binding. */
export function portBinding(read: Read, datapath: Read): PortBinding {
  const chassis = read("chassis") as string | null;
  const names = map(datapath("external_ids"));
  return {
    name: read("logical_port") as string,
    type: read("type") as string,
    datapath: read("datapath") as string,
    network: names["name"] ?? "",
    router: Object.hasOwn(names, "logical-router"),
    logicalRouter: names["logical-router"] ?? null,
    chassis,
    // A database that does not have it, or a northd that leaves it empty, is older than the column: being bound was all there was.
    up: (read("up") as boolean | null | undefined) ?? chassis !== null,
    mac: read("mac") as string[],
    natAddresses: read("nat_addresses") as string[],
    tag: read("tag") as number | null,
    options: map(read("options")),
    externalIds: map(read("external_ids")),
  };
}

/** Columns of a load balancer with a group of datapaths, in the order in which releases have brought them. */
export const GROUPS: readonly string[] = ["datapath_group", "ls_datapath_group", "lr_datapath_group"];

/** UUIDs of rows of Logical_DP_Group. */
export const groupsOf = (read: Read): string[] =>
  GROUPS.map((column) => read(column) as string | null | undefined).filter((uuid) => uuid !== null && uuid !== undefined);

/** A row of Load_Balancer, with the datapaths of its groups. */
export function loadBalancer(read: Read, grouped: readonly string[]): LoadBalancer {
  return {
    name: read("name") as string,
    vips: map(read("vips")),
    routersKnown: read("lr_datapath_group") !== undefined,
    datapaths: [...new Set([...(read("datapaths") as string[]), ...grouped])].sort(),
  };
}

/** A row of NAT of a router, in the Northbound database. northd reports the IPv4 rows. */
export function floatingIP(router: string, read: Read): FloatingIP[] {
  const address = read("external_ip") as string;
  if (!readable(address).some(({ family, length }) => family === 6 && length === 128)) return [];
  // OVN translates rows of other types at the router's gateway, independently of these columns.
  const distributed = read("type") === "dnat_and_snat" && read("external_mac") !== null;
  return [{ router, address, port: distributed ? (read("logical_port") as string | null) : null }];
}

/** The exposures among the options of SB_Global, by name. */
export function exposuresOf(options: ReadonlyMap<string, string>): Record<string, string> {
  const own = [...options].filter(([key]) => key.startsWith(AGENT_KEY));
  return Object.fromEntries(own.map(([key, text]) => [key.slice(AGENT_KEY.length), text]).sort(([a], [b]) => (a! < b! ? -1 : 1)));
}

/** `physnet1:br-ex,physnet2:br-vlan`, as ovn-controller reads it. (ovn-controller(8), external_ids:ovn-bridge-mappings) */
export function mappingsOf(text: string): [physical: string, bridge: string][] {
  return text.split(",").flatMap((entry): [string, string][] => {
    const [physical = "", bridge = ""] = entry.split(":").map((part) => part.trim());
    return physical && bridge ? [[physical, bridge]] : [];
  });
}

/** `physnet1:0a:00:00:00:00:01,...`, in lower case. (ovn-controller(8), external_ids:ovn-chassis-mac-mappings) */
export function chassisMacsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(",").map((entry): [string, string] => {
      const [physical = "", ...mac] = entry.trim().split(":");
      return [physical, mac.join(":").toLowerCase()];
    }),
  );
}
