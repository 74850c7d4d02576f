import { formatPrefix, hostPrefix, networkOf, parseIp, parsePrefix } from "../../kit/address";
import { inOrder } from "../topology/fields";
import { sortedEntries } from "../../kit/entries";
import type { OvnExposureSpec } from "./args";
import type { ExposureFacts, RouterFacts, RouterPortFacts } from "./facts";
import { type Redistributed, redistributed } from "./port";

/** A port that announces something. */
export interface ExposedPort {
  readonly name: string;
  readonly facts: RouterPortFacts;
  readonly what: readonly Redistributed[];
}

export interface ExposedRouter {
  readonly name: string;
  readonly table: number;
  readonly facts: RouterFacts;
  /** At least one. */
  readonly ports: readonly ExposedPort[];
}

/** The routers that announce something; unknown ones are left out. */
export function exposedRouters(spec: OvnExposureSpec, facts: ExposureFacts): ExposedRouter[] {
  return sortedEntries(spec.routers).flatMap(([name, { table }]) => {
    const router = facts.routers[name];
    if (!router) return [];
    const ports = sortedEntries(router.ports).flatMap(([port, portFacts]): ExposedPort[] => {
      const what = redistributed(spec, port, portFacts);
      return what.length === 0 ? [] : [{ name: port, facts: portFacts, what }];
    });
    return ports.length === 0 ? [] : [{ name, table, facts: router, ports }];
  });
}

/** Returns the prefixes that northd announces for the routers, sorted, without duplicates. (ovn-sb(5), Advertised_Route) */
export function prefixesOf(routers: readonly ExposedRouter[]): string[] {
  const prefixes = routers.flatMap(({ facts, ports }) => ports.flatMap((port) => prefixesOfPort(facts, port)));
  return inOrder([...new Set(prefixes)]);
}

function prefixesOfPort({ nat, vips }: RouterFacts, { facts: { networks, hosts }, what }: ExposedPort): string[] {
  const host = (address: string) => formatPrefix(hostPrefix(parseIp(address)));
  const each: Record<Redistributed, () => string[]> = {
    connected: () => networks.map((text) => formatPrefix(networkOf(parsePrefix(text)))),
    "connected-as-host": () => [...networks.map((text) => formatPrefix(hostPrefix(parsePrefix(text)))), ...hosts.map(host)],
    lb: () => vips.map(host),
    nat: () => nat.map(host),
  };
  return what.flatMap((one) => each[one]());
}
