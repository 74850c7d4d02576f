import type { DesiredRow } from "../../../backends/rows/set";
import { texts } from "../gateway-peer/links";
import { PORTS } from "../naming";
import { foreign, listedIn, textMap } from "../rows";
import type { NodeLink, Zone } from "./zone";

/** The switch's end of a link to a router of the zone. */
export function switchPort({ args }: Zone, name: string, routerPort: string, key: number): DesiredRow {
  return {
    table: "Logical_Switch_Port",
    key: name,
    columns: { name, type: "router", addresses: ["router"], options: textMap({ "router-port": routerPort, "requested-tnl-key": key }) },
    parent: listedIn("Logical_Switch", foreign(args.switch), "ports"),
  };
}

/**
 * Another node's gateway router on this zone's switch. It answers for the node's join addresses; with only the MAC it receives packets, but
 * workloads learn nothing from it.
 */
export function remoteSwitchPort({ args }: Zone, link: NodeLink, answers: "addresses" | "mac"): DesiredRow {
  const name = PORTS.storRemote(args.switchName, link.node);
  return {
    table: "Logical_Switch_Port",
    key: name,
    columns: {
      name,
      type: "remote",
      addresses: [answers === "mac" ? link.gatewayMac : [link.gatewayMac, ...texts(link.joins)].join(" ")],
      options: textMap({ "requested-tnl-key": link.switchPortKey, "requested-chassis": link.chassis }),
    },
    parent: listedIn("Logical_Switch", foreign(args.switch), "ports"),
  };
}
