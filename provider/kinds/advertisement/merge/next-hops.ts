import type { Neighbor } from "../facts";

/** A next hop that the raw text of an FRRConfiguration sets in an entry of a route map. */
export interface NextHop {
  readonly routeMap: string;
  /** Number of the entry. */
  readonly entry: string;
  readonly command: string;
  readonly address: string;
}

const ENTRY = /^\s*route-map\s+(\S+)\s+permit\s+(\d+)\s*$/;
const SET = /^\s*set\s+(ip\s+next-hop|ipv6\s+next-hop\s+(?:global|local))\s+(\S+)/;
/** Commands that make an entry apply to some prefixes only. */
const CONDITION = /^\s*(?:match|call)\s/;

/** Next hops in FRR's own configuration that apply to all prefixes of a family, in order of the text. */
export function nextHopsIn(rawConfig = ""): NextHop[] {
  const found: NextHop[] = [];
  const conditional = new Set<string>();
  let [routeMap, entry] = ["", ""];
  for (const line of rawConfig.split("\n")) {
    const [, name, number] = ENTRY.exec(line) ?? [];
    if (name !== undefined) [routeMap, entry] = [name, number!];
    if (CONDITION.test(line)) conditional.add(`${routeMap} ${entry}`);
    const [, command, address] = SET.exec(line) ?? [];
    if (command !== undefined && routeMap !== "") found.push({ routeMap, entry, command: command.replaceAll(/\s+/g, " "), address: address! });
  }
  return found.filter((hop) => !conditional.has(`${hop.routeMap} ${hop.entry}`));
}

/** The same as configuration text: nothing else of another writer's text matters. */
export function nextHopText(rawConfig: string | undefined): string | undefined {
  const hops = nextHopsIn(rawConfig);
  if (hops.length === 0) return undefined;
  return hops.map(({ routeMap, entry, command, address }) => `route-map ${routeMap} permit ${entry}\n set ${command} ${address}`).join("\n");
}

/** The route map of frr-k8s for announcements to a neighbour. */
export function outRouteMap({ address, interface: link }: Neighbor, vrf: string): string {
  return `${address || link || ""}${vrf === "" ? "" : `-${vrf}`}-out`;
}

export function isIpv6Hop({ command }: NextHop): boolean {
  return command.startsWith("ipv6");
}
