import { defineKind } from "../../define";
import { z } from "zod";
import { formatPrefix } from "../../../kit/address";
import type { Rendered } from "../../../backends/rows/kind";
import type { Contribution, DesiredRow } from "../../../backends/rows/set";
import { Failures } from "../../../kit/arguments/failures";
import { common, interfaceName, mac, mappedName, mtu, name, requiredSubnets, schemaOf } from "../fields";
import { type TopologyArgs, listedIn, local, rowSet } from "../rows";
import { LOCAL_PORTS } from "./ports";
import { DEFAULT_SUBNETS, SET_ASIDE, checkRoom } from "../pool-subnets";
import { localMacs, localSubnets } from "./subnets";

/**
 * A host's bridge with an internal port, and its entry in `ovn-bridge-mappings`. The zone needs `openvswitch`. The host's network configuration
 * sets the port's addresses (outputs `addresses`, `portMac`).
 */
export interface NodeLocalBridgeArgs extends TopologyArgs {
  /** Name of the bridge, at most 15 characters. Default: "br-local". */
  bridge?: string;
  /** Name of the internal port, at most 15 characters. Default: "ovn-k8s-gw0". */
  port?: string;
  /** The same as of `NodeLocalGateway`: the port has the first address of each. Default: 169.254.0.0/20 and fd99:1::/64. */
  subnets?: string[];
  /** MAC of the port, on every host the same. Default: derived from the first address, 0a:58:a9:fe:00:01. */
  mac?: string;
  /** MTU of the port; routers answer larger packets. Default: the bridge's. (ovs-vswitchd.conf.db(5), Interface mtu_request) */
  mtu?: number;
  /** The bridge's name in `ovn-bridge-mappings`, the same as of `NodeLocalGateway`. Default: "locnet". */
  networkName?: string;
  /** Name of the switch of `NodeLocalGateway`. Default: "node_local_switch". */
  switchName?: string;
  /** "netdev": the userspace datapath. Equal for all bridges of a host. Default: the kernel's, "system". (ovs-vswitchd.conf.db(5), Bridge datapath_type) */
  datapathType?: "system" | "netdev";
}

export const bridgeFields = {
  bridge: interfaceName.default("br-local"),
  port: interfaceName.default("ovn-k8s-gw0"),
  mtu: mtu.optional(),
  datapathType: z.enum(["system", "netdev"]).default("system"),
};

const schema = schemaOf<NodeLocalBridgeArgs>()(
  z.strictObject({
    ...common,
    ...bridgeFields,
    subnets: requiredSubnets.default(DEFAULT_SUBNETS),
    mac: mac.optional(),
    networkName: mappedName.default("locnet"),
    switchName: name.default("node_local_switch"),
  }),
);
type Spec = z.output<typeof schema>;

/** Open vSwitch names never change in a row: another name is another row, made in the transaction that removes the old one. */
const BRIDGE = (bridge: string) => local("Bridge", bridge);

function render(args: Spec): Rendered {
  check(args);
  const subnets = localSubnets(args.subnets);
  const port = portRows(args, args.port, { mac: ownMac(args), ...(args.mtu !== undefined && { mtu_request: args.mtu }) });
  const bridge: DesiredRow = {
    ...BRIDGE(args.bridge),
    columns: { name: args.bridge, datapath_type: args.datapathType },
    parent: listedIn("Open_vSwitch", { name: "." }, "bridges"),
    carries: { table: "Port", key: "ovn-localnet-port", value: LOCAL_PORTS.lnet(args.switchName) },
  };
  return {
    // The port of the bridge's own name is what ovs-vsctl makes with every bridge, too.
    set: { ...rowSet("Open_vSwitch", [bridge, ...portRows(args, args.bridge), ...port], args), contributions: [mapping(args)] },
    primary: BRIDGE(args.bridge),
    outputs: { addresses: subnets.map(({ nextHop }) => formatPrefix(nextHop)), portMac: ownMac(args) },
  };
}

function check(args: Spec): void {
  const failures = new Failures();
  if (args.bridge === args.port) failures.add("port", "duplicate", `port "${args.port}" has the name of the bridge, whose own port that is`);
  checkRoom(args.subnets, SET_ASIDE, "subnets", failures);
  failures.throwIfAny();
}

function ownMac(args: Spec): string {
  return args.mac ?? localMacs(localSubnets(args.subnets)).nextHop;
}

/** A port and its one interface; vswitchd fills in the rest of their columns. */
function portRows({ bridge }: Spec, portName: string, columns: DesiredRow["columns"] = {}): DesiredRow[] {
  // With the bridge in it: a row can't move to a new bridge in the transaction that removes the old one.
  const key = `${bridge} ${portName}`;
  return [
    { table: "Port", key, columns: { name: portName, interfaces: [local("Interface", key)] }, parent: listedIn("Bridge", BRIDGE(bridge), "ports") },
    { table: "Interface", key, columns: { name: portName, type: "internal", ...columns } },
  ];
}

function mapping({ networkName, bridge }: Spec): Contribution {
  const part = { kind: "item", key: "ovn-bridge-mappings", name: networkName, value: bridge } as const;
  return { table: "Open_vSwitch", row: { name: "." }, column: "external_ids", part };
}

/** A host's end of the local network. */
export const nodeLocalBridge = defineKind({
  backend: "rows",
  name: "NodeLocalBridge",
  database: "Open_vSwitch",
  schema,
  render,
  outputs: ["addresses", "portMac"],
});
