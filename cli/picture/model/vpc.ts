import { kindOfType } from "@pulumi-ovn/provider";
import type { Contribution } from "./layer2";
import { type Band, type Box, facts, type Link, type PicturedResource } from "./scene";
import { vpcWorkloads, type VpcResources } from "./vpc-workloads";
import { objectOf, type Properties, textOf, textsOf, unique } from "./values";

const COMPONENT = "ovn:network:Vpc";

/** VPCs among resources. A VPC's name is unique on its hosts; two VPCs of one name on different hosts are drawn together. */
function vpcResources(resources: readonly PicturedResource[]): VpcResources[] {
  const of = (kind: string) => resources.filter(({ type }) => kindOfType(type) === kind);
  const bridges = Map.groupBy(of("VpcBridges"), ({ inputs }) => textOf(inputs["vpc"]) ?? "");
  const routers = Map.groupBy(of("LogicalRouterBridge"), ({ inputs }) => textOf(inputs["vpc"]) ?? "");
  const components = new Map(
    resources.flatMap((resource) => (resource.type === COMPONENT ? [[resource.urn.split("::").at(-1), resource.outputs] as const] : [])),
  );
  const byHost = (parts: readonly PicturedResource[] = []) => new Map(parts.map((part) => [textOf(part.inputs["host"]) ?? "not known yet", part]));
  return unique([...bridges.keys(), ...routers.keys()]).map((name) => {
    const own = byHost(bridges.get(name));
    return { name, bridges: own, routers: byHost(routers.get(name)), topology: objectOf(components.get(name)) };
  });
}

/** Hosts, tunnels, logical routers, tiers and workloads of all VPCs, or of one. */
export function vpcs(resources: readonly PicturedResource[], only?: string): Contribution[] {
  return vpcResources(resources)
    .filter(({ name }) => only === undefined || name === only)
    .map(contributionOf);
}

function contributionOf(vpc: VpcResources): Contribution {
  const { name, bridges, routers } = vpc;
  const at = (layer: string) => `VPC ${name} ${layer}`;
  const hosts = unique([...bridges.keys(), ...routers.keys()]);
  const tiers = tiersOf(vpc);
  const virtual = textOf(objectOf(vpc.topology["virtualRouter"])["host"]) ?? onlyOne(hosts.filter((host) => !routers.has(host)));
  const routerBoxes = hosts.flatMap((host) => routerBox(vpc, host, host === virtual, at));
  const tierBoxes = tiers.map((tier) => tierBox(vpc, tier, hosts, at));
  const workloads = vpcWorkloads(vpc, at);
  const links = hosts.flatMap((host): Link[] =>
    tiers.flatMap(({ name: tier }) =>
      bridges.has(host) ? [{ from: at(host === virtual ? "virtual router" : `router ${host}`), to: at(`tier ${tier}`), title: "patch port" }] : [],
    ),
  );
  return {
    columns: hosts.map((host) => ({ id: host, title: `host ${host}`, facts: facts("tunnel address", textsOf(bridges.get(host)?.inputs["tunnelAddress"])) })),
    bands: [
      { id: at("tunnels"), title: `${name}: tunnels`, group: name },
      { id: at("routers"), title: `${name}: routers`, group: name },
      ...tiers.flatMap(({ name: tier }): Band[] => [
        { id: at(`tier ${tier}`), title: `${name}: tier ${tier}`, group: name },
        { id: at(`workloads ${tier}`), title: `${tier}: workloads`, group: name },
      ]),
    ],
    boxes: [...tunnelBox(vpc, hosts, at), ...routerBoxes, ...tierBoxes, ...workloads.map(({ box }) => box)],
    links: [...links, ...workloads.map(({ link }) => link)],
  };
}

function onlyOne(hosts: readonly string[]): string | undefined {
  return hosts.length === 1 ? hosts[0] : undefined;
}

interface Tier {
  readonly name: string;
  readonly given: Properties;
}

/** Tiers from the logical routers, and gateways from the component. */
function tiersOf({ bridges, routers, topology }: VpcResources): Tier[] {
  const [router, bridge] = [[...routers.values()][0], [...bridges.values()][0]];
  const names = unique([
    ...Object.keys(objectOf(router?.inputs["tiers"])),
    ...Object.keys(objectOf(bridge?.inputs["tiers"])),
    ...Object.keys(objectOf(topology["tiers"])),
  ]);
  return names.map((name) => ({
    name,
    given: {
      key: objectOf(bridge?.inputs["tiers"])[name],
      ...objectOf(objectOf(topology["tiers"])[name]),
      ...objectOf(objectOf(router?.inputs["tiers"])[name]),
    },
  }));
}

function tunnelBox({ name, bridges }: VpcResources, hosts: readonly string[], at: (layer: string) => string): Box[] {
  const parts = [...bridges.values()];
  if (parts.length < 2) return [];
  const types = unique(parts.flatMap(({ inputs }) => textsOf(inputs["tunnelType"])));
  const bfd = parts.every(({ inputs }) => inputs["bfd"] === true);
  return [
    {
      id: at("tunnels"),
      role: "outside",
      title: `tunnels of ${name}`,
      facts: [...facts("", [`${types.join(", ")}, each host to each other`]), ...facts("", [bfd ? "watched by BFD" : "not watched"])],
      band: at("tunnels"),
      column: undefined,
      columns: hosts,
      sources: parts.map(({ urn }) => ({ urn, arguments: ["tunnelAddress", "remotes", "tunnelType"] })),
    },
  ];
}

function routerBox({ name, routers, bridges }: VpcResources, host: string, isVirtual: boolean, at: (layer: string) => string): Box[] {
  const router = routers.get(host);
  const base = { role: "router", band: at("routers"), column: host, columns: [] } as const;
  if (router !== undefined) {
    const { enabled, mac } = router.inputs;
    const state = enabled === false ? "fallback: switched off" : (textOf(router.outputs?.["state"] ?? router.inputs["state"]) ?? "enabled");
    const sources = [{ urn: router.urn, arguments: ["enabled", "mac", "tiers", "acls"] }];
    return [
      {
        ...base,
        id: at(`router ${host}`),
        title: "logical router",
        facts: [...facts("", [state === "disabled" ? "fallback: disabled" : state]), ...facts("MAC", textsOf(mac))],
        sources,
      },
    ];
  }
  const bridge = bridges.get(host);
  if (!isVirtual || bridge === undefined) return [];
  return [
    {
      ...base,
      id: at("virtual router"),
      title: "virtual router",
      facts: facts("", [`way out of ${name}`, "routes what no logical router does"]),
      sources: [{ urn: bridge.urn, arguments: ["ports"] }],
    },
  ];
}

function tierBox({ bridges, routers }: VpcResources, { name, given }: Tier, hosts: readonly string[], at: (layer: string) => string): Box {
  const bridge = [...bridges.values()].flatMap(({ inputs }) => textsOf(objectOf(inputs["bridges"])[name]))[0];
  const own = [...facts("subnet", textsOf(given["cidrs"])), ...facts("gateway", textsOf(given["gateways"])), ...facts("key", textsOf(given["key"]))];
  return {
    id: at(`tier ${name}`),
    role: "switch",
    title: `tier ${name}`,
    facts: [...own, ...facts("bridge", [bridge]), ...facts("rules", [rulesText(textOf(given["acl"]) ?? "default_deny", routers)])],
    band: at(`tier ${name}`),
    column: undefined,
    columns: hosts,
    sources: [
      ...[...bridges.values()].map(({ urn }) => ({ urn, arguments: [`tiers.${name}`] })),
      ...[...routers.values()].map(({ urn }) => ({ urn, arguments: [`tiers.${name}`] })),
    ],
  };
}

/** A list and the numbers of its rules: the picture shows where rules change. View "policy" shows the rules. */
function rulesText(list: string, routers: VpcResources["routers"]): string {
  const rules = objectOf([...routers.values()][0]?.inputs["acls"])[list];
  if (!Array.isArray(rules)) return list;
  const count = (action: string) => (rules as unknown[]).filter((rule) => objectOf(rule)["action"] === action).length;
  return `${list} (${count("allow")} allow, ${count("deny")} deny)`;
}
