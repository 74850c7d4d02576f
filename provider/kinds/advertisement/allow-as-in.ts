import type { FrrConfiguration, Neighbor, Router } from "./facts";

type Raw = NonNullable<FrrConfiguration["spec"]["raw"]>;

/** Appends FRR's `allowas-in origin` for each neighbour to a raw text: FRRConfigurations have no field for it. */
export function withAllowAsIn(raw: Raw | undefined, routers: readonly Router[]): Raw {
  const own = routers.filter(({ neighbors = [] }) => neighbors.length > 0).map(textOf);
  return { ...raw, rawConfig: [...(raw?.rawConfig ? [raw.rawConfig.trimEnd()] : []), ...own].join("\n") };
}

function textOf({ asn, vrf, neighbors = [] }: Router): string {
  const families = ["ipv4", "ipv6"].flatMap((family) => {
    const ofFamily = neighbors
      .filter((neighbor) => hasFamily(neighbor, family))
      .map(({ address, interface: link }) => `  neighbor ${address || link} allowas-in origin`);
    return ofFamily.length === 0 ? [] : [` address-family ${family} unicast`, ...ofFamily, " exit-address-family"];
  });
  return [`router bgp ${asn}${vrf ? ` vrf ${vrf}` : ""}`, ...families, "exit"].join("\n");
}

function hasFamily({ address }: Neighbor, family: string): boolean {
  return !address || address.includes(":") === (family === "ipv6");
}
