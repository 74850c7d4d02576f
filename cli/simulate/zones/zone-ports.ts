import { listed } from "@pulumi-ovn/provider/tools";
import type { Port, ZoneFacts } from "./facts";

/** Ports that a line names. */
const MOST = 12;

/** Zones, and which of them has a port. */
export interface ZonePorts {
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  /** Zones by the names of their workloads. */
  readonly workloads: ReadonlyMap<string, string>;
  /** Zones that have a port itself, not only its remote twin, by the tunnel keys that identify the port in all zones. */
  readonly homes: ReadonlyMap<string, readonly string[]>;
  /**
   * Tunnel keys of remote ports whose own zone is not among these, such as a zone of another stack. A port that a zone has with other keys,
   * or had before the plan, is not among them: packets to this port are lost.
   */
  readonly elsewhere: ReadonlySet<string>;
}

/** Pure. */
export function portsOf(zones: ReadonlyMap<string, ZoneFacts>, before?: ZonePorts): ZonePorts {
  const all = [...zones.values()];
  // The first zone of a workload in several.
  const workloads = new Map(all.flatMap(({ zone, workloads: own }) => own.map(({ name }) => [name, zone] as const)).toReversed());
  const ports = all.flatMap(({ zone, ports: own }) => [...own.values()].map((port) => ({ port, zone })));
  const keys = Map.groupBy(
    ports.filter(({ port }) => port.type !== "remote"),
    ({ port }) => port.key,
  );
  const homes = new Map([...keys].map(([key, own]) => [key, own.map(({ zone }) => zone)]));
  const isKnown = ({ key, name }: Port) => homes.has(key) || before?.homes.has(key) || workloads.has(name);
  const elsewhere = new Set(ports.filter(({ port }) => port.type === "remote" && !isKnown(port)).map(({ port }) => port.key));
  return { zones, workloads, homes, elsewhere };
}

/** Zones that have a port itself, by its tunnel keys. */
export function homesOf({ zones, homes }: ZonePorts, key: string): { readonly facts: ZoneFacts; readonly port: Port }[] {
  return (homes.get(key) ?? []).map((zone) => {
    const facts = zones.get(zone)!;
    return { facts, port: facts.ports.get(facts.keys.get(key)!)! };
  });
}

/** Pure. At most one line, about workloads whose own zone is not among these. */
export function elsewhereTexts({ zones, elsewhere }: ZonePorts): string[] {
  if (elsewhere.size === 0) return [];
  const remote = [...zones.values()].flatMap(({ identities, ports }) =>
    identities.addressed.flatMap(({ name, type }) => (type === "remote" && elsewhere.has(ports.get(name)?.key ?? "") ? [name] : [])),
  );
  const names = [...new Set(remote)].sort();
  if (names.length === 0) return [];
  const which = names.length === 1 ? "this port" : "these ports";
  return [`packets from and to ${listed(names, MOST)} are not simulated: no zone of this stack has ${which}`];
}
