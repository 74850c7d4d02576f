import { type Network, zoneOfChassis } from "../network";
import type { PortBinding, ZoneSnapshot } from "../snapshot";
import type { Finding } from "./finding";

/** Keys of these are a zone's own affair. */
const ZONE_OWN = new Set(["chassisredirect", "localnet", "localport"]);

const REMEDY = 'compare the zone\'s rows with "pulumi preview --refresh"; "pulumi up --refresh" writes them again';

/**
 * Disagreements between zones that no log reports. Datapaths and ports of the same name must have the same keys. Exactly one zone must
 * have a port as its own. Every remote port needs a port with the same key in the zone of its chassis. A packet between zones carries
 * only these keys. (ovn-architecture(7), Tunnel Encapsulations)
 */
export function agreementFindings(network: Network, zones: readonly ZoneSnapshot[]): Finding[] {
  const shared = new Set([network.switchName, network.transitRouter]);
  const views = zones.map((snapshot) => viewOf(snapshot, shared));
  return [...datapathFindings(views, shared), ...portFindings(views), ...views.flatMap((view) => remoteFindings(view, views, network))];
}

interface View {
  readonly zone: string;
  readonly keys: ReadonlyMap<string, number>;
  readonly ports: readonly PortBinding[];
  /** Ports of the zone's own, by datapath and key. */
  readonly own: ReadonlyMap<string, PortBinding>;
  readonly chassis: ReadonlyMap<string, boolean>;
}

const place = (datapath: string, key: number) => `${datapath} ${key}`;

function viewOf({ zone, datapaths, ports, chassis }: ZoneSnapshot, shared: ReadonlySet<string>): View {
  const relevant = ports.filter((port) => shared.has(port.datapath) && !ZONE_OWN.has(port.type));
  return {
    zone,
    keys: new Map(datapaths.filter(({ name }) => shared.has(name)).map(({ name, tunnelKey }) => [name, tunnelKey])),
    ports: relevant,
    own: new Map(relevant.filter(({ type }) => type !== "remote").map((port) => [place(port.datapath, port.tunnelKey), port])),
    chassis: new Map(chassis.map(({ name, remote }) => [name, remote])),
  };
}

function datapathFindings(views: readonly View[], shared: ReadonlySet<string>): Finding[] {
  return [...shared].flatMap((name) => {
    const keys = views.flatMap(({ zone, keys }) => (keys.has(name) ? [[zone, keys.get(name)!] as const] : []));
    return differing(keys).map(([zone, key, other, otherKey]) => problem(zone, `datapath ${name} has tunnel key ${key}, and ${otherKey} in zone ${other}`));
  });
}

function portFindings(views: readonly View[]): Finding[] {
  const seen = new Map<string, (readonly [string, PortBinding])[]>();
  for (const { zone, ports } of views) {
    for (const port of ports) {
      const name = `${port.datapath} ${port.name}`;
      const list = seen.get(name);
      if (list) list.push([zone, port]);
      else seen.set(name, [[zone, port]]);
    }
  }
  return [...seen.values()].flatMap((list) => {
    const { name } = list[0]![1];
    // A zone's own router ports may have the names of other zones' own ones: only a remote port is the same one as another.
    const same = list.some(([, { type }]) => type === "remote") ? list : [];
    const keys = differing(same.map(([zone, { tunnelKey }]) => [zone, tunnelKey])).map(([zone, key, other, otherKey]) =>
      problem(zone, `port ${name} has tunnel key ${key}, and ${otherKey} in zone ${other}`),
    );
    return [...keys, ...ownerFindings(name, list)];
  });
}

/** A workload runs in one zone. While it migrates, two zones have it, and the destination names both chassis. */
function ownerFindings(name: string, list: readonly (readonly [string, PortBinding])[]): Finding[] {
  const owners = list.filter(([, { type }]) => type === "");
  if (owners.length < 2 || owners.some(([, { requestedChassis }]) => requestedChassis?.includes(","))) return [];
  return [problem(owners[1]![0], `port ${name} is of type "" here, and in zone ${owners[0]![0]} too: only one of them can have the workload`)];
}

function remoteFindings(view: View, views: readonly View[], network: Network): Finding[] {
  const homes = zoneOfChassis(network);
  return view.ports
    .filter(({ type }) => type === "remote")
    .flatMap((port): Finding[] => {
      const chassis = port.chassis ?? port.requestedChassis?.split(",")[0];
      if (chassis === undefined) return [problem(view.zone, `remote port ${port.name} has no chassis: what is sent to it is lost`)];
      const home = homes.get(chassis);
      if (home === undefined && !network.otherChassis.has(chassis))
        return [problem(view.zone, `remote port ${port.name} is on chassis ${chassis}, which no node of the network has`)];
      // northd unbinds the ports of such a chassis: that is what follows from it, sooner or later.
      if (view.chassis.get(chassis) === false)
        return [
          problem(view.zone, `chassis ${chassis} of ${home === undefined ? "another stack" : `zone ${home}`} is not marked is-remote: no packet reaches it`),
        ];
      if (port.chassis === undefined)
        return [
          problem(
            view.zone,
            `remote port ${port.name} is not bound to chassis ${chassis}${view.chassis.has(chassis) ? "" : ", which this zone does not know"}`,
          ),
        ];
      return leadsTo(
        view,
        port,
        chassis,
        views.find(({ zone }) => zone === home),
      );
    });
}

function leadsTo(view: View, port: PortBinding, chassis: string, home: View | undefined): Finding[] {
  if (!home) return [];
  const found = home.own.get(place(port.datapath, port.tunnelKey));
  if (!found)
    return [
      problem(
        view.zone,
        `remote port ${port.name} leads to key ${port.tunnelKey} of ${port.datapath} on chassis ${chassis}, and zone ${home.zone} has no port of its own with that key`,
      ),
    ];
  if (found.chassis !== undefined && found.chassis !== chassis)
    return [problem(view.zone, `remote port ${port.name} is on chassis ${chassis}, and zone ${home.zone} has ${found.name} on ${found.chassis}`)];
  return [];
}

/** Pairs of a zone with the first one that has another value, when not all have the same. */
function differing(values: readonly (readonly [string, number])[]): [string, number, string, number][] {
  const [first] = values;
  return values.flatMap(([zone, value]) => (value === first![1] ? [] : [[zone, value, first![0], first![1]]]));
}

function problem(zone: string, text: string): Finding {
  return { gate: "agreement", where: `zone ${zone}`, problem: text, remedy: REMEDY };
}
