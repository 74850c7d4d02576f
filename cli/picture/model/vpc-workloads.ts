import { type Box, facts, type Link, type PicturedResource } from "./scene";
import { entriesOf, natural, objectOf, type Properties, textOf, textsOf } from "./values";

export interface VpcResources {
  readonly name: string;
  /** Keyed by host. */
  readonly bridges: ReadonlyMap<string, PicturedResource>;
  /** Keyed by host. */
  readonly routers: ReadonlyMap<string, PicturedResource>;
  /** Outputs of the component. Empty if they are not known. */
  readonly topology: Properties;
}

/** Workloads by the component's outputs, or by the ports and the port security of the hosts' bridges. */
export function vpcWorkloads({ bridges, routers, topology }: VpcResources, at: (layer: string) => string): { readonly box: Box; readonly link: Link }[] {
  const known = new Map<string, Properties>();
  for (const { inputs } of routers.values()) for (const [name, value] of entriesOf(inputs["workloads"])) known.set(name, objectOf(value));
  for (const [name, value] of entriesOf(topology["workloads"])) known.set(name, { ...objectOf(value), ...known.get(name) });
  const secured = new Map<string, { host: string; resource: PicturedResource; port: string }>();
  for (const [host, resource] of bridges) {
    for (const [port, value] of entriesOf(resource.inputs["portSecurity"])) secured.set(textOf(objectOf(value)["mac"]) ?? port, { host, resource, port });
  }
  const macs = new Set([...known.values()].map(({ mac }) => mac));
  for (const { host, resource, port } of secured.values()) {
    const own = objectOf(objectOf(resource.inputs["portSecurity"])[port]);
    if (!macs.has(own["mac"])) known.set(port, { ...own, tier: objectOf(resource.inputs["ports"])[port], host });
  }
  return [...known]
    .sort(([a], [b]) => natural(a, b))
    .map(([name, value]) => {
      const placed = secured.get(textOf(value["mac"]) ?? "");
      const tier = textOf(value["tier"]) ?? "";
      const any = [...routers.values()][0] ?? [...bridges.values()][0]!;
      const sources = placed
        ? [{ urn: placed.resource.urn, arguments: [`ports.${placed.port}`, `portSecurity.${placed.port}`] }]
        : [{ urn: any.urn, arguments: [`workloads.${name}`] }];
      const box: Box = {
        id: at(`workload ${name}`),
        role: "workload",
        title: name,
        facts: facts("", textsOf(value["addresses"])),
        band: at(`workloads ${tier}`),
        column: placed?.host ?? textOf(value["host"]) ?? "not known yet",
        columns: [],
        sources,
      };
      return { box, link: { from: box.id, to: at(`tier ${tier}`), title: "port" } };
    });
}
