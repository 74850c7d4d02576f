import type { OvsdbClient, Row } from "@pulumi-ovn/ovsdb-client";
import type { World } from "../../../backends/contract/kind";
import { mapOf, uuidOf } from "../../lookup/rows";
import type { BgpExposureSpec } from "../args";
import { labelsIn, networksIn, SCOPE_KEYS, scopesIn } from "../router-port";
import type { AgentFacts, AgentPortFacts, NamedFacts } from "./facts";

/** Looks for what the arguments name, and for the networks that would be announced as a whole. Workloads are not read. */
export async function observeAgent(spec: BgpExposureSpec, { targets }: World): Promise<AgentFacts> {
  const client = await targets.get(spec.zone, "OVN_Northbound");
  const hasSouthbound = targets.zone(spec.zone).southbound !== undefined;
  const [chassis, named, gateways] = await Promise.all([
    hasSouthbound ? targets.get(spec.zone, "OVN_Southbound").then((southbound) => each(spec.chassis, (name) => exists(southbound, "Chassis", { name }))) : null,
    namedFacts(client, spec),
    spec.tenantNetworks === "subnet" ? gatewayRouters(client, spec) : {},
  ]);
  return { chassis, named, gateways };
}

async function namedFacts(client: OvsdbClient, { select, exclude, addressScopes }: BgpExposureSpec): Promise<NamedFacts> {
  const selections = { ...(select && { select }), ...(exclude && { exclude }) };
  const all = Object.values(selections);
  const withIds = (ids: Record<string, string>) =>
    anyOf(["Logical_Switch_Port", "Logical_Router_Port"].map((table) => exists(client, table, [["external_ids", "includes", ids]])));
  const labelled = Object.entries(selections)
    .filter(([, { labels }]) => Object.keys(labels).length > 0)
    .map(([which]) => which);
  const [networks, ports, labels, scopes] = await Promise.all([
    each(
      all.flatMap((one) => one.networks),
      (name) => exists(client, "Logical_Switch", { name }),
    ),
    each(
      all.flatMap((one) => one.ports),
      (name) => anyOf(["Logical_Switch_Port", "Logical_Router_Port"].map((table) => exists(client, table, { name }))),
    ),
    each(labelled, (which) => withIds(selections[which as "select" | "exclude"]!.labels)),
    each(addressScopes, (scope) => anyOf(SCOPE_KEYS.map(([, key]) => withIds({ [key]: scope })))),
  ]);
  return { networks, ports, labels, scopes };
}

async function gatewayRouters(client: OvsdbClient, spec: BgpExposureSpec): Promise<AgentFacts["gateways"]> {
  const here = new Set(spec.chassis);
  const [routers, ports, priorities, haChassis, groups, toRouters, outside] = await Promise.all([
    client.select("Logical_Router", { columns: ["name", "options", "ports"] }),
    client.select("Logical_Router_Port", { columns: ["name", "networks", "gateway_chassis", "ha_chassis_group", "external_ids"] }),
    client.select("Gateway_Chassis", { columns: ["chassis_name"] }),
    client.select("HA_Chassis", { columns: ["chassis_name"] }),
    client.select("HA_Chassis_Group", { columns: ["ha_chassis"] }),
    client.select("Logical_Switch_Port", { where: { type: "router" }, columns: ["name", "options", "external_ids"] }),
    client.select("Logical_Switch_Port", { where: { type: "localnet" }, columns: ["name"] }),
  ]);
  const onThem = new Set([...priorities, ...haChassis].filter((row) => here.has(row["chassis_name"] as string)).map(uuidOf));
  const homes = new Set([...onThem, ...groups.filter((row) => (row["ha_chassis"] as string[]).some((uuid) => onThem.has(uuid))).map(uuidOf)]);
  const byUuid = new Map(ports.map((port) => [uuidOf(port), port]));
  const peers = new Map(toRouters.map((row) => [mapOf(row, "options")["router-port"], row]));
  const localnets = new Set(outside.map(uuidOf));
  const found = await Promise.all(
    routers.map(async (router) => {
      const own = (router["ports"] as string[]).map((uuid) => byUuid.get(uuid)).filter((port) => port !== undefined);
      const isGateway = (port: Row) => (port["gateway_chassis"] as string[]).some((uuid) => homes.has(uuid)) || homes.has(port["ha_chassis_group"] as string);
      if (!here.has(mapOf(router, "options")["chassis"] ?? "") && !own.some(isGateway)) return [];
      const facts = await Promise.all(own.map((port) => portFacts(client, spec, port, peers.get(port["name"] as string), localnets)));
      return [[router["name"] as string, { ports: Object.fromEntries(facts.flat().sort(byKey)) }] as const];
    }),
  );
  return Object.fromEntries(found.flat().sort(byKey));
}

async function portFacts(
  client: OvsdbClient,
  spec: BgpExposureSpec,
  port: Row,
  peer: Row | undefined,
  localnets: ReadonlySet<string>,
): Promise<[string, AgentPortFacts][]> {
  const [network] = peer ? await client.select("Logical_Switch", { where: [["ports", "includes", [uuidOf(peer)]]], columns: ["name", "ports"] }) : [];
  if (!peer || !network) return [];
  const [ownIds, peerIds] = [mapOf(port, "external_ids"), mapOf(peer, "external_ids")];
  const ids = { ...ownIds, ...peerIds };
  const facts: AgentPortFacts = {
    network: network["name"] as string,
    provider: (network["ports"] as string[]).some((uuid) => localnets.has(uuid)),
    networks: networksIn(port["networks"] as string[]),
    ends: Object.fromEntries([
      [port["name"], labelsIn(ownIds, spec)],
      [peer["name"], labelsIn(peerIds, spec)],
    ]),
    scopes: spec.addressScopes ? scopesIn(ids) : {},
  };
  return [[port["name"] as string, facts]];
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

type Where = NonNullable<Parameters<OvsdbClient["select"]>[1]>["where"];

async function exists(client: OvsdbClient, table: string, where: Where): Promise<boolean> {
  return (await client.select(table, { where, columns: ["_uuid"] })).length > 0;
}

const anyOf = async (answers: readonly Promise<boolean>[]): Promise<boolean> => (await Promise.all(answers)).includes(true);

async function each(names: readonly string[] | undefined, ask: (name: string) => Promise<boolean>): Promise<Record<string, boolean>> {
  const unique = [...new Set(names)].sort();
  return Object.fromEntries(await Promise.all(unique.map(async (name) => [name, await ask(name)] as const)));
}
