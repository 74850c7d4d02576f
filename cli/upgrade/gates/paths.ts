import { contains, formatIp, type Ip, parseIp, parsePrefix, type Prefix } from "@pulumi-ovn/provider";
import type { LogicalRouter, PortBinding, RouterPort, StaticRoute, SwitchPort, ZoneSnapshot } from "../snapshot";

/** Port where a packet arrives, or the reason why it does not. */
export type Arrival =
  | { readonly at: "router"; readonly zone: string; readonly name: string }
  | { readonly at: "port"; readonly zone: string; readonly name: string }
  | { readonly at: "nowhere"; readonly zone: string; readonly why: string };

/** A device of a zone that a packet is in. */
export interface Device {
  readonly zone: string;
  readonly kind: "switch" | "router";
  readonly name: string;
}

interface RouterView {
  readonly router: LogicalRouter;
  readonly connected: readonly { readonly port: RouterPort; readonly network: Prefix }[];
  readonly own: ReadonlySet<string>;
  readonly routes: readonly (StaticRoute & { readonly parsed: Prefix })[];
}

interface ZoneView {
  readonly snapshot: ZoneSnapshot;
  readonly routers: ReadonlyMap<string, RouterView>;
  readonly routerOfPort: ReadonlyMap<string, string>;
  /** Ports of a switch, keyed by the address for which the port answers. */
  readonly answers: ReadonlyMap<string, SwitchPort>;
  readonly switchOfRouterPort: ReadonlyMap<string, string>;
  readonly bindings: ReadonlyMap<string, PortBinding>;
  readonly ownByKey: ReadonlyMap<string, PortBinding>;
  readonly switchPorts: ReadonlyMap<string, SwitchPort>;
}

/** Enough for workload, router, link, router, switch, workload. */
const MOST_HOPS = 8;

/**
 * Follows an address through routers and switches in the databases of all zones: routes by the longest prefix, ports that answer for addresses,
 * and between zones the port with the packet's key. It follows rows, not the flows of a chassis: ACLs, policies, translation and the underlay
 * are not included.
 */
export class Paths {
  readonly #zones: ReadonlyMap<string, ZoneView>;

  constructor(
    zones: readonly ZoneSnapshot[],
    private readonly homeOf: ReadonlyMap<string, string>,
  ) {
    this.#zones = new Map(zones.map((snapshot) => [snapshot.zone, viewOf(snapshot)]));
  }

  follow(from: Device, source: string, target: string): Arrival {
    return this.#follow(from, parseIp(source), parseIp(target), MOST_HOPS);
  }

  #follow({ zone, kind, name }: Device, source: Ip, target: Ip, hops: number): Arrival {
    if (hops === 0) return { at: "nowhere", zone, why: `${formatIp(target)} is forwarded in a loop` };
    return kind === "switch" ? this.#switch(zone, name, source, target, target, hops) : this.#router(zone, name, source, target, hops);
  }

  #switch(zone: string, name: string, source: Ip, target: Ip, nextHop: Ip, hops: number): Arrival {
    const view = this.#zones.get(zone)!;
    const port = view.answers.get(`${name} ${formatIp(nextHop)}`);
    if (!port) return { at: "nowhere", zone, why: `no port of ${name} answers for ${formatIp(nextHop)}` };
    return this.#through(view, port, source, target, hops);
  }

  /** Out of a port of a switch. */
  #through(view: ZoneView, port: SwitchPort, source: Ip, target: Ip, hops: number): Arrival {
    const { zone } = view.snapshot;
    if (port.type === "") return { at: "port", zone, name: port.name };
    if (port.type === "router") {
      const router = view.routerOfPort.get(port.routerPort ?? "");
      return router === undefined
        ? { at: "nowhere", zone, why: `port ${port.name} leads to no router` }
        : this.#follow({ zone, kind: "router", name: router }, source, target, hops - 1);
    }
    return this.#across(view, port.name, source, target, hops);
  }

  #router(zone: string, name: string, source: Ip, target: Ip, hops: number): Arrival {
    const view = this.#zones.get(zone)!;
    const router = view.routers.get(name);
    if (!router) return { at: "nowhere", zone, why: `there is no router ${name}` };
    if (router.own.has(formatIp(target))) return { at: "router", zone, name };
    const way = lookup(router, source, target);
    if (!way) return { at: "nowhere", zone, why: `${name} has no route to ${formatIp(target)}` };
    const { port, nextHop } = way;
    if (port.remote) return this.#across(view, port.name, source, target, hops);
    if (port.peer !== undefined) {
      const next = view.routerOfPort.get(port.peer);
      return next === undefined
        ? { at: "nowhere", zone, why: `the other end ${port.peer} of port ${port.name} is missing` }
        : this.#follow({ zone, kind: "router", name: next }, source, target, hops - 1);
    }
    const network = view.switchOfRouterPort.get(port.name);
    return network === undefined
      ? { at: "nowhere", zone, why: `port ${port.name} of ${name} leads to nothing` }
      : this.#switch(zone, network, source, target, nextHop, hops - 1);
  }

  /** Over a tunnel: into the port that has the same key in the zone of the port's chassis. */
  #across(view: ZoneView, name: string, source: Ip, target: Ip, hops: number): Arrival {
    const { zone } = view.snapshot;
    const binding = view.bindings.get(name);
    const home = this.#zones.get(this.homeOf.get(binding?.chassis ?? "") ?? "");
    if (!binding || !home) return { at: "nowhere", zone, why: `remote port ${name} is not bound to a chassis of the network` };
    const there = home.ownByKey.get(`${binding.datapath} ${binding.tunnelKey}`);
    if (!there)
      return { at: "nowhere", zone, why: `zone ${home.snapshot.zone} has no port with key ${binding.tunnelKey} of ${binding.datapath}, where ${name} leads` };
    const port = home.switchPorts.get(there.name);
    if (port) return this.#through(home, port, source, target, hops - 1);
    const router = home.routers.get(home.routerOfPort.get(there.name) ?? "");
    const peer = router?.router.ports.find((candidate) => candidate.name === there.name)?.peer;
    const next = peer === undefined ? undefined : home.routerOfPort.get(peer);
    if (next === undefined) return { at: "nowhere", zone: home.snapshot.zone, why: `port ${there.name} leads to no gateway router` };
    return this.#follow({ zone: home.snapshot.zone, kind: "router", name: next }, source, target, hops - 1);
  }
}

/** Longest prefix first; of equal ones a connected network before a route by destination before one by source. (ovn-northd(8)) */
function lookup({ connected, routes }: RouterView, source: Ip, target: Ip): { readonly port: RouterPort; readonly nextHop: Ip } | undefined {
  const direct = connected
    .filter(({ network }) => contains(network, target))
    .map(({ port, network }) => ({ rank: network.length * 3 + 2, port, nextHop: target }));
  const routed = routes
    .filter(({ parsed, bySource }) => contains(parsed, bySource ? source : target))
    .flatMap(({ parsed, bySource, nextHop, outputPort }) => {
      const gateway = parseIp(nextHop);
      const way = connected.find(({ port, network }) => (outputPort === undefined || port.name === outputPort) && contains(network, gateway));
      return way ? [{ rank: parsed.length * 3 + (bySource ? 0 : 1), port: way.port, nextHop: gateway }] : [];
    });
  return [...direct, ...routed].reduce<(typeof direct)[number] | undefined>((best, way) => (best && best.rank >= way.rank ? best : way), undefined);
}

function viewOf(snapshot: ZoneSnapshot): ZoneView {
  const routers = new Map(snapshot.routers.map((router) => [router.name, routerView(router)]));
  const networksOf = new Map(snapshot.routers.flatMap(({ ports }) => ports.map((port) => [port.name, port.networks] as const)));
  const answers = snapshot.switches.flatMap(({ name, ports }) =>
    ports.flatMap((port) => addressesOf(port, networksOf).map((address) => [`${name} ${address}`, port] as const)),
  );
  return {
    snapshot,
    routers,
    routerOfPort: new Map(snapshot.routers.flatMap(({ name, ports }) => ports.map((port) => [port.name, name] as const))),
    answers: new Map(answers),
    switchOfRouterPort: new Map(
      snapshot.switches.flatMap(({ name, ports }) => ports.flatMap(({ routerPort }) => (routerPort === undefined ? [] : [[routerPort, name] as const]))),
    ),
    bindings: new Map(snapshot.ports.map((port) => [port.name, port])),
    ownByKey: new Map(
      snapshot.ports.filter(({ type }) => type !== "remote" && type !== "chassisredirect").map((port) => [`${port.datapath} ${port.tunnelKey}`, port]),
    ),
    switchPorts: new Map(snapshot.switches.flatMap(({ ports }) => ports.map((port) => [port.name, port] as const))),
  };
}

function routerView(router: LogicalRouter): RouterView {
  const connected = router.ports.flatMap((port) => port.networks.map((text) => ({ port, network: parsePrefix(text) })));
  return {
    router,
    connected,
    // A router does not have the addresses of other zones' ports.
    own: new Set(connected.filter(({ port }) => !port.remote).map(({ network }) => formatIp(network))),
    routes: router.routes.map((route) => ({
      ...route,
      parsed: parsePrefix(route.prefix.includes("/") ? route.prefix : `${route.prefix}/${route.prefix.includes(":") ? 128 : 32}`),
    })),
  };
}

/** Addresses for which a switch port answers: its `addresses`, or the addresses of the router port behind it. */
function addressesOf({ addresses, type, routerPort }: SwitchPort, networksOf: ReadonlyMap<string, readonly string[]>): string[] {
  if (type === "router") return (networksOf.get(routerPort ?? "") ?? []).map((text) => formatIp(parsePrefix(text)));
  // With or without a mask: OVN takes both.
  return addresses.flatMap((entry) => entry.split(" ").slice(1)).map((address) => formatIp(parseIp(address.split("/")[0]!)));
}
