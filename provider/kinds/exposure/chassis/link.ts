import { createHash } from "node:crypto";
import { memo } from "../../../kit/memo/memo";
import type { PortBinding, Snapshot } from "./snapshot/snapshot";
import type { DeviceAddress, TaggedPort } from "./host/host-state";
import type { Problem } from "./problem";
import { senderAs } from "./sender";
import type { RowIndex } from "./row-index";
import type { Datapath } from "./datapath";

/** How the host reaches a provider network. */
export interface Link {
  /** The bridge itself, or its internal port in the network's VLAN. */
  readonly device: string;
  readonly bridge: string;
  readonly mac: string;
  /** null: the network is not tagged. */
  readonly tag: number | null;
  /** Number of the patch port to br-int. null: ovn-controller has not made it, because nothing of the network is on this chassis. */
  readonly patch: string | null;
  /** Number of the bridge, from 1. */
  readonly index: number;
}

/** Ways from the host into provider networks, by their localnet ports and the host's bridges. */
export class Links {
  private readonly known = new Map<string, Link | undefined>();
  private readonly indexes: ReadonlyMap<string, number>;

  constructor(
    private readonly bridges: Snapshot["bridges"],
    private readonly rows: RowIndex,
    private readonly problems: Problem[],
  ) {
    const names = [...new Set(Object.values(bridges).map(({ name }) => name))].sort();
    this.indexes = new Map(names.map((name, at) => [name, at + 1]));
  }

  /** The link with its patch port. Without one, packets would end at the bridge. */
  of(network: Datapath): Link | undefined {
    const { uuid } = network;
    if (!this.known.has(uuid)) this.known.set(uuid, this.patched(network));
    return this.known.get(uuid);
  }

  private patched(network: Datapath): Link | undefined {
    const link = this.find(network);
    if (link?.patch !== null) return link;
    return this.missing(
      "OVN_AGENT_NO_PATCH",
      network.name,
      `bridge ${link.bridge} has no patch port for "${this.localnetOf(network)!.name}" with a number yet: nothing of network "${network.name}" is announced here; if this stays, check ovn-controller and ovs-vswitchd`,
    );
  }

  private localnetOf({ uuid }: Datapath): PortBinding | undefined {
    return this.rows.localnetsOf(uuid).find((one) => Object.hasOwn(this.bridges, physical(one)));
  }

  /** The link, also without a patch port. */
  find(network: Datapath): Link | undefined {
    const { uuid, name } = network;
    const port = this.localnetOf(network);
    if (!port)
      return this.missing(
        "OVN_AGENT_NOT_MAPPED",
        name,
        `no bridge of this host is mapped to ${this.rows
          .localnetsOf(uuid)
          .map((one) => `"${physical(one)}"`)
          .join(" or ")} (ovn-bridge-mappings): nothing of network "${name}" is announced here`,
      );
    const bridge = this.bridges[physical(port)]!;
    if (!NAME.test(bridge.name))
      return this.missing(
        "OVN_AGENT_BRIDGE_NAME",
        name,
        `bridge ${JSON.stringify(bridge.name)} of physical network "${physical(port)}" can't be named to ip and ovs-ofctl, which give "#", quotes and ":" a meaning: nothing of network "${name}" is announced here; rename the bridge`,
      );
    if (bridge.mac === null)
      return this.missing(
        "OVN_AGENT_NO_BRIDGE",
        name,
        `bridge ${bridge.name} of physical network "${physical(port)}" does not exist: nothing of network "${name}" is announced here; create the bridge, or correct ovn-bridge-mappings`,
      );
    if (bridge.uplinks && bridge.uplinks.length > 0)
      return this.missing(
        "OVN_AGENT_UPLINK",
        bridge.name,
        `bridge ${bridge.name} leads out of the host by ${bridge.uplinks.join(", ")}, where the host would answer ARP for addresses that are not its own: nothing of network "${name}" is announced here`,
      );
    // No flow would do: one that drops it cuts the router off, and any that leads it to the host has the bridge learn it there.
    const sender = senderAs(bridge.mac, bridge, this.rows.jointsOf(uuid));
    if (sender)
      return this.missing(
        "OVN_AGENT_BRIDGE_MAC",
        name,
        `router port "${sender.name}" sends with the MAC of bridge ${bridge.name} (${bridge.mac}), so the bridge can't tell it from the host: nothing of network "${name}" is announced here, and its packets are left alone`,
      );
    const patch = Object.hasOwn(bridge.patches, port.name) ? bridge.patches[port.name]! : null;
    const { tag } = port;
    return linkOf(JSON.stringify([bridge.name, bridge.mac, tag, patch, this.indexes.get(bridge.name)!]));
  }

  private missing(code: string, subject: string, message: string): undefined {
    this.problems.push({ code, subject, message });
  }
}

/** Name of the physical network of a localnet port. */
const physical = ({ options }: PortBinding): string => options["network_name"] ?? "";

/** Neither `ip -batch` nor ovs-ofctl takes other signs for a part of a name. */
const NAME = /^\w[\w.+@-]*$/;

/** Returns the same object for equal links, so that results derived from it can be cached. */
const linkOf = memo(1_000, (text: string): Link => {
  const [bridge, mac, tag, patch, index] = JSON.parse(text) as [string, string, number | null, string | null, number];
  return { bridge, mac, tag, patch, index, device: tag === null ? bridge : deviceName(bridge, tag) };
});

/** Device name of a VLAN of a bridge. It contains a digest of the bridge's name: a truncated name could match another bridge. */
export function deviceName(bridge: string, tag: number): string {
  return `bgp${tag}-${createHash("sha256").update(bridge).digest("hex").slice(0, 7)}`;
}

export const taggedPorts = ({ device, bridge, tag, mac }: Link): TaggedPort[] => (tag === null ? [] : [{ name: device, bridge, tag, mac }]);

/** As ovn-bgp-agent has them, so that operators find what they know. */
export function addressesOfLink({ device, index, tag }: Link): DeviceAddress[] {
  const [second, last] = [index, tag ?? index];
  return [
    { device, address: `169.254.${second}.${last % 256}/32` },
    { device, address: `fd53:d91e:400:7f17::${second.toString(16)}:${last.toString(16)}/128` },
  ];
}

/**
 * Flows of a link. OVN may send a packet for the fabric to the MAC of a router that is not there; the host needs the MAC
 * of the bridge instead. Packets from OVN with this MAC as their source do not come from a router, because a network
 * with such a router has no link. These packets are dropped: the bridge would learn the MAC on OVN's port, and then give
 * the host no more packets from OVN.
 */
export function flowsOfLink({ patch, mac, tag }: Link): string[] {
  if (patch === null) return [];
  const vlan = tag === null ? "" : `,dl_vlan=${tag}`;
  return [
    `priority=910,in_port=${patch}${vlan},dl_src=${mac},actions=drop`,
    ...["ip", "ipv6"].map((protocol) => `priority=900,${protocol},in_port=${patch}${vlan},actions=set_field:${mac}->eth_dst,NORMAL`),
  ];
}
