import { kindOfType } from "@pulumi-ovn/provider";
import type { Contribution } from "./layer2";
import { type Box, facts, type PicturedResource } from "./scene";
import { entriesOf, objectOf, textOf, textsOf } from "./values";

const BAND = { id: "services", title: "services, other rows" };

/** Names of workloads by address. */
export type WorkloadNames = ReadonlyMap<string, string>;

/** Node-local services, exposures, and rows that a program writes itself. */
export function services(resources: readonly PicturedResource[], names: WorkloadNames): Contribution {
  const boxes = resources.flatMap((resource): Box[] => {
    const kind = kindOfType(resource.type);
    if (kind === "NorthboundRows") return rowBoxes(resource, names);
    if (kind === "NodeLocalGateway") return nodeLocal(resource);
    if (kind === "BgpExposure") return exposure(resource);
    return [];
  });
  const zones = [...new Set(boxes.flatMap(({ column }) => column ?? []))];
  return { columns: zones.map((zone) => ({ id: zone, title: `zone ${zone}`, facts: [] })), bands: boxes.length === 0 ? [] : [BAND], boxes, links: [] };
}

function nameOf({ urn }: PicturedResource): string {
  return urn.split("::").slice(3).join("::");
}

function boxIn(resource: PicturedResource, id: string, title: string): Pick<Box, "id" | "title" | "role" | "band" | "column" | "columns"> {
  return { id: `service ${id}`, title, role: "service", band: BAND.id, column: textOf(resource.inputs["zone"]) ?? "not known yet", columns: [] };
}

/** Load balancers and floating addresses have boxes. A box shows row counts of other tables. */
function rowBoxes(resource: PicturedResource, names: WorkloadNames): Box[] {
  const entries = entriesOf(resource.inputs["entries"]).map(
    ([key, value]) => ({ key, ...objectOf(value) }) as { key: string; table?: unknown; columns?: unknown },
  );
  const name = nameOf(resource);
  const own = entries.flatMap(({ key, table, columns }): Box[] => {
    const values = objectOf(columns);
    const sources = [{ urn: resource.urn, arguments: [`entries.${key}`] }];
    if (table === "Load_Balancer") {
      // A fact for each backend: a change of one does not change the others.
      const vips = entriesOf(values["vips"]).flatMap(([vip, backends]) => facts(`${vip} to`, (textOf(backends) ?? "").split(/, */)));
      return [{ ...boxIn(resource, `${name} ${key}`, `load balancer ${textOf(values["name"]) ?? key}`), facts: vips, sources }];
    }
    if (table !== "NAT") return [];
    const title = values["type"] === "dnat_and_snat" ? "floating address" : `translation ${textOf(values["type"])}`;
    const addresses = textsOf(values["logical_ip"]);
    const ports = textsOf(values["logical_port"]);
    const to = [...(ports.length > 0 ? ports : addresses.flatMap((address) => names.get(address) ?? [])), ...addresses].join(" ");
    return [{ ...boxIn(resource, `${name} ${key}`, textOf(values["external_ip"]) ?? title), facts: facts(`${title} for`, [to]), sources }];
  });
  const rest = Map.groupBy(
    entries.filter(({ table }) => table !== "Load_Balancer" && table !== "NAT"),
    ({ table }) => textOf(table) ?? "rows",
  );
  if (rest.size === 0) return own;
  const counts = facts(
    "",
    [...rest].map(([table, rows]) => `${rows.length} ${table}`),
  );
  return [...own, { ...boxIn(resource, name, `rows of ${name}`), facts: counts, sources: [{ urn: resource.urn, arguments: ["entries"] }] }];
}

function nodeLocal(resource: PicturedResource): Box[] {
  return entriesOf(resource.inputs["nodes"]).map(([node, value]) => {
    const { addresses, hostAddresses } = objectOf(value);
    return {
      ...boxIn(resource, `node-local ${node}`, `services of host ${node}`),
      facts: [...facts("host", textsOf(hostAddresses)), ...facts("host asks as", textsOf(addresses))],
      sources: [{ urn: resource.urn, arguments: [`nodes.${node}`] }],
    };
  });
}

const EXPOSED = {
  providerPorts: "provider ports",
  floatingIPs: "floating addresses",
  loadBalancers: "load balancers",
  tenantNetworks: "tenant networks",
} as const;

function exposure(resource: PicturedResource): Box[] {
  const { inputs, urn } = resource;
  const kinds = Object.entries(EXPOSED).flatMap(([argument, title]) => (inputs[argument] === undefined || inputs[argument] === false ? [] : [title]));
  const chassis = textsOf(inputs["chassis"]);
  const shown = [
    ...facts("AS", textsOf(inputs["asNumber"])),
    ...facts("chassis", [chassis.length > 4 ? `${chassis.length}` : chassis.join(", ")]),
    ...facts("announces", kinds),
  ];
  return [
    {
      ...boxIn(resource, nameOf(resource), `BGP exposure ${nameOf(resource)}`),
      facts: shown,
      sources: [{ urn, arguments: ["chassis", "asNumber", ...Object.keys(EXPOSED)] }],
    },
  ];
}
