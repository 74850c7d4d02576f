import { defineKind } from "../define";
import { z } from "zod";
import { type Ip, formatIp, formatPrefix, macOfIp, ofFamily, parseIp, parseSubnet } from "../../kit/address";
import type { Rendered } from "../../backends/rows/kind";
import type { DesiredRow } from "../../backends/rows/set";
import { Failures } from "../../kit/arguments/failures";
import { common, datapathKey, inOrder, mac, name, portKey, requiredIps, requiredSubnets, schemaOf } from "./fields";
import { requireHost } from "./placement";
import { type TopologyArgs, datapathKeyClaims, listedIn, local, nameClaim, rowSet, textMap } from "./rows";

/** The switch of a layer-2 network in one zone. All zones have the same switch, under the same tunnel key. */
export interface Layer2SwitchArgs extends TopologyArgs {
  /**
   * Name of the Logical_Switch, the same in every zone; ovn-kubernetes: `<prefix>ovn_layer2_switch`.
   */
  name: string;
  /** Subnets of the network, at most one per family, without host bits. (ovn-nb(5), Logical_Switch other_config:subnet, ipv6_prefix) */
  subnets: string[];
  /**
   * Datapath key, equal in every zone; otherwise packets between zones are lost silently. Refused if another datapath of the zone has it.
   * Default: northd's choice, for a switch in one zone. (ovn-nb(5), other_config:requested-tnl-key)
   */
  tunnelKey?: number;
  /** Whether the switch spans zones (`other_config:interconn-ts`). Default: true when there is a tunnel key. */
  interconnect?: boolean;
  /** Multicast snooping (ovn-nb(5), other_config:mcast_*). Default: as ovn-kubernetes, snooping without querier, unregistered groups flooded. */
  multicast?: MulticastArgs;
  /** The port of the zone's host in the network. Default: none. (ovn-kubernetes: `k8s-<prefix><node>`) */
  managementPort?: ManagementPortArgs;
  /** Allow what the management port's addresses send: priority 1001, tier 2. Default: true with a management port. */
  aclFromManagement?: boolean;
}

export interface MulticastArgs {
  /** Send groups only to ports that asked for them. Default: true. */
  snoop?: boolean;
  /** Send IGMP/MLD queries; needs an address of its own. Default: false. */
  querier?: boolean;
  /** Send unregistered groups to every port. Default: true. */
  floodUnregistered?: boolean;
}

export interface ManagementPortArgs {
  /** Name of the Logical_Switch_Port, and the `iface-id` of the host's interface. */
  name: string;
  /** Addresses inside of the network's subnets, at most one per family; usually the second of each. */
  addresses: string[];
  /** Default: derived from the first address (0a:58 and the IPv4 bytes). */
  mac?: string;
  /** Port key, which no other port of the switch has. Default: northd's choice. */
  tunnelKey?: number;
}

export const multicast = z.strictObject({
  snoop: z.boolean().default(true),
  querier: z.boolean().default(false),
  floodUnregistered: z.boolean().default(true),
});

const schema = schemaOf<Layer2SwitchArgs>()(
  z.strictObject({
    ...common,
    name,
    subnets: requiredSubnets,
    tunnelKey: datapathKey.optional(),
    interconnect: z.boolean().optional(),
    multicast: multicast.prefault({}),
    managementPort: z.strictObject({ name, addresses: requiredIps, mac: mac.optional(), tunnelKey: portKey.optional() }).optional(),
    aclFromManagement: z.boolean().default(true),
  }),
);
type Spec = z.output<typeof schema>;

/** The key is the role, so that a new name keeps the switch and foreign ports in it. */
const SELF = local("Logical_Switch", "switch");

function render(args: Spec): Rendered {
  check(args);
  const rows = [switchRow(args), ...(args.managementPort ? managementRows(args, args.managementPort) : [])];
  return { set: rowSet("OVN_Northbound", rows, args), primary: SELF };
}

function check(args: Spec): void {
  const failures = new Failures();
  if (args.interconnect && args.tunnelKey === undefined) {
    failures.add("tunnelKey", "required", "is required when the switch spans zones: they must agree on it");
  }
  const subnets = args.subnets.map(parseSubnet);
  args.managementPort?.addresses.forEach((address, index) => {
    failures.attempt(`managementPort.addresses[${index}]`, () => requireHost(parseIp(address), subnets));
  });
  failures.throwIfAny();
}

function switchRow(args: Spec): DesiredRow {
  const {
    multicast: { snoop, querier, floodUnregistered },
    tunnelKey,
    interconnect = tunnelKey !== undefined,
  } = args;
  const subnets = args.subnets.map(parseSubnet);
  const ipv4 = ofFamily(subnets, 4);
  const ipv6 = ofFamily(subnets, 6);
  return {
    table: "Logical_Switch",
    key: SELF.key,
    columns: {
      name: args.name,
      other_config: textMap({
        subnet: ipv4 && formatPrefix(ipv4),
        ipv6_prefix: ipv6 && formatIp(ipv6),
        mcast_snoop: snoop,
        mcast_querier: querier,
        mcast_flood_unregistered: floodUnregistered,
        "interconn-ts": interconnect ? args.name : undefined,
        "requested-tnl-key": tunnelKey,
      }),
    },
    claims: [nameClaim("Logical_Switch", args.name), ...(tunnelKey === undefined ? [] : datapathKeyClaims(tunnelKey))],
  };
}

function managementRows(args: Spec, port: NonNullable<Spec["managementPort"]>): DesiredRow[] {
  const texts = inOrder(port.addresses);
  const addresses = texts.map(parseIp);
  const row: DesiredRow = {
    table: "Logical_Switch_Port",
    key: port.name,
    columns: {
      name: port.name,
      type: "",
      addresses: [[port.mac ?? macOfIp(addresses[0]!), ...texts].join(" ")],
      options: textMap({ "requested-tnl-key": port.tunnelKey }),
    },
    parent: listedIn("Logical_Switch", SELF, "ports"),
  };
  if (!args.aclFromManagement) return [row];
  return [row, ...addresses.map((address) => managementAcl(args.name, address))];
}

function managementAcl(switchName: string, address: Ip): DesiredRow {
  return {
    table: "ACL",
    key: `${switchName} from-management ip${address.family}`,
    columns: { direction: "to-lport", priority: 1001, tier: 2, action: "allow-related", match: `ip${address.family}.src==${formatIp(address)}` },
    parent: listedIn("Logical_Switch", SELF, "acls"),
  };
}

/** The switch of a layer-2 network in one zone. */
export const layer2Switch = defineKind({ backend: "rows", name: "Layer2Switch", database: "OVN_Northbound", schema, render, outputs: [] });
