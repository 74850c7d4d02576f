import { formatPrefix, networkOf, parsePrefix } from "@pulumi-ovn/provider";
import type { NetworkPart } from "./networks";
import { type Band, type Box, facts, type Link } from "./scene";
import { entriesOf, objectOf, type Properties, textOf, textsOf, unique } from "./values";

export const OUTSIDE: Band = { id: "outside", title: "outside", isOutside: true };

/** External networks of a gateway router. Routers with equal networks share a box. */
export function outsideOf({ zone, gatewayRouter }: NetworkPart, router: string): { readonly box: Box; readonly link: Link }[] {
  if (gatewayRouter === undefined) return [];
  const { urn, inputs } = gatewayRouter;
  const own = objectOf(inputs["external"]);
  const further = entriesOf(inputs["furtherExternals"]).map(([name, value]): [string, Properties] => [
    `furtherExternals.${name}`,
    { networkName: name, ...objectOf(value) },
  ]);
  const all: [string, Properties][] = [["external", { networkName: "physnet", ...own }], ...further];
  return all.map(([path, external]) => {
    const { networkName, vlan, addresses, nextHops } = external;
    const physical = `${textOf(networkName)}${vlan === undefined ? "" : `, VLAN ${textOf(vlan)}`}`;
    const [subnets, hops] = [unique(textsOf(addresses).map(subnetOf)), textsOf(nextHops)];
    const id = `outside ${physical} ${subnets.join(" ")}`;
    const box: Box = {
      id,
      role: "outside",
      title: `external network ${physical}`,
      facts: [...facts("subnet", subnets), ...facts("default gateway", hops)],
      band: OUTSIDE.id,
      column: undefined,
      columns: [zone],
      sources: [{ urn, arguments: [path] }],
      network: textOf(networkName) ?? "",
    };
    return { box, link: { from: router, to: id, title: textsOf(addresses).join(", ") } };
  });
}

function subnetOf(address: string): string {
  try {
    return formatPrefix(networkOf(parsePrefix(address)));
  } catch {
    return address;
  }
}
