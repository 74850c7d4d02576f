import { kindOfType } from "@pulumi-ovn/provider";
import type { Contribution } from "./layer2";
import { merged } from "./merge";
import { type Box, type Column, facts, type PicturedResource, type Scene } from "./scene";
import { entriesOf, natural, objectOf, type Properties, textOf, textsOf, unique } from "./values";

/** Who may talk to whom: a column for each destination, a layer for each source. */
export function policy(resources: readonly PicturedResource[], network?: string): Scene {
  const parts = [...vpcRules(resources, network), ...(network === undefined ? ownRules(resources) : [])];
  return { title: "Policy", question: "Who may talk to whom? Columns: destination. Layers: source. The first matching rule decides.", ...merged(parts) };
}

/** The other end of a rule without addresses. */
const ANYWHERE = "anywhere";

/** Rules of VPCs, by tier. Every logical router of a VPC has the same. */
function vpcRules(resources: readonly PicturedResource[], only: string | undefined): Contribution[] {
  const routers = new Map(
    resources.filter(({ type }) => kindOfType(type) === "LogicalRouterBridge").map((router) => [textOf(router.inputs["vpc"]) ?? "", router]),
  );
  return [...routers].filter(([vpc]) => only === undefined || vpc === only).map(([vpc, router]) => matrix(vpc, router));
}

/** A tier of a VPC. */
interface Tier {
  readonly name: string;
  readonly tier: Properties;
  /** Name of its access list. */
  readonly list: string;
}

/** A rule of a VPC's matrix, between two tiers or CIDRs. */
interface Cell {
  readonly from: string;
  readonly to: string;
  readonly list: string;
  readonly rule: Properties;
}

function matrix(vpc: string, { inputs, urn }: PicturedResource): Contribution {
  const tiers = entriesOf(inputs["tiers"]).map(([name, value]): Tier => {
    const tier = objectOf(value);
    return { name, tier, list: textOf(tier["acl"]) ?? "default_deny" };
  });
  const cells = cellsOf(tiers, objectOf(inputs["acls"]));
  const isStateful = inputs["conntrackZone"] !== undefined;
  const sources = unique(cells.map(({ from }) => from)).sort((a, b) => Number(a === ANYWHERE) - Number(b === ANYWHERE) || natural(a, b));
  const columns = unique([...tiers.map(({ name }) => `tier ${name}`), ...cells.map(({ to }) => to)]).map((to): Column => {
    const tier = tiers.find(({ name }) => to === `tier ${name}`)?.tier;
    return { id: `${vpc} ${to}`, title: `to ${to} of ${vpc}`, facts: facts("", textsOf(tier?.["cidrs"])) };
  });
  return {
    columns,
    bands: [...sources.map((from) => ({ id: `from ${vpc} ${from}`, title: `from ${from}` })), { id: `rest ${vpc}`, title: "from anywhere, at the end" }],
    boxes: [...cells.map((cell) => ruleBox(vpc, urn, cell)), ...tiers.map((tier) => restBox(vpc, urn, tier, isStateful))],
    links: [],
  };
}

function cellsOf(tiers: readonly Tier[], acls: Properties): Cell[] {
  const nameOf = (cidr: string) => {
    const found = tiers.find(({ tier }) => textsOf(tier["cidrs"]).includes(cidr));
    return found ? `tier ${found.name}` : cidr;
  };
  return tiers.flatMap(({ name, list }) => {
    const rules = ((acls[list] ?? []) as unknown[]).map(objectOf).sort((a, b) => Number(a["number"]) - Number(b["number"]));
    return rules.flatMap((rule) => {
      const others = rule["cidrs"] === undefined ? [ANYWHERE] : textsOf(rule["cidrs"]).map(nameOf);
      return others.map((other) =>
        rule["direction"] === "ingress" ? { from: other, to: `tier ${name}`, list, rule } : { from: `tier ${name}`, to: other, list, rule },
      );
    });
  });
}

function ruleBox(vpc: string, urn: string, { from, to, list, rule }: Cell): Box {
  return {
    id: `rule ${vpc} ${list} ${textOf(rule["number"])} ${textOf(rule["direction"])} ${from} ${to}`,
    role: "rule",
    title: `${textOf(rule["action"])} ${ruleText(rule)}`,
    facts: facts("", [`${list} ${textOf(rule["number"])}, ${textOf(rule["direction"])}`]),
    band: `from ${vpc} ${from}`,
    column: `${vpc} ${to}`,
    columns: [],
    sources: [{ urn, arguments: [`acls.${list}`] }],
  };
}

/** The end of a tier's access list. */
function restBox(vpc: string, urn: string, { name, list }: Tier, isStateful: boolean): Box {
  return {
    id: `rest ${vpc} ${name}`,
    role: "rule",
    title: list === "default_allow" ? "everything else: allow" : "everything else: deny",
    facts: facts("", [list === "default_deny" ? "and deny what leaves" : "and allow what leaves", ...(isStateful ? ["answers are allowed"] : [])]),
    band: `rest ${vpc}`,
    column: `${vpc} tier ${name}`,
    columns: [],
    sources: [{ urn, arguments: [`tiers.${name}.acl`] }],
  };
}

function ruleText({ protocol, ports, icmpType, icmpCode }: Properties): string {
  const icmp = icmpType === undefined ? "" : ` type ${textOf(icmpType)}${icmpCode === undefined ? "" : ` code ${textOf(icmpCode)}`}`;
  return `${textOf(protocol) ?? "everything"}${ports === undefined ? "" : ` port ${textOf(ports)}`}${icmp}`;
}

/** Access rules that a program writes itself (`ACL` rows), by what they are attached to. Equal rules of several zones are one. */
function ownRules(resources: readonly PicturedResource[]): Contribution[] {
  const found = resources
    .filter(({ type }) => kindOfType(type) === "NorthboundRows")
    .flatMap((resource) => {
      const entries = entriesOf(resource.inputs["entries"]).map(([key, entry]) => ({ key, entry: objectOf(entry) }));
      return entries.filter(({ entry }) => entry["table"] === "ACL").map(({ key, entry }) => ({ resource, key, entry, group: groupOf(entry, entries) }));
    });
  const boxes = found.map(({ resource: { urn }, key, entry, group }): Box => {
    const columns = objectOf(entry["columns"]);
    const direction = textOf(columns["direction"]) ?? "";
    return {
      id: `acl ${group} ${key}`,
      role: "rule",
      title: `${textOf(columns["action"])}, priority ${textOf(columns["priority"])}`,
      facts: facts("", textsOf(columns["match"])),
      band: `acl ${direction}`,
      column: `group ${group}`,
      columns: [],
      sources: [{ urn, arguments: [`entries.${key}`] }],
    };
  });
  const bands = [
    { id: "acl to-lport", title: "to its ports" },
    { id: "acl from-lport", title: "from its ports" },
  ];
  const columns = unique(found.map(({ group }) => group)).map((group): Column => ({ id: `group ${group}`, title: `port group ${group}`, facts: [] }));
  return [{ columns, bands, boxes, links: [] }];
}

/** Name of the port group or switch that lists a rule. */
function groupOf(entry: Properties, entries: readonly { readonly key: string; readonly entry: Properties }[]): string {
  const { entry: key, row, name } = objectOf(entry["parent"]);
  const parent = textOf(key ?? row ?? name) ?? "not known yet";
  const listed = entries.find((each) => each.key === parent);
  return textOf(objectOf(listed?.entry["columns"])["name"]) ?? parent;
}
