import type { NetworkPart, PicturedNetwork, WorkloadLocation } from "./networks";
import { OUTSIDE, outsideOf } from "./outside";
import { type Band, type Box, type Column, type Fact, facts, type Link, type PicturedResource, type Source } from "./scene";
import { entriesOf, natural, objectOf, textOf, textsOf, unique } from "./values";

/** A part of a scene. */
export interface Contribution {
  readonly columns: readonly Column[];
  readonly bands: readonly Band[];
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
}

/** Box of workloads whose zone is not known. */
const NOWHERE = "not known yet";

/** Resources that belong to networks and are not parts of them. */
export interface Surroundings {
  readonly egressOf: (gatewayRouter: PicturedResource) => readonly PicturedResource[];
  readonly tunnelAddresses: (chassis: string) => readonly string[];
}

/** The boxes of one layer-2 network, from the outside to the workloads. */
export function layer2(network: PicturedNetwork, { egressOf, tunnelAddresses }: Surroundings): Contribution {
  const { name, parts } = network;
  const names = new Map(network.workloads.flatMap((workload) => workload.addresses.map((address) => [address, workload.name] as const)));
  const at = (layer: string) => `network ${name} ${layer}`;
  const boxes = parts.flatMap((part) => gatewayBoxes(part, at, egressOf, names));
  const outside = parts.flatMap((part) => outsideOf(part, `${at("gateway")} ${part.zone}`));
  const transit = wide(
    parts.filter(({ topology }) => topology === "transit"),
    at("transit"),
    "router",
    `transit router of ${name}`,
    ({ router }) => router,
  );
  const layer2Switch = wide(parts, at("switch"), "switch", `switch of ${name}`, (part) => part.switch, gatewayFacts(parts));
  const workloads = network.workloads.map((workload) => workloadBox(workload, at));
  return {
    columns: [
      ...parts.map((part) => columnOf(part, tunnelAddresses)),
      ...(network.workloads.some(({ zone }) => zone === undefined) ? [{ id: NOWHERE, title: "zone not known", facts: [] }] : []),
    ],
    bands: [
      OUTSIDE,
      { id: at("egress"), title: "egress addresses", group: name },
      { id: at("gateway"), title: `${name}: gateway routers`, group: name },
      { id: at("transit"), title: `${name}: transit router`, group: name },
      { id: at("switch"), title: `${name}: switch`, group: name },
      { id: at("workloads"), title: `${name}: workloads`, group: name },
    ],
    boxes: [...outside.map(({ box }) => box), ...boxes, ...transit, ...layer2Switch, ...workloads],
    links: [
      ...outside.map(({ link }) => link),
      ...parts.flatMap((part) => insideLinks(part, at)),
      ...workloads.map(({ id }) => ({ from: id, to: at("switch"), title: "port" })),
    ],
  };
}

function columnOf({ zone, gatewayRouter }: NetworkPart, tunnelAddresses: Surroundings["tunnelAddresses"]): Column {
  const chassis = textOf(gatewayRouter?.inputs["chassis"]);
  const tunnels = chassis === undefined ? [] : facts("tunnel address", tunnelAddresses(chassis));
  return { id: zone, title: `zone ${zone}`, facts: [...(chassis === undefined || chassis === zone ? [] : facts("chassis", [chassis])), ...tunnels] };
}

function gatewayBoxes(
  { zone, gatewayRouter }: NetworkPart,
  at: (layer: string) => string,
  egressOf: Surroundings["egressOf"],
  names: ReadonlyMap<string, string>,
): Box[] {
  if (gatewayRouter === undefined) return [];
  const { urn, inputs } = gatewayRouter;
  const { addresses, mac } = objectOf(inputs["external"]);
  const router: Box = {
    id: `${at("gateway")} ${zone}`,
    role: "router",
    title: textOf(inputs["name"]) ?? "gateway router",
    facts: [...facts("", textsOf(addresses)), ...facts("MAC", textsOf(mac)), ...furtherFacts(inputs["furtherExternals"]), ...translation(inputs)],
    band: at("gateway"),
    column: zone,
    columns: [],
    sources: [{ urn, arguments: ["external", "furtherExternals", "snatSubnets", "snatDestinations"] }],
  };
  return [router, ...egressOf(gatewayRouter).map((egress) => egressBox(egress, zone, at, names))];
}

function furtherFacts(further: unknown): Fact[] {
  return entriesOf(further).flatMap(([name, external]) => facts(`on ${name}:`, textsOf(objectOf(external)["addresses"])));
}

function translation({ snatSubnets, snatDestinations }: PicturedResource["inputs"]): Fact[] {
  const [from, only] = [textsOf(snatSubnets), snatDestinations];
  if (from.length === 0) return facts("", ["no SNAT"]);
  if (only === undefined) return facts("", ["SNAT to its address"]);
  const to = textsOf(only).length;
  return facts("", [to === 0 ? "no SNAT" : `SNAT only to ${to} ${to === 1 ? "destination" : "destinations"}`]);
}

function egressBox({ urn, inputs }: PicturedResource, zone: string, at: (layer: string) => string, names: ReadonlyMap<string, string>): Box {
  const address = textOf(inputs["address"]) ?? NOWHERE;
  const workloads = unique(textsOf(inputs["workloads"]).map((workload) => names.get(workload) ?? workload));
  return {
    id: `${at("egress")} ${address}`,
    role: "address",
    title: address,
    facts: facts("egress address for", workloads.length > 3 ? [`${workloads.length} workloads`] : workloads),
    band: at("egress"),
    column: zone,
    columns: [],
    sources: [{ urn, arguments: ["address", "workloads"] }],
  };
}

function gatewayFacts(parts: readonly NetworkPart[]): Fact[] {
  const routers = parts.flatMap(({ router }) => router ?? []);
  return facts(
    "gateway",
    unique(routers.flatMap(({ inputs }) => textsOf(objectOf(inputs["gateway"])["addresses"]))).map((address) => address.split("/")[0]),
  );
}

/** One box for the resources of all zones that are one distributed thing. */
function wide(
  parts: readonly NetworkPart[],
  id: string,
  role: "router" | "switch",
  title: string,
  of: (part: NetworkPart) => PicturedResource | undefined,
  more: readonly Fact[] = [],
): Box[] {
  const made = parts.filter((part) => of(part) !== undefined);
  if (made.length === 0) return [];
  const given = (argument: string) => unique(made.flatMap((part) => textsOf(of(part)!.inputs[argument])));
  const own =
    role === "switch"
      ? facts("subnet", given("subnets"))
      : facts("links", unique([...given("transitSubnets"), ...made.flatMap(({ peer }) => textsOf(peer?.inputs["transitSubnets"]))]));
  const mtu = facts("MTU", unique(parts.flatMap(({ router }) => textsOf(router?.inputs["mtu"]))));
  const sources = made.map(
    (part): Source => ({ urn: of(part)!.urn, arguments: role === "switch" ? ["name", "subnets", "tunnelKey"] : ["gateway", "transitSubnets"] }),
  );
  const columns = made.map(({ zone }) => zone).sort(natural);
  return [{ id, role, title, facts: [...own, ...more, ...(role === "switch" ? mtu : [])], band: id, column: undefined, columns, sources }];
}

function insideLinks({ zone, gatewayRouter, topology }: NetworkPart, at: (layer: string) => string): Link[] {
  if (topology === undefined) return [];
  const toRouter =
    gatewayRouter === undefined ? [] : [{ from: `${at("gateway")} ${zone}`, to: at(topology === "transit" ? "transit" : "switch"), title: topology }];
  return [...toRouter, ...(topology === "transit" ? [{ from: at("transit"), to: at("switch"), title: "default gateway" }] : [])];
}

function workloadBox({ name, addresses, zone, migratesTo, urn, path }: WorkloadLocation, at: (layer: string) => string): Box {
  return {
    id: `${at("workloads")} ${name}`,
    role: "workload",
    title: name,
    facts: [...facts("", addresses), ...facts("migrates to", [migratesTo])],
    band: at("workloads"),
    column: zone ?? NOWHERE,
    columns: [],
    sources: [{ urn, arguments: [path] }],
  };
}
