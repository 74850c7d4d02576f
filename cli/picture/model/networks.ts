import { kindOfType } from "@pulumi-ovn/provider";
import type { PicturedResource } from "./scene";
import { entriesOf, natural, objectOf, type Properties, textOf, textsOf } from "./values";

/** A workload of a network. */
export interface WorkloadLocation {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Undefined if it is not known. */
  readonly zone: string | undefined;
  /** Target of a live migration. */
  readonly migratesTo: string | undefined;
  readonly urn: string;
  readonly path: string;
}

/** The resources of one layer-2 network in one zone. */
export interface NetworkPart {
  readonly zone: string;
  readonly switch: PicturedResource | undefined;
  readonly gatewayRouter: PicturedResource | undefined;
  /** The `Layer2Gateway`, or the `TransitRouter` of a network that is made without the component. */
  readonly router: PicturedResource | undefined;
  /** The `GatewayPeer` of a `TransitRouter`. */
  readonly peer: PicturedResource | undefined;
  /** "transit", "gateway", or undefined if there is no router. */
  readonly topology: string | undefined;
}

/** A layer-2 network over zones. */
export interface PicturedNetwork {
  readonly name: string;
  readonly parts: readonly NetworkPart[];
  readonly workloads: readonly WorkloadLocation[];
}

const SUFFIX = "_ovn_layer2_switch";
const DEFAULT_NETWORK = "default network";

/**
 * Layer-2 networks among resources. Resources belong together by their references: a router has the UUIDs or names of its switch and of its
 * gateway router. Switches of one name and tunnel key are one network.
 */
export function networksIn(resources: readonly PicturedResource[]): PicturedNetwork[] {
  const of = (kind: string) => resources.filter(({ type }) => kindOfType(type) === kind);
  const gatewayRouters = new Map(of("GatewayRouter").flatMap((resource) => keysOf(resource).map((key) => [key, resource] as const)));
  const peers = new Map(of("GatewayPeer").map((peer) => [referenceIn(peer, "router"), peer]));
  const routers = new Map([...of("Layer2Gateway"), ...of("TransitRouter")].map((router) => [referenceIn(router, "switch"), router]));
  const members = new Map(of("NetworkMembers").flatMap((list) => referencesOf(list).map((reference) => [reference, list] as const)));
  const ports = Map.groupBy(of("WorkloadPorts"), (resource) => referenceIn(resource, "switch"));
  const groups = Map.groupBy(of("Layer2Switch"), ({ inputs }) => JSON.stringify([inputs["name"], inputs["tunnelKey"]]));
  const networks = [...groups.values()].map((switches): PicturedNetwork => {
    const parts = switches.map((own): NetworkPart => {
      const zone = textOf(own.inputs["zone"]) ?? "not known yet";
      const found = keysOf(own).flatMap((key) => routers.get(key) ?? [])[0];
      const peer = found && keysOf(found).flatMap((key) => peers.get(key) ?? [])[0];
      const gatewayRouter = gatewayRouters.get(referenceIn(peer ?? found, "gatewayRouter"));
      return { zone, switch: own, router: found, peer, gatewayRouter, topology: found && topologyOf(found, members) };
    });
    const own = switches.flatMap((each) => keysOf(each).flatMap((key) => ports.get(key) ?? []));
    return { name: networkName(parts), parts: parts.sort((a, b) => natural(a.zone, b.zone)), workloads: workloadsIn(own, members) };
  });
  return networks.sort((a, b) => natural(a.name, b.name));
}

/** UUID and name of a resource's main row with its zone, as other resources refer to it. */
function keysOf({ inputs, outputs }: PicturedResource): string[] {
  return [...textsOf(inputs["uuid"] ?? outputs?.["uuid"]), ...textsOf(inputs["name"])].map((reference) => keyIn(inputs, reference));
}

function referenceIn(resource: PicturedResource | undefined, argument: string): string {
  return keyIn(resource?.inputs ?? {}, textOf(resource?.inputs[argument]));
}

/** Names are unique in a zone only. */
const keyIn = (inputs: Properties, reference: string | undefined): string => JSON.stringify([textOf(inputs["zone"]), reference]);

/** References to the lists of a `NetworkMembers`, as resources of zones contain them. */
function referencesOf({ inputs, outputs }: PicturedResource): string[] {
  return Object.values(objectOf(inputs["lists"] ?? outputs?.["lists"])).flatMap(textsOf);
}

function networkName(parts: readonly NetworkPart[]): string {
  const given = parts.flatMap(({ router }) => textsOf(router?.inputs["network"]))[0];
  if (given !== undefined) return given === "" ? DEFAULT_NETWORK : given;
  const name = textOf(parts[0]?.switch?.inputs["name"]) ?? "network";
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
}

function topologyOf({ type, inputs }: PicturedResource, members: ReadonlyMap<string, PicturedResource>): string {
  if (kindOfType(type) === "TransitRouter") return "transit";
  const nodes = objectOf(inputs["nodes"] ?? members.get(textOf(inputs["members"]) ?? "")?.inputs["nodes"]);
  return textOf(objectOf(nodes[textOf(inputs["node"]) ?? ""])["topology"]) ?? "transit";
}

/** Each workload once, in the zone where it is local. Lists that zones share are read once. */
function workloadsIn(ports: readonly PicturedResource[], members: ReadonlyMap<string, PicturedResource>): WorkloadLocation[] {
  const lists = new Set(ports.flatMap(({ inputs }) => members.get(textOf(inputs["members"]) ?? "") ?? []));
  const found = new Map<string, WorkloadLocation>();
  for (const { urn, inputs } of lists) {
    for (const [name, value] of entriesOf(inputs["workloads"])) {
      const { addresses, zone, migration } = objectOf(value);
      const migratesTo = textOf(objectOf(migration)["zone"] ?? objectOf(migration)["to"]);
      found.set(name, { name, addresses: textsOf(addresses), zone: textOf(zone), migratesTo, urn, path: `workloads.${name}` });
    }
  }
  for (const { urn, inputs } of ports) {
    for (const [name, value] of entriesOf(inputs["ports"])) {
      const { addresses, remote } = objectOf(value);
      if (remote === true && found.has(name)) continue;
      const zone = remote === true ? undefined : textOf(inputs["zone"]);
      found.set(name, { name, addresses: textsOf(addresses), zone, migratesTo: undefined, urn, path: `ports.${name}` });
    }
  }
  return [...found.values()].sort((a, b) => natural(a.name, b.name));
}
